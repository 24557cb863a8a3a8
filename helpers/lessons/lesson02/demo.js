// Lesson 02: a query that can be dragged over a plane of books.

export function scoresOf(query, keys, similarity) {
  const dot = (a, b) => a.reduce((sum, x, c) => sum + x * b[c], 0);
  return keys.map((key) => {
    if (similarity === "cosine") {
      const lengths = Math.sqrt(dot(query, query) * dot(key, key));
      return lengths === 0 ? 0 : dot(query, key) / lengths;
    }
    if (similarity === "distance") return -Math.sqrt(key.reduce((s, x, c) => s + (x - query[c]) ** 2, 0));
    return dot(query, key);
  });
}

export function lookup(query, keys, values, sharpness, similarity = "dot") {
  const scores = scoresOf(query, keys, similarity).map((score) => score * sharpness);
  const largest = Math.max(...scores);
  const exponentials = scores.map((score) => Math.exp(score - largest));
  const sum = exponentials.reduce((a, b) => a + b, 0);
  const weights = exponentials.map((e) => e / sum);
  const output = values[0].map((_, c) => weights.reduce((s, w, j) => s + w * values[j][c], 0));
  return { scores, weights, output };
}

const SIZE = 380;
const REACH = 1.3;
const SIMILARITIES = [
  ["dot", "dot product"],
  ["cosine", "cosine (length ignored)"],
  ["distance", "minus the distance"],
];

const STYLE = `
.plane { font: 14px/1.45 var(--jp-ui-font-family, sans-serif); color: var(--jp-ui-font-color1, #222);
  max-width: 720px; display: flex; flex-wrap: wrap; gap: 18px; box-sizing: border-box; }
.plane svg { touch-action: none; flex: 0 0 auto; max-width: 100%; height: auto;
  background: var(--jp-layout-color0, #fff); border-radius: 6px; }
.plane text { fill: var(--jp-ui-font-color1, #222); font: 13px var(--jp-ui-font-family, sans-serif); }
.plane text.side { fill: var(--jp-ui-font-color2, #666); font-size: 12px; }
.plane .axis { stroke: var(--jp-border-color2, #ccc); }
.plane .handle { cursor: grab; }
.plane .handle:focus-visible { outline: 3px solid #e69f00; outline-offset: 2px; }
.plane .panel { flex: 1 1 250px; min-width: 240px; }
.plane label { display: block; margin-bottom: 8px; }
.plane input[type="range"] { width: 100%; }
.plane select { font: inherit; color: inherit; background: var(--jp-layout-color1, #fff); }
.plane table { border-collapse: collapse; width: 100%; margin: 6px 0 0 0; }
.plane td, .plane th { text-align: left; padding: 2px 6px 2px 0; font-weight: 400; border: 0; }
.plane td.number { text-align: right; font-variant-numeric: tabular-nums; width: 3.2em; }
.plane .bar { height: 12px; background: #0072b2; border-radius: 2px; min-width: 1px; }
.plane .bar.out { background: #d55e00; }
.plane h4 { margin: 12px 0 0 0; font-size: 13px; font-weight: 600; }
`;

const NS = "http://www.w3.org/2000/svg";
function svgElement(name, attributes, parent) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  parent?.append(element);
  return element;
}

function html(name, text = "", parent = null) {
  const element = document.createElement(name);
  element.textContent = text;
  parent?.append(element);
  return element;
}

function barTable(parent, names, className) {
  const body = html("table", "", parent).createTBody();
  return names.map((name) => {
    const row = body.insertRow();
    row.insertCell().textContent = name;
    const number = row.insertCell();
    number.className = "number";
    const bar = html("div", "", row.insertCell());
    bar.className = `bar ${className}`;
    bar.parentElement.style.width = "45%";
    return { number, bar };
  });
}

function render({ model, el }) {
  const keys = model.get("key_vectors");
  const values = model.get("value_vectors");
  const titles = model.get("titles");
  const contents = model.get("contents");
  const [left, right, below, above] = model.get("directions");
  const largest = Math.max(...values.flat());
  let query = [...model.get("query")];
  let sharpness = model.get("sharpness");
  let similarity = "dot";

  const x = (value) => SIZE * (0.5 + value / (2 * REACH));
  const y = (value) => SIZE * (0.5 - value / (2 * REACH));

  const root = html("div");
  root.className = "demonstration plane";
  html("style", STYLE, root);
  const svg = svgElement("svg", { width: SIZE, height: SIZE, viewBox: `0 0 ${SIZE} ${SIZE}` }, root);
  svgElement("line", { class: "axis", x1: 0, x2: SIZE, y1: y(0), y2: y(0) }, svg);
  svgElement("line", { class: "axis", x1: x(0), x2: x(0), y1: 0, y2: SIZE }, svg);
  const sides = [
    [6, y(0) - 6, "start", `← ${left}`],
    [SIZE - 6, y(0) - 6, "end", `${right} →`],
    [x(0) + 6, SIZE - 8, "start", `↓ ${below}`],
    [x(0) + 6, 16, "start", `↑ ${above}`],
  ];
  for (const [px, py, anchor, text] of sides)
    svgElement("text", { class: "side", x: px, y: py, "text-anchor": anchor }, svg).textContent = text;
  const discs = keys.map((key, j) => {
    const disc = svgElement("circle", { cx: x(key[0]), cy: y(key[1]), fill: "#56b4e9", opacity: 0.5 }, svg);
    svgElement("circle", { cx: x(key[0]), cy: y(key[1]), r: 3.5, fill: "#0072b2" }, svg);
    svgElement("text", { x: x(key[0]), y: y(key[1]) - 9, "text-anchor": "middle" }, svg).textContent =
      titles[j];
    return disc;
  });
  const arrow = svgElement("line", { x1: x(0), y1: y(0), stroke: "#d55e00", "stroke-width": 2.5 }, svg);
  const handle = svgElement(
    "circle",
    { class: "handle", r: 10, fill: "#d55e00", tabindex: 0, role: "slider", "aria-label": "query" },
    svg,
  );

  const panel = html("div", "", root);
  panel.className = "panel";
  const sharpnessLabel = html("label", "", panel);
  const sharpnessText = html("span", "", sharpnessLabel);
  const slider = html("input", "", sharpnessLabel);
  Object.assign(slider, { type: "range", min: 0, max: 20, step: 0.1, value: sharpness });
  slider.setAttribute("aria-label", "sharpness");
  slider.addEventListener("keydown", (event) => event.stopPropagation());
  slider.addEventListener("input", () => {
    sharpness = Number(slider.value);
    draw();
  });
  const choiceLabel = html("label", "similarity ", panel);
  const choice = html("select", "", choiceLabel);
  for (const [value, text] of SIMILARITIES) html("option", text, choice).value = value;
  choice.addEventListener("keydown", (event) => event.stopPropagation());
  choice.addEventListener("change", () => {
    similarity = choice.value;
    draw();
  });
  html("h4", "weights: what each book gives", panel);
  const weightBars = barTable(panel, titles, "");
  html("h4", "output: the blended content", panel);
  const outputBars = barTable(panel, contents, "out");

  function moveTo(px, py) {
    const limit = (value) => Math.min(REACH, Math.max(-REACH, value));
    query = [limit((px / SIZE - 0.5) * 2 * REACH), limit((0.5 - py / SIZE) * 2 * REACH)];
    draw();
  }
  function follow(event) {
    const box = svg.getBoundingClientRect();
    const scale = SIZE / box.width;
    moveTo((event.clientX - box.left) * scale, (event.clientY - box.top) * scale);
  }
  svg.addEventListener("pointerdown", (event) => {
    svg.setPointerCapture(event.pointerId);
    handle.focus();
    follow(event);
  });
  svg.addEventListener("pointermove", (event) => {
    if (svg.hasPointerCapture(event.pointerId)) follow(event);
  });
  handle.addEventListener("keydown", (event) => {
    const steps = { ArrowLeft: [-8, 0], ArrowRight: [8, 0], ArrowUp: [0, -8], ArrowDown: [0, 8] };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    moveTo(x(query[0]) + step[0], y(query[1]) + step[1]);
  });

  function draw() {
    const { weights, output } = lookup(query, keys, values, sharpness, similarity);
    weights.forEach((weight, j) => {
      discs[j].setAttribute("r", 4 + 46 * Math.sqrt(weight));
      weightBars[j].number.textContent = weight.toFixed(2);
      weightBars[j].bar.style.width = `${100 * weight}%`;
    });
    output.forEach((value, c) => {
      outputBars[c].number.textContent = value.toFixed(2);
      outputBars[c].bar.style.width = `${(100 * Math.max(0, value)) / largest}%`;
    });
    for (const [name, value] of [["x2", x(query[0])], ["y2", y(query[1])]]) arrow.setAttribute(name, value);
    handle.setAttribute("cx", x(query[0]));
    handle.setAttribute("cy", y(query[1]));
    handle.setAttribute("aria-valuetext", `${query[0].toFixed(2)}, ${query[1].toFixed(2)}`);
    sharpnessText.textContent = `sharpness ${sharpness.toFixed(1)}: from plain average (0) to hard lookup`;
  }

  draw();
  el.append(root);
}

export default { render };
