// Lesson 07: what attention costs, for any length and any size of model.
import { announce, button, make, say, set, slider, together } from "../../course/kit.js";

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
  return digits === "1.0" ? `10${raised}` : `${digits} · 10${raised}`;
}

export function durationText(seconds) {
  const [, unit, name] = [
    [1e-3, 1e-6, "µs"], [1, 1e-3, "ms"], [120, 1, "s"],
    [7200, 60, say("minutes")], [172800, 3600, say("hours")], [Infinity, 86400, say("days")],
  ].find(([end]) => seconds < end);
  const value = seconds / unit;
  return `${value < 100 ? Number(value.toPrecision(2)) : Math.round(value)} ${name}`;
}

const ROWS = ["score tables", "blocks", "cache", "matrices"];
const LAYERS = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 80, 96, 128];
const SIZES = [1, 2, 4];
const [LOW, HIGH] = [10, 52]; // 1 KiB to 4 PiB, as powers of 2

// Where an amount stands on the axis, in per cent.
export const across = (bytes) => (100 * (Math.min(HIGH, Math.max(LOW, Math.log2(bytes))) - LOW)) / (HIGH - LOW);

export function render(root, data) {
  root.classList.add("cost");
  const { names, machines, lengths, models, speed } = data;
  const now = { ...models[data.start], n: lengths[data.start_length] };

  const buttons = [];
  function presets(title, entries) {
    const bar = set(make("div", root, "", "bar"), { role: "group", "aria-label": title });
    make("span", bar, title, "title");
    for (const [name, values] of entries)
      buttons.push([button(bar, name, () => { Object.assign(now, values); update(); }), values]);
  }
  presets(say("Text"), Object.entries(lengths).map(([name, n]) => [name, { n }]));
  presets(say("Model"), Object.entries(models));

  const knobs = make("div", root, "", "knobs");
  const power = (k) => 2 ** k;
  const settings = [
    ["n", say("tokens, n"), (k) => Math.round(2 ** (3 + k / 4)), 69],
    ["d_model", "d_model", (k) => power(6 + k), 9],
    ["heads", say("heads, h"), power, 8],
    ["layers", say("layers"), (k) => LAYERS[k], LAYERS.length],
    ["bytes", say("bytes a number"), (k) => SIZES[k], SIZES.length],
  ].map(([key, title, value, count]) => {
    const knob = slider(knobs, title, { min: 0, max: count - 1 }, () => now[key].toLocaleString("en-US"),
      (k) => { now[key] = value(k); update(); });
    const away = (k) => Math.abs(Math.log(value(k) / now[key]));
    return () => knob.show([...Array(count).keys()].reduce((a, b) => (away(b) < away(a) ? b : a)));
  });

  const chart = make("div", root, "", "chart");
  const axis = make("div", chart, "", "axis");
  Object.entries(machines).forEach(([name, bytes], k) => {
    const mark = make("span", axis, name, `machine at${k}`);
    mark.style.left = `${across(bytes)}%`;
  });
  const bars = ROWS.map((what, k) => {
    make("span", chart, names[what]);
    const track = make("div", chart, "", "track");
    for (const bytes of Object.values(machines)) make("u", track).style.left = `${across(bytes)}%`;
    return { bar: make("i", track, "", `fill c${k}`), text: make("output", chart) };
  });
  make("span", chart, say("matrix products"));
  const split = make("div", chart, "", "track split");
  const parts = [make("i", split, "", "fill c4"), make("i", split, "", "fill c5")];
  const told = make("p", root);

  function fits(bytes) {
    return [say("That fits a laptop."), say("That fits a GPU, not a laptop."), say("That takes a server."),
      say("That fits none of the three machines.")][Object.values(machines).filter((size) => bytes > size).length];
  }

  function update() {
    now.heads = Math.min(now.heads, now.d_model);
    const result = costs(now.n, now.d_model, now.heads, now.layers, now.bytes);
    settings.forEach((show) => show());
    for (const [node, values] of buttons)
      set(node, { "aria-pressed": Object.entries(values).every(([key, value]) => now[key] === value) });
    ROWS.forEach((what, k) => {
      bars[k].bar.style.width = `${across(result[what])}%`;
      bars[k].text.textContent = bytesText(result[what]);
    });
    const total = result.pairs + result.projections;
    const share = Math.round((100 * result.pairs) / total);
    const labels = [say("projections {share} %", { share: 100 - share }), say("pairs {share} %", { share })];
    [100 - share, share].forEach((width, k) => {
      parts[k].style.width = `${width}%`;
      parts[k].textContent = width < 30 ? "" : labels[k];
    });
    told.textContent = together(
      say("{n} tokens: pairs take {share} % of {total} operations in all layers, {time} at {speed} a second.", {
        n: now.n.toLocaleString("en-US"), share, total: powerText(total), time: durationText(total / speed), speed: powerText(speed) }),
      say("The score tables of one layer: {bytes}.", { bytes: bytesText(result["score tables"]) }), fits(result["score tables"]),
      say("The cache: {bytes}.", { bytes: bytesText(result.cache) }), fits(result.cache));
    announce(root, told.textContent);
  }

  update();
}
