// Lesson 07: what attention costs in real models, for any length.
import { announce, button, make, say, set, slider, tick, together } from "../../course/kit.js";

const TILE = 256 * 1024;

export function costs(n, m) {
  const kept = m.latent ? 4.5 * m.value : m.kv * (m.key + m.value);
  return {
    weight_operations: 2e9 * m.active * n,
    pair_operations: 2 * m.layers * m.heads * (m.key + m.value) * (m.causal ? (n * (n + 1)) / 2 : n * n),
    tables: m.heads * n * n * m.bytes,
    blocks: (Math.min(n * n, TILE) + 2 * m.heads * n) * m.bytes,
    cache: m.layers * n * kept * m.bytes,
    weights: 1e9 * m.weights * m.bytes,
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

const ROWS = ["tables", "blocks", "cache", "weights"];
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
  const settings = [
    ["n", say("tokens, n"), (k) => Math.round(2 ** (3 + k / 4)), 69],
    ["kv", say("heads of K and V"), (k) => Math.max(1, Math.floor(now.heads / 2 ** (7 - k))), 8],
    ["bytes", say("bytes a number"), (k) => SIZES[k], SIZES.length],
  ].map(([key, title, value, count]) => {
    const knob = slider(knobs, title, { min: 0, max: count - 1 }, () => now[key].toLocaleString("en-US"),
      (k) => { now[key] = value(k); if (key === "kv") now.latent = false; update(); });
    const away = (k) => Math.abs(Math.log(value(k) / now[key]));
    return () => knob.show([...Array(count).keys()].reduce((a, b) => (away(b) <= away(a) ? b : a)));
  });
  for (const [key, title] of [["latent", say("one latent vector instead of K and V")], ["causal", say("causal: nobody looks ahead")]]) {
    const { input } = tick(knobs, title, (on) => { now[key] = on; update(); });
    settings.push(() => { input.checked = now[key]; });
  }

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

  function update() {
    const result = costs(now.n, now);
    settings.forEach((show) => show());
    for (const [node, values] of buttons)
      set(node, { "aria-pressed": Object.entries(values).every(([key, value]) => now[key] === value) });
    ROWS.forEach((what, k) => {
      bars[k].bar.style.width = `${across(result[what])}%`;
      bars[k].text.textContent = bytesText(result[what]);
    });
    const total = result.pair_operations + result.weight_operations;
    const share = Math.round((100 * result.pair_operations) / total);
    const labels = [say("weights {share} %", { share: 100 - share }), say("pairs {share} %", { share })];
    [100 - share, share].forEach((width, k) => {
      parts[k].style.width = `${width}%`;
      parts[k].textContent = width < 30 ? "" : labels[k];
    });
    told.textContent = together(
      say("{n} tokens: pairs take {share} % of {total} operations, {time} at {speed} a second.", {
        n: now.n.toLocaleString("en-US"), share, total: powerText(total), time: durationText(total / speed), speed: powerText(speed) }),
      say("The cache: {bytes}, {each} a token.", { bytes: bytesText(result.cache), each: bytesText(result.cache / now.n) }));
    announce(root, told.textContent);
  }

  update();
}
