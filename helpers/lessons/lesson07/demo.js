// Lesson 07: what attention costs, for any length and any size of model.

const TILE = 256 * 1024;

export function costs(n, dModel, heads, layers, size) {
  return {
    projections: 8 * layers * n * dModel * dModel,
    pairs: 4 * layers * n * n * dModel,
    "score tables": heads * n * n * size,
    blocks: (Math.min(n * n, TILE) + 2 * heads * n) * size,
    cache: 2 * layers * n * dModel * size,
    matrices: 4 * layers * dModel * dModel * size,
  };
}

export function bytesText(amount) {
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB"];
  const power = amount < 1 ? 0 : Math.min(Math.floor(Math.log2(amount) / 10), units.length - 1);
  const value = amount / 1024 ** power;
  return `${value < 1000 ? Number(value.toPrecision(3)) : Math.round(value)} ${units[power]}`;
}

export function powerText(number) {
  if (number < 1e6) return String(Math.round(number));
  const [digits, power] = number.toExponential(1).split("e+");
  const raised = [...power].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("");
  return `${digits === "1.0" ? "" : `${digits} · `}10${raised}`;
}

export function durationText(seconds) {
  const steps = [
    [1e-3, 1e-6, "µs"],
    [1, 1e-3, "ms"],
    [120, 1, "s"],
    [7200, 60, "minutes"],
    [172800, 3600, "hours"],
    [Infinity, 86400, "days"],
  ];
  const [, unit, name] = steps.find(([end]) => seconds < end);
  const value = seconds / unit;
  return `${value < 100 ? Number(value.toPrecision(2)) : Math.round(value)} ${name}`;
}

const STYLE = `
.cost { font: 14px/1.5 var(--jp-content-font-family, sans-serif); max-width: 700px;
  color: var(--jp-content-font-color1, #222); }
.cost nav { display: flex; flex-wrap: wrap; gap: 6px 8px; align-items: center; margin-bottom: 6px; }
.cost nav span { min-width: 4.5em; }
.cost .knobs { display: grid; grid-template-columns: max-content 1fr max-content; gap: 2px 12px;
  align-items: center; margin: 8px 0; }
.cost .knobs output { min-width: 6em; font-weight: 600; text-align: right; }
.cost input { width: 100%; accent-color: #0072b2; }
.cost svg { width: 100%; height: auto; display: block; }
.cost svg text { fill: currentColor; font-size: 12px;
  font-family: var(--jp-content-font-family, sans-serif); }
.cost svg .quiet { opacity: 0.8; font-size: 11px; }
.cost p { margin: 6px 0 0 0; min-height: 4.5em; }
`;

const [WIDTH, HEIGHT] = [680, 268];
const BARS = { left: 196, right: 660, top: 30, step: 36 };
const [LOW, HIGH] = [10, 52]; // 1 KiB to 4 PiB, as powers of 2
const ROWS = [
  ["score tables", "#d55e00"],
  ["blocks", "#009e73"],
  ["cache", "#3b8fc4"],
  ["matrices", "#cc79a7"],
];
const LAYERS = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 80, 96, 128];
const SIZES = [1, 2, 4];

const across = (bytes) => {
  const power = Math.min(HIGH, Math.max(LOW, Math.log2(bytes)));
  return BARS.left + ((BARS.right - BARS.left) * (power - LOW)) / (HIGH - LOW);
};

function memory(picture, result, names, machines) {
  const bottom = BARS.top + ROWS.length * BARS.step;
  for (let power = 10; power <= 50; power += 10) {
    picture.append(
      svg("line", { x1: across(2 ** power), x2: across(2 ** power), y1: BARS.top, y2: bottom,
        stroke: "currentColor", opacity: 0.15 }),
      svg("text", { x: across(2 ** power), y: bottom + 15, "text-anchor": "middle",
        class: "quiet" }, bytesText(2 ** power)),
    );
  }
  Object.entries(machines).forEach(([name, bytes], k) => {
    const anchor = ["end", "middle", "start"][k] ?? "middle";
    picture.append(
      svg("line", { x1: across(bytes), x2: across(bytes), y1: BARS.top - 8, y2: bottom,
        stroke: "currentColor", "stroke-dasharray": "4 3", opacity: 0.8 }),
      svg("text", { x: across(bytes), y: BARS.top - 13, "text-anchor": anchor }, name),
    );
  });
  ROWS.forEach(([what, colour], k) => {
    const top = BARS.top + k * BARS.step + 6;
    const end = across(result[what]);
    const text = bytesText(result[what]);
    const inside = end - BARS.left > 90;
    picture.append(
      svg("text", { x: BARS.left - 8, y: top + 16, "text-anchor": "end" }, names[what]),
      svg("rect", { x: BARS.left, y: top, width: Math.max(2, end - BARS.left), height: 24,
        fill: colour }),
      svg("text", { x: inside ? end - 7 : end + 7, y: top + 17,
        "text-anchor": inside ? "end" : "start", style: inside ? "fill:#000" : "" }, text),
    );
  });
}

function work(picture, result) {
  const top = BARS.top + ROWS.length * BARS.step + 30;
  const full = BARS.right - BARS.left;
  const share = result.pairs / (result.pairs + result.projections);
  const edge = BARS.left + full * (1 - share);
  const percent = (part) => `${Math.round(100 * part)} %`;
  picture.append(
    svg("text", { x: BARS.left - 8, y: top + 17, "text-anchor": "end" }, "matrix products"),
    svg("rect", { x: BARS.left, y: top, width: full * (1 - share), height: 24, fill: "#56b4e9" }),
    svg("rect", { x: edge, y: top, width: full * share, height: 24, fill: "#e69f00" }),
  );
  const parts = [
    ["projections", 1 - share, (BARS.left + edge) / 2],
    ["pairs", share, (edge + BARS.right) / 2],
  ];
  for (const [name, part, middle] of parts) {
    if (part < 0.27) continue;
    picture.append(
      svg("text", { x: middle, y: top + 17, "text-anchor": "middle", style: "fill:#000" },
        `${name} ${percent(part)}`),
    );
  }
  return share;
}

function render({ model, el }) {
  const [names, machines] = [model.get("names"), model.get("machines")];
  const [lengths, models] = [model.get("lengths"), model.get("models")];
  const speed = model.get("speed");
  const now = { ...models[model.get("start")], n: lengths[model.get("start_length")] };

  const root = document.createElement("div");
  root.className = "demonstration cost";
  const css = document.createElement("style");
  css.textContent = STYLE;
  const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" });
  const words = document.createElement("p");
  words.setAttribute("aria-live", "polite");
  const knobs = document.createElement("div");
  knobs.className = "knobs";

  const buttons = [];
  function presets(title, entries) {
    const nav = document.createElement("nav");
    const label = document.createElement("span");
    label.textContent = title;
    nav.append(label);
    for (const [name, values] of entries) {
      const button = document.createElement("button");
      button.textContent = name;
      button.addEventListener("click", () => {
        Object.assign(now, values);
        update();
      });
      nav.append(button);
      buttons.push([button, values]);
    }
    return nav;
  }
  const lengthRow = presets("Text", Object.entries(lengths).map(([name, n]) => [name, { n }]));
  const modelRow = presets("Model", Object.entries(models));

  const power = (k) => 2 ** k;
  const settings = [
    ["n", "tokens, n", (k) => Math.round(2 ** (3 + k / 4)), 69],
    ["d_model", "d_model", (k) => power(6 + k), 9],
    ["heads", "heads, h", power, 8],
    ["layers", "layers", (k) => LAYERS[k], LAYERS.length],
    ["bytes", "bytes a number", (k) => SIZES[k], SIZES.length],
  ];
  const sliders = settings.map(([key, title, value, count]) => {
    const label = document.createElement("label");
    label.textContent = title;
    const slider = document.createElement("input");
    Object.assign(slider, { type: "range", min: 0, max: count - 1, step: 1 });
    slider.setAttribute("aria-label", title);
    slider.addEventListener("keydown", (event) => event.stopPropagation());
    slider.addEventListener("input", () => {
      now[key] = value(Number(slider.value));
      update();
    });
    const shown = document.createElement("output");
    knobs.append(label, slider, shown);
    const near = () => {
      const places = [...Array(count).keys()];
      const away = (k) => Math.abs(Math.log(value(k) / now[key]));
      return places.reduce((a, b) => (away(b) < away(a) ? b : a));
    };
    return () => {
      slider.value = near();
      shown.textContent = now[key].toLocaleString("en-US");
      slider.setAttribute("aria-valuetext", shown.textContent);
    };
  });
  root.append(css, lengthRow, modelRow, knobs, picture, words);

  function update() {
    now.heads = Math.min(now.heads, now.d_model);
    const result = costs(now.n, now.d_model, now.heads, now.layers, now.bytes);
    sliders.forEach((follow) => follow());
    for (const [button, values] of buttons) {
      const same = Object.entries(values).every(([key, value]) => now[key] === value);
      button.setAttribute("aria-pressed", same);
    }
    picture.replaceChildren();
    memory(picture, result, names, machines);
    const share = work(picture, result);
    const total = result.pairs + result.projections;
    const fits = (bytes) => {
      const large = Object.entries(machines).find(([, size]) => bytes <= size);
      return large ? `fits a ${large[0]}` : "fits none of the three machines";
    };
    const told =
      `${now.n.toLocaleString("en-US")} tokens: pairs take ${Math.round(100 * share)} % of ` +
      `${powerText(total)} operations in all layers, ` +
      `${durationText(total / speed)} at ${powerText(speed)} a second. ` +
      `The score tables of one layer, ${bytesText(result["score tables"])}: ` +
      `${fits(result["score tables"])}. The cache, ${bytesText(result.cache)}: ` +
      `${fits(result.cache)}.`;
    words.textContent = told;
    picture.setAttribute("aria-label", told);
  }

  update();
  el.append(root);
}

export default { render };
