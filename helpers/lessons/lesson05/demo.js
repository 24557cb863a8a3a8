// Lesson 05: one row of scores while d_k grows, with and without the division.
import { announce, bars, button, choices, follow, largestAt, make, named, say, set, shown, slider, softmax, svg } from "../../course/kit.js";

export const MODES = [
  { name: "no division", divisor: () => 1, law: (d) => Math.sqrt(d), reach: 200 },
  { name: "÷ √d_k", divisor: (d) => Math.sqrt(d), law: () => 1, reach: 4 },
  { name: "÷ d_k", divisor: (d) => d, law: (d) => 1 / Math.sqrt(d), reach: 2 },
];

export function row(dots, divisor) {
  const scores = dots.map((number) => number / divisor);
  const weights = softmax(scores);
  const slopes = weights.map((p, i) => weights.map((q, j) => (i === j ? p : 0) - p * q));
  const mean = scores.reduce((a, b) => a + b, 0) / scores.length;
  const spread = Math.sqrt(scores.reduce((a, s) => a + (s - mean) ** 2, 0) / scores.length);
  return { scores, weights, slopes, spread, size: Math.hypot(...slopes.flat()) };
}

const [LEFT, TOP, BOTTOM] = [38, 8, 200];

// The scores of all draws of d_k: one line a key, the chosen d_k marked.
function fan(parent, { dimensions, dots, place, mode, best }) {
  const width = Math.max(230, parent.clientWidth);
  const picture = svg("svg", parent, { width, height: 224, "aria-hidden": "true" });
  const last = Math.log(dimensions.at(-1) / dimensions[0]);
  const x = (d) => LEFT + ((width - LEFT - 14) * Math.log(d / dimensions[0])) / last;
  const middle = (TOP + BOTTOM) / 2;
  const y = (s) => middle - (middle - TOP) * Math.max(-1, Math.min(1, s / mode.reach));
  const line = (values, look) => svg("path", picture, { ...look,
    d: values.map((v, k) => `${k ? "L" : "M"}${x(dimensions[k]).toFixed(1)} ${y(v).toFixed(1)}`).join("") });
  for (const mark of [-mode.reach, 0, mode.reach]) {
    svg("path", picture, { class: "rule", d: `M${LEFT} ${y(mark)}H${width - 14}` });
    svg("text", picture, { class: "quiet", x: LEFT - 5, y: y(mark) + 4, "text-anchor": "end" }, shown(mark, 0));
  }
  for (const d of [2, 16, 128, 1024, 4096])
    svg("text", picture, { class: "quiet", x: x(d), y: BOTTOM + 17, "text-anchor": "middle" }, d);
  for (const sign of [-1, 1]) line(dimensions.map((d) => sign * mode.law(d)), { class: "law" });
  const here = x(dimensions[place]);
  svg("path", picture, { class: "here", d: `M${here} ${TOP}V${BOTTOM}` });
  for (const j of dots[0].map((_, k) => k).sort((a, b) => (a === best) - (b === best))) {
    const values = dots.map((numbers, k) => numbers[j] / mode.divisor(dimensions[k]));
    line(values, { class: j === best ? "key best" : "key" });
    svg("circle", picture, { class: j === best ? "best" : "", cx: here, cy: y(values[place]), r: j === best ? 4.5 : 3 });
  }
}

export function render(root, data) {
  root.classList.add("scaling");
  const { tokens, glosses, dimensions } = data;
  const names = tokens.map((token, j) => named(token, glosses[j]));
  const state = { place: data.start, mode: 0, draw: 0 };
  const change = (more) => { Object.assign(state, more); update(); };

  const bar = make("div", root, "", "bar");
  const modes = choices(bar, say("division"), [say("no division"), "÷ √d_k", "÷ d_k"], (mode) => change({ mode }));
  button(bar, say("Other random vectors"), () => change({ draw: (state.draw + 1) % data.dots.length }));
  const knob = slider(root, "d_k", { min: 0, max: dimensions.length - 1 }, (k) => `d_k = ${dimensions[k]}`, (place) => change({ place }));
  const panels = make("div", root, "", "panels");
  const panel = (title, below) => {
    const box = make("div", panels);
    make("b", box, title);
    const inside = make("div", box);
    make("small", box, below);
    return inside;
  };
  const left = panel(say("scores, as d_k grows"), say("dashed: one standard deviation, predicted"));
  const shares = bars(panel(say("weights"), ""), tokens.map((token, j) => [token, glosses[j]]));
  const square = panel(say("slopes: weight by score"), say("blue up, orange down"));
  square.className = "slopes";
  square.style.gridTemplateColumns = `repeat(${tokens.length}, 1fr)`;
  const cells = tokens.flatMap(() => tokens.map(() => make("i", square, "", "fill")));
  const told = make("p", root);

  function update() {
    const mode = MODES[state.mode];
    const d = dimensions[state.place];
    const result = row(data.dots[state.draw][state.place], mode.divisor(d));
    const best = largestAt(result.weights);
    modes.show(state.mode);
    knob.show(state.place);
    left.replaceChildren();
    fan(left, { dimensions, dots: data.dots[state.draw], place: state.place, mode, best });
    shares.show(result.weights, best);
    result.slopes.flat().forEach((slope, k) => {
      cells[k].className = slope > 0 ? "fill" : "fill down";
      cells[k].style.opacity = Math.min(1, Math.abs(slope) / 0.25) ** 0.7;
    });
    told.textContent = say("Row of {token} before training, d_k = {d}. Standard deviation of the scores: {spread}. Largest weight: {weight}, on {best}. Size of the slopes: {size}.",
      { token: names[tokens.indexOf(data.query)], d, spread: shown(result.spread), weight: shown(result.weights[best]),
        best: names[best], size: Number(result.size.toPrecision(2)) });
    set(square, { role: "img", "aria-label": told.textContent });
    announce(root, told.textContent);
  }

  update();
  follow(root, update);
}
