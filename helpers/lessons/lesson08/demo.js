// Lesson 08: words that can be dragged into another order; the map and the new vectors follow.
import {
  announce, button, dot, largestAt, make, named, product, say, set, shown, slider, softmax, table, tick, together, word,
} from "../../course/kit.js";

export function positions(n, width) {
  return Array.from({ length: n }, (_, p) =>
    Array.from({ length: width }, (_, c) => {
      const angle = p / 10000 ** ((c - (c % 2)) / width);
      return c % 2 === 0 ? Math.sin(angle) : Math.cos(angle);
    }));
}

// Row r of the result belongs to the word order[r], standing at place r.
export function attend(X, matrices, order, causal, strength) {
  const marks = positions(order.length, X[0].length);
  const placed = order.map((token, r) => X[token].map((number, c) => number + strength * marks[r][c]));
  const [Q, K, V] = matrices.map((W) => product(placed, W));
  const root = Math.sqrt(K[0].length);
  const weights = Q.map((query, i) => softmax(K.map((key, j) => (causal && j > i ? -Infinity : dot(query, key) / root))));
  return { weights, output: product(weights, V) };
}

// How far each word's new vector is from the one it has in the order 0, 1, 2 …
export function moved(X, matrices, order, causal, strength) {
  const now = attend(X, matrices, order, causal, strength).output;
  const first = attend(X, matrices, [...order.keys()], causal, strength).output;
  return first.map((vector, token) => {
    const here = now[order.indexOf(token)];
    return Math.max(...vector.map((number, c) => Math.abs(number - here[c])));
  });
}

export function move(order, from, to) {
  const rest = order.filter((_, place) => place !== from);
  return [...rest.slice(0, to), order[from], ...rest.slice(to)];
}

const SEEN = 0.005; // what two decimals show

export function render(root, data) {
  root.classList.add("order");
  const { X, tokens, glosses, contents } = data;
  const names = tokens.map((token, j) => named(token, glosses[j]));
  const matrices = [data.W_Q, data.W_K, data.W_V];
  const n = tokens.length;
  const start = [...tokens.keys()];
  let order = [...start];
  let chosen = data.follow;
  let causal = false;
  let strength = 0;

  make("p", root, say("Drag a word, or give it the focus and press ← or →."));
  const words = make("ol", root, "", "words");
  const chips = tokens.map((token, i) => {
    const item = make("li", null);
    const chip = button(item, "", () => choose(i));
    word(chip, token, glosses[i]);
    chip.addEventListener("focus", () => choose(i));
    chip.addEventListener("keydown", (event) => {
      const to = { ArrowLeft: order.indexOf(i) - 1, ArrowRight: order.indexOf(i) + 1, Home: 0, End: n - 1 }[event.key];
      if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      carry(i, to);
    });
    chip.addEventListener("pointerdown", (event) => {
      chip.setPointerCapture(event.pointerId);
      chip.classList.add("held");
      chip.focus();
    });
    chip.addEventListener("pointermove", (event) => {
      if (chip.hasPointerCapture(event.pointerId)) carry(i, placeAt(event.clientX, event.clientY, order.indexOf(i)));
    });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"])
      chip.addEventListener(end, () => chip.classList.remove("held"));
    return { item, chip };
  });

  const bar = make("div", root, "", "bar");
  const arrangeAs = (name, another) => button(bar, name, () => { order = another(); draw(); });
  arrangeAs(say("Shuffle"), shuffle);
  arrangeAs(say("Backwards"), () => [...start].reverse());
  arrangeAs(say("As it was"), () => [...start]);
  tick(bar, say("causal mask"), (on) => { causal = on; draw(); });
  const knob = slider(bar, say("positions, times"), { min: 0, max: 1, step: 0.01 }, (value) => shown(value),
    (value) => { strength = value; draw(); });

  const both = make("div", root, "", "both");
  const map = table(both, say("weights: row looks, column is looked at"), start.map(() => ""), start.map(() => ""));
  map.node.classList.add("map");
  const vectors = table(both, say("new vectors"), [...contents, say("moved by")], start.map(() => ""));
  vectors.node.classList.add("vectors");
  const told = make("p", root);

  // The place of the word under the pointer, once the pointer is past its middle.
  function placeAt(x, y, from) {
    return order.findIndex((token, place) => {
      const box = chips[token].item.getBoundingClientRect();
      if (x < box.left || x > box.right || y < box.top || y > box.bottom) return false;
      const middle = (box.left + box.right) / 2;
      return place > from ? x > middle : x < middle;
    });
  }

  function shuffle() {
    const next = [...start];
    for (let place = n - 1; place > 0; place--) {
      const other = Math.floor(Math.random() * (place + 1));
      [next[place], next[other]] = [next[other], next[place]];
    }
    return next;
  }

  function choose(token) {
    if (token === chosen) return;
    chosen = token;
    draw();
  }

  function carry(token, to) {
    const from = order.indexOf(token);
    if (to === from || to < 0 || to >= n) return;
    order = move(order, from, to);
    draw();
  }

  // The word that is held stays in the page: taken out, it would lose pointer and focus.
  function arrange() {
    const held = chips.findIndex(({ chip }) => chip === document.activeElement);
    if (held === -1) return words.append(...order.map((token) => chips[token].item));
    const place = order.indexOf(held);
    order.slice(0, place).forEach((token) => words.insertBefore(chips[token].item, chips[held].item));
    words.append(...order.slice(place + 1).map((token) => chips[token].item));
  }

  function head(cell, token) {
    cell.replaceChildren();
    word(cell, tokens[token], glosses[token]);
    cell.classList.toggle("chosen", token === chosen);
  }

  function draw() {
    const { weights, output } = attend(X, matrices, order, causal, strength);
    const far = moved(X, matrices, order, causal, strength);
    arrange();
    chips.forEach(({ chip }, token) => {
      chip.classList.toggle("chosen", token === chosen);
      set(chip, { "aria-label": say("{token}, place {place} of {n}", { token: names[token], place: order.indexOf(token) + 1, n }) });
    });
    order.forEach((token, r) => {
      head(map.heads[r], token);
      for (const { lines } of [map, vectors]) {
        head(lines[r].head, token);
        lines[r].line.classList.toggle("chosen", token === chosen);
      }
      weights[r].forEach((weight, j) => {
        const cell = map.lines[r].cells[j];
        const hidden = causal && j > r;
        const values = { who: names[token], whom: names[order[j]], weight: shown(weight) };
        cell.classList.toggle("hidden", hidden);
        cell.style.setProperty("--w", weight);
        cell.title = hidden ? say("{who} may not look at {whom}", values) : say("{who} gives {whom} {weight}", values);
      });
      const { cells } = vectors.lines[r];
      [...output[r], far[token]].forEach((number, c) => { cells[c].textContent = shown(number); });
      cells[contents.length].classList.toggle("differs", far[token] >= SEEN);
    });
    knob.show(strength);
    const row = weights[order.indexOf(chosen)];
    const count = far.filter((distance) => distance >= SEEN).length;
    const values = { n, count, who: names[chosen], whom: names[order[largestAt(row)]], weight: shown(Math.max(...row)) };
    told.textContent = together(
      count ? say("New vectors that are not what they were before the words moved: {count} of {n}.", values)
        : say("All {n} new vectors are what they were before the words moved.", values),
      say("{who} looks most at {whom}: {weight}.", values));
    announce(root, told.textContent);
  }

  draw();
}
