// What all demonstrations are made of. A script imports from here and exports render(root, data);
// helpers/course/demonstration.py puts both into one module and calls demonstration() at its end.

// --- numbers ---------------------------------------------------------------------------------

// Shares of a row of scores; -Infinity hides a place, and a row of nothing else gets zeros.
export function softmax(scores) {
  const largest = Math.max(...scores);
  if (largest === -Infinity) return scores.map(() => 0);
  const powers = scores.map((score) => Math.exp(score - largest));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / sum);
}

// The matrix product of two lists of rows.
export function product(A, B) {
  return Array.from(A, (row) => {
    const out = new Array(B[0].length).fill(0);
    row.forEach((a, k) => {
      for (let c = 0; c < out.length; c++) out[c] += a * B[k][c];
    });
    return out;
  });
}

export const dot = (a, b) => a.reduce((sum, number, c) => sum + number * b[c], 0);

export const largestAt = (row) => row.reduce((best, number, j) => (number > row[best] ? j : best), 0);

// A number as it is read: a real minus sign, no "-0.00", powers of ten where it is very large.
export function shown(number, digits = 2) {
  if (!Number.isFinite(number)) return Number.isNaN(number) ? "NaN" : number > 0 ? "∞" : "−∞";
  const text = Math.abs(number) >= 1e5 ? number.toExponential(1) : number.toFixed(digits);
  return (Number(text) === 0 ? text.replace("-", "") : text).replaceAll("-", "−");
}

// A share of one as per cent; neither 0 nor 100 unless it is.
export function percent(share) {
  if (share > 0.9995 && share < 1) return "> 99.9 %";
  if (share < 0.0005 && share > 0) return "< 0.1 %";
  return `${(100 * share).toFixed(share < 0.1 || share > 0.99 ? 1 : 0).replace(".0", "")} %`;
}

// --- words -----------------------------------------------------------------------------------

let texts = {}; // English sentence -> the reader's language

// The sentence in the reader's language, with values in its {names}.
export function say(english, values = {}) {
  return (texts[english] ?? english).replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

// Whole sentences one after the other; a Chinese full stop needs no blank behind it.
export const together = (...sentences) => sentences.filter(Boolean).join(" ").replaceAll("。 ", "。");

const CHINESE = /[\u3000-\u9fff\uff00-\uffef]/;

// A token and, small beside or below it, what it means.
export function word(parent, token, gloss = "", className = "") {
  const node = make("span", parent, "", className);
  const written = make("span", node, token);
  if (CHINESE.test(token)) written.lang = "zh-Hans";
  if (gloss && gloss !== token) make("small", node, gloss);
  return node;
}

// The same in a sentence: 他 he.
export const named = (token, gloss = "") => (gloss !== token && /\p{L}/u.test(gloss) ? `${token} ${gloss}` : token);

// --- elements --------------------------------------------------------------------------------

export function set(node, attributes) {
  for (const name in attributes) node.setAttribute(name, attributes[name]);
  return node;
}

export function make(kind, parent, text = "", className = "") {
  const node = document.createElement(kind);
  if (text !== "") node.textContent = text;
  if (className) node.className = className;
  parent?.append(node);
  return node;
}

export function svg(kind, parent, attributes = {}, text = "") {
  const node = document.createElementNS("http://www.w3.org/2000/svg", kind);
  if (text !== "") node.textContent = text;
  parent?.append(node);
  return set(node, attributes);
}

export function button(parent, text, act, title = "") {
  const node = make("button", parent, text);
  node.type = "button";
  if (title) node.title = title;
  node.addEventListener("click", act);
  return node;
}

// One of several, as buttons in a row: arrows, Home and End move, act(k) is told.
export function choices(parent, label, names, act) {
  const group = set(make("div", parent, "", "choices"), { role: "radiogroup", "aria-label": label });
  const nodes = names.map((name, k) => set(button(group, name, () => act(k)), { role: "radio" }));
  const show = (chosen) => nodes.forEach((node, k) => {
    set(node, { "aria-checked": k === chosen });
    node.tabIndex = k === chosen ? 0 : -1;
  });
  arrows(nodes, act);
  return { group, nodes, show };
}

// Arrow keys, Home and End carry the focus along a row of elements and call act(k).
export function arrows(nodes, act) {
  nodes.forEach((node, k) => node.addEventListener("keydown", (event) => {
    const to = steps(event.key, k, nodes.length);
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    nodes[to].focus(); // before anything changes: it asks for the layout
    act(to);
  }));
}

function steps(key, k, count) {
  const to = { ArrowLeft: k - 1, ArrowUp: k - 1, ArrowRight: k + 1, ArrowDown: k + 1, Home: 0 }[key];
  const last = count - 1;
  return key === "End" ? last : to === undefined ? to : Math.max(0, Math.min(last, to));
}

// A slider with its name and its value beside it; read(value) says the value in words.
export function slider(parent, label, { min, max, step = 1 }, read, act) {
  const box = make("label", parent, "", "slider");
  make("span", box, label);
  const input = make("input", box);
  Object.assign(input, { type: "range", min, max, step });
  const output = make("output", box);
  input.addEventListener("input", () => act(Number(input.value)));
  const show = (value) => {
    input.value = value;
    output.textContent = read(value);
    set(input, { "aria-valuetext": output.textContent });
  };
  return { box, input, show };
}

// A menu of entries [value, text, group].
export function menu(parent, label, entries, act) {
  const box = make("label", parent, "", "menu");
  make("span", box, label);
  const list = make("select", box);
  const groups = {};
  for (const [value, text, group] of entries) {
    if (group) groups[group] ??= set(make("optgroup", list), { label: group });
    make("option", group ? groups[group] : list, text).value = value;
  }
  list.addEventListener("change", () => act(list.value));
  return { box, list, show: (value) => { list.value = value; } };
}

export function tick(parent, label, act) {
  const box = make("label", parent, "", "tick");
  const input = make("input", box);
  input.type = "checkbox";
  make("span", box, label);
  input.addEventListener("change", () => act(input.checked));
  return { box, input };
}

// A table; the heads of its columns and rows are texts or [token, gloss].
export function table(parent, caption, columns, rows) {
  const node = make("table", make("div", parent, "", "scroll"));
  const title = make("caption", node, caption);
  const top = make("tr", make("thead", node));
  const head = (line, name) => {
    const cell = make("th", line);
    word(cell, ...[name].flat());
    return cell;
  };
  make("td", top);
  const heads = columns.map((name) => head(top, name));
  const body = make("tbody", node);
  const lines = rows.map((name) => {
    const line = make("tr", body);
    return { line, head: head(line, name), cells: columns.map(() => make("td", line)) };
  });
  return { node, title, heads, lines };
}

// Numbers from 0 to 1 as bars, one below the other; a head is a text or [token, gloss].
export function bars(parent, heads, className = "") {
  const list = make("div", parent, "", `shares ${className}`);
  const lines = heads.map((head) => {
    word(list, ...[head].flat());
    return { bar: make("i", list, "", "fill"), number: make("output", list) };
  });
  const show = (shares, best = -1, numbers = shares) => lines.forEach(({ bar, number }, k) => {
    bar.style.width = `${100 * Math.max(0, shares[k])}%`;
    bar.classList.toggle("best", k === best);
    number.textContent = shown(numbers[k]);
  });
  return { list, show };
}

// A number to type in. Nothing but numbers up to LIMIT in size is taken; else a sentence says so.
const LIMIT = 1000;

export function field(parent, label, act) {
  const input = set(make("input", parent), { type: "number", step: 0.5, "aria-label": label });
  const root = parent.closest(".kit");
  let last = 0; // what was taken
  const judge = (taken) => {
    set(input, { "aria-invalid": !taken });
    note(root, taken ? "" : say("Not taken: write a number from −{limit} to {limit}.", { limit: LIMIT }));
  };
  input.addEventListener("input", () => {
    const number = input.valueAsNumber;
    judge(Math.abs(number) <= LIMIT);
    if (Math.abs(number) <= LIMIT) act((last = number));
  });
  const show = (value) => {
    last = value;
    if (!input.matches(":focus") || input.valueAsNumber !== value) input.value = value;
  };
  input.addEventListener("blur", () => {
    if (input.getAttribute("aria-invalid") !== "true") return;
    judge(true);
    input.value = last;
  });
  return { input, show };
}

// A sentence at the bottom of the demonstration, seen and spoken; "" takes it away.
export function note(root, text) {
  root.note ??= set(make("p", root, "", "note"), { role: "status" });
  if (root.note.textContent !== text) root.note.textContent = text;
}

// --- life ------------------------------------------------------------------------------------

// Tell a screen reader, once the changes have paused.
export function announce(root, text) {
  clearTimeout(root.later);
  root.later = setTimeout(() => {
    if (root.live.textContent !== text) root.live.textContent = text;
  }, 450);
}

// Call redraw(width) whenever the width or the theme has changed.
export function follow(root, redraw) {
  root.followers.push(redraw);
  if (root.clientWidth) redraw(root.clientWidth);
}

// Ctrl, Meta and Alt with a key, Escape and Tab belong to the notebook.
const isPlain = (event) => !event.ctrlKey && !event.metaKey && !event.altKey && !["Escape", "Tab"].includes(event.key);

// No plain key may reach the notebook: d d would delete the cell that shows this. JupyterLab and
// VS Code listen behind us; Notebook 7 listens before us, and heeds an attribute of the target.
function keepKeys(root) {
  for (const kind of ["keydown", "keypress", "keyup"])
    root.addEventListener(kind, (event) => isPlain(event) && event.stopPropagation());
}

function keepKeysFirst(event) {
  if (event.target.closest?.(".kit")) event.target.toggleAttribute("data-lm-suppress-shortcuts", isPlain(event));
}

// Dark is what the text's colour says: every front end names its themes in its own way.
function isDark(root) {
  const [red, green, blue] = getComputedStyle(root).color.match(/[\d.]+/g).map(Number);
  return 0.3 * red + 0.6 * green + 0.1 * blue > 128;
}

function watch(root) {
  let seen = "";
  const look = () => {
    if (!root.isConnected) return theme.disconnect();
    for (const node of [document.documentElement, document.body])
      theme.observe(node, { attributes: true });
    root.toggleAttribute("data-dark", isDark(root));
    const now = `${root.clientWidth} ${getComputedStyle(root).color}`;
    if (now === seen || !root.clientWidth) return;
    seen = now;
    root.blue = getComputedStyle(root).getPropertyValue("--weight");
    root.followers.forEach((redraw) => redraw(root.clientWidth));
  };
  const theme = new MutationObserver(look);
  new ResizeObserver(look).observe(root); // also when the cell comes back into the page
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", look);
  root.toggleAttribute("data-dark", isDark(root));
  root.blue = getComputedStyle(root).getPropertyValue("--weight"); // for what is painted on a canvas
}

// Put the living thing in the place of the still picture, in every output of this name that has
// not started. A module has no currentScript, and the same output may be shown twice.
export function demonstration(output, render, translated) {
  texts = translated;
  window.addEventListener("keydown", keepKeysFirst, true);
  const waiting = `[data-demonstration="${output}"]:not([data-live])`;
  for (const host of document.querySelectorAll(waiting)) {
    host.dataset.live = "";
    const data = JSON.parse(host.querySelector("script[type='application/json']").textContent);
    const root = make("div", host, "", `kit only${output}`);
    Object.assign(root, { followers: [], live: make("p", root, "", "spoken") });
    set(root.live, { "aria-live": "polite" });
    keepKeys(root);
    watch(root);
    try {
      render(root, data);
      host.querySelectorAll(".still").forEach((still) => still.remove());
    } catch (error) {
      root.remove(); // the still picture stays
      console.error(error);
    }
  }
}
