// Lesson 05: one row of scores while d_k grows, with and without the division.

export const MODES = [
  { name: "no division", divisor: () => 1, law: (d) => Math.sqrt(d), reach: 200 },
  { name: "÷ √d_k", divisor: (d) => Math.sqrt(d), law: () => 1, reach: 4 },
  { name: "÷ d_k", divisor: (d) => d, law: (d) => 1 / Math.sqrt(d), reach: 2 },
];

export function row(dots, divisor) {
  const scores = dots.map((dot) => dot / divisor);
  const largest = Math.max(...scores);
  const exponentials = scores.map((score) => Math.exp(score - largest));
  const sum = exponentials.reduce((a, b) => a + b, 0);
  const weights = exponentials.map((e) => e / sum);
  const slopes = weights.map((p, i) => weights.map((q, j) => (i === j ? p : 0) - p * q));
  const mean = scores.reduce((a, b) => a + b, 0) / scores.length;
  const spread = Math.sqrt(scores.reduce((a, s) => a + (s - mean) ** 2, 0) / scores.length);
  const size = Math.sqrt(slopes.flat().reduce((a, s) => a + s * s, 0));
  return { scores, weights, slopes, spread, size };
}

const STYLE = `
.scaling { font: 14px/1.5 var(--jp-content-font-family, sans-serif); max-width: 700px;
  color: var(--jp-content-font-color1, #222); }
.scaling nav { display: flex; flex-wrap: wrap; gap: 6px 8px; align-items: center; }
.scaling label { display: flex; align-items: center; gap: 10px; margin: 10px 0 4px 0; }
.scaling output { min-width: 7em; font-weight: 600; }
.scaling input { flex: 1; max-width: 420px; accent-color: #0072b2; }
.scaling svg { width: 100%; height: auto; display: block; }
.scaling svg text { fill: currentColor; font-size: 12px;
  font-family: var(--jp-content-font-family, sans-serif); }
.scaling svg .quiet { opacity: 0.75; font-size: 11px; }
.scaling p { margin: 6px 0 0 0; min-height: 3em; }
`;

const [WIDTH, HEIGHT] = [680, 270];
const FAN = { left: 42, right: 292, top: 26, bottom: 232 };
const BARS = { left: 372, right: 492, top: 26, bottom: 232 };
const MAP = { left: 520, top: 26, side: 158 };
const ACCENT = "#d55e00";

const minus = (text) => String(text).replace("-", "−");

function fan(picture, dimensions, dots, place, mode, best) {
  const last = Math.log(dimensions[dimensions.length - 1] / dimensions[0]);
  const x = (d) => FAN.left + ((FAN.right - FAN.left) * Math.log(d / dimensions[0])) / last;
  const height = (FAN.bottom - FAN.top) / 2;
  const y = (s) => FAN.top + height - (height * Math.max(-1, Math.min(1, s / mode.reach)));
  const path = (values) => values.map((v, k) => `${x(dimensions[k])},${y(v)}`).join(" ");
  picture.append(svg("text", { x: FAN.left, y: 14 }, "scores, as d_k grows"));
  for (const tick of [-mode.reach, 0, mode.reach]) {
    picture.append(
      svg("line", { x1: FAN.left, x2: FAN.right, y1: y(tick), y2: y(tick), stroke: "currentColor",
        opacity: 0.2 }),
      svg("text", { x: FAN.left - 5, y: y(tick) + 4, "text-anchor": "end", class: "quiet" },
        minus(tick)),
    );
  }
  for (const d of [2, 16, 128, 1024, 4096]) {
    picture.append(
      svg("text", { x: x(d), y: FAN.bottom + 16, "text-anchor": "middle", class: "quiet" }, d),
    );
  }
  for (const sign of [-1, 1]) {
    picture.append(
      svg("polyline", { points: path(dimensions.map((d) => sign * mode.law(d))), fill: "none",
        stroke: "currentColor", "stroke-dasharray": "4 3", "stroke-width": 1.2, opacity: 0.75 }),
    );
  }
  const here = x(dimensions[place]);
  picture.append(
    svg("line", { x1: here, x2: here, y1: FAN.top, y2: FAN.bottom, stroke: "currentColor" }),
  );
  const order = dots[0].map((_, j) => j).sort((a, b) => (a === best) - (b === best));
  for (const j of order) {
    const values = dots.map((row, k) => row[j] / mode.divisor(dimensions[k]));
    const colour = j === best ? ACCENT : "#3b8fc4";
    picture.append(
      svg("polyline", { points: path(values), fill: "none", stroke: colour,
        "stroke-width": j === best ? 2.2 : 1.2, opacity: j === best ? 1 : 0.75 }),
      svg("circle", { cx: here, cy: y(values[place]), r: j === best ? 4.5 : 3, fill: colour }),
    );
  }
  picture.append(
    svg("text", { x: FAN.left, y: HEIGHT - 4, class: "quiet" },
      "dashed: one standard deviation, predicted"),
  );
}

function bars(picture, tokens, weights, best) {
  const step = (BARS.bottom - BARS.top) / tokens.length;
  const full = BARS.right - BARS.left;
  picture.append(svg("text", { x: BARS.left, y: 14 }, "weights"));
  tokens.forEach((token, j) => {
    const top = BARS.top + j * step;
    const colour = j === best ? ACCENT : "#3b8fc4";
    const length = Math.max(0.5, weights[j] * full);
    const number = weights[j].toFixed(2);
    const inside = weights[j] > 0.75;
    picture.append(
      svg("text", { x: BARS.left - 6, y: top + step / 2 + 4, "text-anchor": "end" }, token),
      svg("rect", { x: BARS.left, y: top + 2, width: length, height: step - 4, fill: colour }),
      svg("text", { x: BARS.left + (inside ? length - 5 : length + 5), y: top + step / 2 + 4,
        "text-anchor": inside ? "end" : "start", class: "quiet",
        style: inside ? "fill:#fff;opacity:1" : "" }, number),
    );
  });
}

function map(picture, slopes, size) {
  const cell = MAP.side / slopes.length;
  picture.append(svg("text", { x: MAP.left, y: 14 }, "slopes: weight by score"));
  picture.append(
    svg("rect", { x: MAP.left, y: MAP.top, width: MAP.side, height: MAP.side, fill: "#fff",
      stroke: "#999" }),
  );
  slopes.forEach((line, i) =>
    line.forEach((slope, j) => {
      const strength = Math.min(1, Math.abs(slope) / 0.25);
      if (strength < 0.004) return;
      picture.append(
        svg("rect", { x: MAP.left + j * cell, y: MAP.top + i * cell, width: cell, height: cell,
          fill: slope > 0 ? "#1a3977" : "#863d16", "fill-opacity": strength ** 0.7 }),
      );
    }),
  );
  picture.append(
    svg("text", { x: MAP.left, y: MAP.top + MAP.side + 18 }, `size ${size.toPrecision(2)}`),
    svg("text", { x: MAP.left, y: MAP.top + MAP.side + 36, class: "quiet" }, "blue up, brown down"),
  );
}

function render({ model, el }) {
  const [tokens, query] = [model.get("tokens"), model.get("query")];
  const [dimensions, draws] = [model.get("dimensions"), model.get("dots")];
  let [place, mode, draw] = [model.get("start"), 0, 0];

  const root = document.createElement("div");
  root.className = "demonstration scaling";
  const css = document.createElement("style");
  css.textContent = STYLE;
  const nav = document.createElement("nav");
  const buttons = MODES.map(({ name }, k) => {
    const button = document.createElement("button");
    button.textContent = name;
    button.addEventListener("click", () => {
      mode = k;
      update();
    });
    nav.append(button);
    return button;
  });
  const again = document.createElement("button");
  again.textContent = "Other random vectors";
  again.addEventListener("click", () => {
    draw = (draw + 1) % draws.length;
    update();
  });
  nav.append(again);

  const label = document.createElement("label");
  const value = document.createElement("output");
  const slider = document.createElement("input");
  Object.assign(slider, { type: "range", min: 0, max: dimensions.length - 1, step: 1 });
  slider.value = place;
  slider.setAttribute("aria-label", "d_k, the length of a query");
  slider.addEventListener("keydown", (event) => event.stopPropagation());
  slider.addEventListener("input", () => {
    place = Number(slider.value);
    update();
  });
  label.append(value, slider);

  const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" });
  const words = document.createElement("p");
  words.setAttribute("aria-live", "polite");
  root.append(css, nav, label, picture, words);

  function update() {
    const d = dimensions[place];
    const result = row(draws[draw][place], MODES[mode].divisor(d));
    const best = result.weights.indexOf(Math.max(...result.weights));
    buttons.forEach((button, k) => button.setAttribute("aria-pressed", k === mode));
    value.textContent = `d_k = ${d}`;
    slider.setAttribute("aria-valuetext", `d_k = ${d}`);
    picture.replaceChildren();
    fan(picture, dimensions, draws[draw], place, MODES[mode], best);
    bars(picture, tokens, result.weights, best);
    map(picture, result.slopes, result.size);
    const told =
      `Row of ${query} before training, d_k = ${d}, ${MODES[mode].name}: standard deviation of ` +
      `the scores ${result.spread.toFixed(2)}, largest weight ${result.weights[best].toFixed(2)} ` +
      `on ${tokens[best]}, size of the slopes ${result.size.toPrecision(2)}.`;
    words.textContent = told;
    picture.setAttribute("aria-label", told);
  }

  update();
  el.append(root);
}

export default { render };
