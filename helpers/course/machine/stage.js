// The words of a sentence with arcs and bars from the one that looks, and the whole map below.
import { arrows, button, follow, largestAt, make, named, say, set, shown, svg, word } from "../kit.js";

const CHIP = 84; // the widest column of a word
const GUTTER = 60; // room for the names of the map's rows

// How n words are laid out in a width: side by side, one below the other, upright, or wrapped.
export function layoutOf(n, extra, width) {
  const gutter = n > 24 ? 0 : GUTTER;
  const column = Math.min(CHIP, (width - gutter) / (n + extra));
  const kind = column >= 52 ? "flat" : n <= 16 ? "tall" : column >= 12 ? "thin" : "wrap";
  return { kind, column, left: kind === "flat" || kind === "thin" ? gutter : 0 };
}

// `choose(i, pinned)` is told which word is pointed at or pinned; null when the pointer has left.
export function makeStage(root, parent, choose) {
  const stage = make("div", parent, "", "stage");
  const arcs = svg("svg", stage, { class: "arcs", "aria-hidden": "true" });
  const list = set(make("div", stage, "", "tokens"), { role: "listbox" });
  const bars = set(make("div", stage, "", "bars"), { "aria-hidden": "true" });
  const side = set(make("div", stage, say("weight"), "side"), { "aria-hidden": "true" });
  const map = make("div", parent, "", "map");
  const grid = make("div", map, "", "grid");
  const canvas = set(make("canvas", grid), { role: "img" });
  const mark = make("div", grid, "", "mark");
  const key = make("div", map, "", "key");
  make("span", key, say("Row: who looks. Column: at whom. Point at a word, or use the arrow keys, and its row is shown."));
  const cell = make("b", key);
  const ramp = make("span", key, "0");
  make("i", ramp, "", "fill");
  make("span", ramp, "1");

  let view = null; // what is shown: tokens, glosses, weights, row, may(i, j), was, next, strong
  let chips = [];
  let posts = [];
  let paths = [];
  let labels = [];
  let place = {}; // sizes that the width decides
  let painted = null;

  function build() {
    for (const node of [list, bars, arcs]) node.replaceChildren();
    labels.flat().forEach((label) => label.remove());
    arcs.was = svg("path", arcs, { class: "was" });
    paths = view.tokens.map(() => svg("path", arcs));
    arcs.dot = svg("circle", arcs, { r: 4.5 });
    posts = view.tokens.map(() => {
      const post = make("div", bars);
      return { post, bar: make("i", post, "", "fill"), number: make("b", post) };
    });
    chips = view.tokens.map((_, i) => {
      const chip = set(button(list, "", () => choose(i, true)), { role: "option" });
      chip.className = "token";
      chip.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && choose(i, false));
      return chip;
    });
    arrows(chips, (i) => choose(i, true));
    list.next = view.next !== undefined ? set(make("span", list, "", "token next"), { "aria-hidden": "true" }) : null;
    labels = view.tokens.map(() => [make("div", grid, "", "label"), make("div", grid, "", "label top")]);
    place = {};
  }

  function layout(width) {
    const n = view.tokens.length;
    const extra = list.next ? 1 : 0;
    const { kind, column, left } = layoutOf(n, extra, width);
    root.dataset.layout = kind;
    const tall = kind === "tall";
    const flat = kind === "flat" || kind === "thin";
    const [line, height] = [32, kind === "thin" ? 92 : 120];
    stage.style.setProperty("--column", `${column}px`);
    stage.style.setProperty("--left", `${left}px`);
    side.hidden = !left;
    const across = left + column * (n + extra);
    set(arcs, tall ? { width: 58, height: line * (n + extra) } : { width: across, height });
    const at = (i) => (tall ? line * (i + 0.5) : left + column * (i + 0.5));
    const arc = (i, j) => {
      const far = Math.sqrt(Math.abs(i - j) / Math.max(1, n - 1));
      const [a, b] = i === j ? [at(i) - 6, at(i) + 6] : [at(i), at(j)];
      const rise = i === j ? 26 : tall ? 12 + 58 * far : 20 + (1.3 * height - 38) * far;
      return tall ? `M57 ${a}C${57 - rise} ${a} ${57 - rise} ${b} 57 ${b}`
        : `M${a} ${height}C${a} ${height - rise} ${b} ${height - rise} ${b} ${height}`;
    };
    const before = flat ? left : n > 24 ? 0 : 62;
    const above = flat || n > 24 ? 0 : 92;
    const wide = flat ? column : Math.min(n > 24 ? 8 : 27, (map.clientWidth - before) / n);
    const high = flat ? Math.max(7, Math.min(27, 420 / n)) : wide;
    grid.classList.toggle("low", high < 23);
    const sharp = window.devicePixelRatio || 1;
    place = { kind, tall, at, arc, before, above, wide, high, sharp, height };
    set(canvas, { width: Math.round(wide * n * sharp), height: Math.round(high * n * sharp) });
    canvas.style.cssText = `width:${wide * n}px;height:${high * n}px`;
    grid.style.cssText = `padding:${above}px 0 0 ${before}px`;
    labels.forEach(([left, top], i) => {
      left.style.cssText = before && high > 12 ? `left:0;width:${before - 8}px;top:${above + high * (i + 0.5)}px` : "display:none";
      top.style.cssText = above ? `left:${before + wide * (i + 0.5) - 7}px;bottom:${high * n + 4}px` : "display:none";
    });
    set(list, { "aria-orientation": tall ? "vertical" : "horizontal" });
    painted = null;
  }

  function update() {
    const { tokens, glosses, row } = view;
    const weights = view.weights[row];
    const best = largestAt(weights);
    set(list, { "aria-label": say("Words of the sentence: choose who looks") });
    tokens.forEach((token, j) => {
      const w = weights[j];
      const open = view.may(row, j);
      const chip = chips[j];
      if (chip.dataset.word !== `${token} ${glosses[j]}`) {
        chip.dataset.word = `${token} ${glosses[j]}`;
        for (const node of [chip, ...labels[j]]) {
          node.replaceChildren();
          node.title = named(token, glosses[j]);
          word(node, token, glosses[j]);
        }
        chip.tint = make("i", chip, "", "fill");
      }
      chip.tint.style.opacity = j === row ? 0 : 0.6 * w;
      chip.tabIndex = j === row ? 0 : -1;
      const about = { token, gloss: glosses[j], weight: shown(w) };
      set(chip, { "aria-selected": j === row, "aria-label": j === row ? say("{token} {gloss}, looks", about)
        : open ? say("{token} {gloss}, weight {weight}", about) : say("{token} {gloss}, hidden", about) });
      const { post, bar, number } = posts[j];
      bar.style.scale = place.tall ? `${w} 1` : `1 ${w}`;
      post.className = j === best ? "best" : w < 0.005 ? "none" : "";
      number.textContent = open ? shown(w) : "–";
      const drawn = w >= 0.004;
      if (drawn) set(paths[j], { d: place.arc(row, j) });
      paths[j].style.strokeWidth = drawn ? Math.max(1, (place.tall ? 11 : 17) * w) : 0;
      paths[j].style.strokeOpacity = drawn ? 0.3 + 0.65 * w : 0;
      for (const label of labels[j]) label.classList.toggle("now", j === row);
    });
    set(arcs.dot, place.tall ? { cx: 57, cy: place.at(row) } : { cx: place.at(row), cy: place.height });
    const old = view.was ?? -1;
    set(arcs.was, { d: old >= 0 && old !== best && old !== row ? place.arc(row, old) : "" });
    if (list.next) {
      list.next.replaceChildren();
      list.next.style.visibility = view.next ? "" : "hidden";
      word(list.next, ...(view.next ?? ["?", "?"]));
    }
    if (painted !== view.weights) paint();
    const { before, above, wide, high } = place;
    mark.style.cssText = `left:${before - 1}px;top:${above + high * row - 1}px;width:${wide * tokens.length + 2}px;height:${high + 2}px`;
    set(canvas, { "aria-label": say("Map of all weights, {n} by {n}. The marked row is that of {token} {gloss}.",
      { n: tokens.length, token: tokens[row], gloss: glosses[row] }) });
  }

  function paint() {
    const { wide, high, sharp } = place;
    paintMap(canvas, root, view, wide * sharp, high * sharp, high > 9 ? sharp : 0);
    painted = view.weights;
  }

  function show(next) {
    const rebuild = next.tokens.length !== view?.tokens.length || (next.next === undefined) !== (view.next === undefined);
    view = next;
    if (rebuild) build();
    if (!place.kind) layout(stage.clientWidth);
    update();
  }

  const placeOf = (event) => {
    const box = canvas.getBoundingClientRect();
    const n = view.tokens.length;
    const within = (share) => Math.min(n - 1, Math.max(0, Math.floor(n * share)));
    return [within((event.clientY - box.top) / box.height), within((event.clientX - box.left) / box.width)];
  };
  function readCell([i, j]) {
    const [who, whom] = [i, j].map((k) => named(view.tokens[k], view.glosses[k]));
    cell.textContent = view.may(i, j) ? say("{who} gives {whom} {weight}", { who, whom, weight: shown(view.weights[i][j]) })
      : say("{who} may not look at {whom}", { who, whom });
  }
  canvas.addEventListener("pointermove", (event) => {
    if (event.pointerType !== "mouse") return;
    choose(placeOf(event)[0], false);
    readCell(placeOf(event));
  });
  canvas.addEventListener("click", (event) => {
    choose(placeOf(event)[0], true);
    readCell(placeOf(event));
  });
  for (const node of [canvas, list])
    node.addEventListener("pointerleave", () => {
      cell.textContent = "";
      choose(null, false);
    });
  follow(root, () => {
    if (!view) return;
    layout(stage.clientWidth);
    update();
  });
  return { stage, show, focus: (i) => chips[i].focus() };
}

// A map on a canvas: the square root of a weight is its strength, hidden places are grey.
export function paintMap(canvas, root, { weights, may, strong = -1 }, wide, high, gap) {
  const context = canvas.getContext("2d");
  context.clearRect(0, 0, canvas.width, canvas.height);
  weights.forEach((row, i) => row.forEach((weight, j) => {
    const hidden = !may(i, j);
    context.globalAlpha = hidden ? 0.13 : Math.sqrt(Math.min(1, weight)) * (strong < 0 || strong === i ? 1 : 0.45);
    context.fillStyle = hidden ? "#808080" : root.blue;
    context.fillRect(j * wide, i * high, wide - gap, high - gap);
  }));
}
