// Lesson 02: a query that can be dragged over a plane of books.
import { announce, bars, dot, largestAt, make, menu, product, say, set, shown, slider, softmax, svg } from "../../course/kit.js";

export function scoresOf(query, keys, similarity) {
  return keys.map((key) => {
    if (similarity === "distance") return -Math.hypot(...key.map((x, c) => x - query[c]));
    const lengths = Math.sqrt(dot(query, query) * dot(key, key));
    if (similarity === "cosine") return lengths === 0 ? 0 : dot(query, key) / lengths;
    return dot(query, key);
  });
}

export function lookup(query, keys, values, sharpness, similarity = "dot") {
  const scores = scoresOf(query, keys, similarity).map((score) => score * sharpness);
  const weights = softmax(scores);
  return { scores, weights, output: product([weights], values)[0] };
}

const SIZE = 380;
const REACH = 1.3;
const x = (value) => SIZE * (0.5 + value / (2 * REACH));
const y = (value) => SIZE * (0.5 - value / (2 * REACH));

export function render(root, data) {
  root.classList.add("plane");
  const { titles, contents } = data;
  const [left, right, below, above] = data.directions;
  const largest = Math.max(...data.value_vectors.flat());
  let [query, sharpness, similarity] = [data.query, data.sharpness, "dot"];

  const picture = svg("svg", root, { viewBox: `0 0 ${SIZE} ${SIZE}` });
  svg("path", picture, { class: "axis", d: `M0 ${y(0)}H${SIZE}M${x(0)} 0V${SIZE}` });
  for (const [px, py, anchor, text] of [
    [6, y(0) - 6, "start", `← ${left}`],
    [SIZE - 6, y(0) - 6, "end", `${right} →`],
    [x(0) + 6, SIZE - 8, "start", `↓ ${below}`],
    [x(0) + 6, 16, "start", `↑ ${above}`],
  ]) svg("text", picture, { class: "quiet", x: px, y: py, "text-anchor": anchor }, text);
  const discs = data.key_vectors.map(([across, up], j) => {
    const disc = svg("circle", picture, { class: "disc", cx: x(across), cy: y(up) });
    svg("circle", picture, { class: "book", cx: x(across), cy: y(up), r: 3.5 });
    svg("text", picture, { x: x(across), y: y(up) - 9, "text-anchor": "middle" }, titles[j]);
    return disc;
  });
  const arrow = svg("line", picture, { class: "arrow", x1: x(0), y1: y(0) });
  const handle = svg("circle", picture, {
    class: "handle", r: 11, tabindex: 0, role: "application", "aria-label": say("query: move it with the arrow keys"),
  });

  const panel = make("div", root, "", "panel");
  const sharp = slider(panel, say("sharpness, from an average to a hard lookup"), { min: 0, max: 20, step: 0.1 },
    (value) => shown(value, 1), (value) => { sharpness = value; draw(); });
  menu(panel, say("similarity"), [["dot", say("dot product")], ["cosine", say("cosine (length ignored)")],
    ["distance", say("minus the distance")]], (value) => { similarity = value; draw(); });
  make("b", panel, say("weights: what each book gives"));
  const weightBars = bars(panel, titles);
  make("b", panel, say("output: the blended content"));
  const outputBars = bars(panel, contents, "out");

  function moveTo(px, py) {
    const inside = (value) => Math.min(REACH, Math.max(-REACH, value));
    query = [inside((px / SIZE - 0.5) * 2 * REACH), inside((0.5 - py / SIZE) * 2 * REACH)];
    draw();
  }
  function drag(event) {
    const box = picture.getBoundingClientRect();
    moveTo(((event.clientX - box.left) * SIZE) / box.width, ((event.clientY - box.top) * SIZE) / box.height);
  }
  picture.addEventListener("pointerdown", (event) => {
    picture.setPointerCapture(event.pointerId);
    handle.focus({ preventScroll: true });
    drag(event);
  });
  picture.addEventListener("mousedown", (event) => event.preventDefault()); // the handle keeps the focus
  picture.addEventListener("pointermove", (event) => picture.hasPointerCapture(event.pointerId) && drag(event));
  handle.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-8, 0], ArrowRight: [8, 0], ArrowUp: [0, -8], ArrowDown: [0, 8] }[event.key];
    if (!step) return;
    event.preventDefault();
    moveTo(x(query[0]) + step[0], y(query[1]) + step[1]);
  });

  function draw() {
    const { weights, output } = lookup(query, data.key_vectors, data.value_vectors, sharpness, similarity);
    weights.forEach((weight, j) => set(discs[j], { r: 4 + 46 * Math.sqrt(weight) }));
    weightBars.show(weights);
    outputBars.show(output.map((value) => value / largest), -1, output);
    set(arrow, { x2: x(query[0]), y2: y(query[1]) });
    set(handle, { cx: x(query[0]), cy: y(query[1]) });
    sharp.show(sharpness);
    const best = largestAt(weights);
    announce(root, say("Query at {across}, {up}. {book} gives most: {weight}.", { across: shown(query[0]),
      up: shown(query[1]), book: titles[best], weight: shown(weights[best]) }));
  }

  draw();
}
