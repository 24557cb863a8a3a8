// Lesson 08: words that can be dragged into another order; the map and the new vectors follow.

export function positions(n, width) {
  return Array.from({ length: n }, (_, p) =>
    Array.from({ length: width }, (_, c) => {
      const angle = p / 10000 ** ((c - (c % 2)) / width);
      return c % 2 === 0 ? Math.sin(angle) : Math.cos(angle);
    }),
  );
}

function product(A, B) {
  return A.map((row) => B[0].map((_, c) => row.reduce((sum, number, k) => sum + number * B[k][c], 0)));
}

// Row r of the result belongs to the word order[r], standing at place r.
export function attend(X, matrices, order, causal, strength) {
  const marks = positions(order.length, X[0].length);
  const placed = order.map((word, r) => X[word].map((number, c) => number + strength * marks[r][c]));
  const [Q, K, V] = matrices.map((W) => product(placed, W));
  const root = Math.sqrt(K[0].length);
  const weights = Q.map((query, i) => {
    const scores = K.map((key, j) =>
      causal && j > i ? -Infinity : query.reduce((sum, number, c) => sum + number * key[c], 0) / root,
    );
    const largest = Math.max(...scores);
    const exponentials = scores.map((score) => Math.exp(score - largest));
    const sum = exponentials.reduce((a, b) => a + b, 0);
    return exponentials.map((e) => e / sum);
  });
  return { weights, output: product(weights, V) };
}

// How far each word's new vector is from the one it has in the order 0, 1, 2 …
export function moved(X, matrices, order, causal, strength) {
  const now = attend(X, matrices, order, causal, strength).output;
  const first = attend(X, matrices, [...order.keys()], causal, strength).output;
  return first.map((vector, word) => {
    const here = now[order.indexOf(word)];
    return Math.max(...vector.map((number, c) => Math.abs(number - here[c])));
  });
}

export function move(order, from, to) {
  const rest = order.filter((_, place) => place !== from);
  return [...rest.slice(0, to), order[from], ...rest.slice(to)];
}

export function shown(number) {
  const text = number.toFixed(2);
  return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "−");
}

const STYLE = `
.order { font: 14px/1.45 var(--jp-ui-font-family, sans-serif); color: var(--jp-ui-font-color1, #222);
  max-width: 730px; box-sizing: border-box; }
.order .bar { display: flex; flex-wrap: wrap; gap: 6px 14px; align-items: center; margin: 10px 0; }
.order .words { display: flex; flex-wrap: wrap; gap: 6px; margin: 0; padding: 0; list-style: none; }
.order .words button { cursor: grab; touch-action: none; padding: 4px 9px; user-select: none;
  -webkit-user-select: none; text-align: center; }
.order .words button.chosen { border-color: #d55e00; box-shadow: inset 0 0 0 1px #d55e00; }
.order .words button.held { cursor: grabbing; opacity: 0.6; }
.order .words small { display: block; font-size: 11px; color: var(--jp-ui-font-color2, #666); }
.order .both { display: flex; flex-wrap: wrap; gap: 14px 28px; align-items: flex-start; }
.order table { border-collapse: collapse; margin: 0; font-size: 13px; }
.order caption { text-align: left; font-weight: 600; padding-bottom: 4px; white-space: nowrap; }
.order th { font-weight: 400; padding: 0 6px 0 0; text-align: right; white-space: nowrap; }
.order .map th.top { writing-mode: vertical-rl; text-align: right; padding: 0 0 4px 0; width: 28px; }
.order thead th { height: 60px; vertical-align: bottom; box-sizing: border-box; }
.order .map td { width: 28px; height: 25px; padding: 0; box-sizing: border-box;
  border: 1px solid var(--jp-border-color2, #ddd); }
.order .chosen th:first-child, .order th.chosen { color: #d55e00; font-weight: 700; }
.order .map tr.chosen td { border-top: 2px solid #d55e00; border-bottom: 2px solid #d55e00; }
.order .vectors th, .order .vectors td { padding: 0 8px 0 0; text-align: right;
  font-variant-numeric: tabular-nums; white-space: nowrap; border: 0; }
.order tbody th, .order .vectors td { height: 25px; box-sizing: border-box; line-height: 1.2; }
.order .vectors tr.chosen td { font-weight: 700; }
.order .vectors thead th { padding-bottom: 4px; }
.order .vectors td.differs { color: #d55e00; font-weight: 700; }
.order input[type="range"] { width: 130px; vertical-align: middle; }
.order p { margin: 10px 0 0 0; min-height: 1.5em; }
`;

function render({ model, el }) {
  const [X, tokens, glosses, contents] = ["X", "tokens", "glosses", "contents"].map((name) => model.get(name));
  const matrices = ["W_Q", "W_K", "W_V"].map((name) => model.get(name));
  const n = tokens.length;
  const start = [...tokens.keys()];
  let order = [...start];
  let chosen = model.get("follow");
  let causal = false;
  let strength = 0;

  const root = make("div", el, "", "demonstration order");
  make("style", root, STYLE);
  make("div", root, "Drag a word, or give it the focus and press ← or →.");
  const words = make("ol", make("div", root, "", "bar"), "", "words");
  const chips = tokens.map((token, word) => {
    const item = document.createElement("li");
    const chip = make("button", item, token);
    make("small", chip, glosses[word]);
    chip.addEventListener("focus", () => choose(word));
    chip.addEventListener("click", () => choose(word));
    chip.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      carry(word, order.indexOf(word) + step);
    });
    chip.addEventListener("pointerdown", (event) => {
      chip.setPointerCapture(event.pointerId);
      chip.classList.add("held");
      chip.focus();
      choose(word);
    });
    chip.addEventListener("pointermove", (event) => {
      if (!chip.hasPointerCapture(event.pointerId)) return;
      carry(word, placeAt(event.clientX, event.clientY, order.indexOf(word)));
    });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"])
      chip.addEventListener(end, () => chip.classList.remove("held"));
    return { item, chip };
  });

  const bar = make("div", root, "", "bar");
  const orders = [
    ["Shuffle", shuffle],
    ["Backwards", () => [...start].reverse()],
    ["As it was", () => [...start]],
  ];
  for (const [name, another] of orders)
    make("button", bar, name).addEventListener("click", () => {
      order = another();
      draw();
    });
  const maskLabel = make("label", bar);
  const mask = make("input", maskLabel);
  mask.type = "checkbox";
  mask.addEventListener("keydown", (event) => event.stopPropagation());
  mask.addEventListener("change", () => {
    causal = mask.checked;
    draw();
  });
  maskLabel.append(" causal mask");
  const strengthLabel = make("label", bar);
  const strengthText = make("span", strengthLabel);
  const slider = make("input", strengthLabel);
  Object.assign(slider, { type: "range", min: 0, max: 1, step: 0.01, value: 0 });
  slider.setAttribute("aria-label", "strength of the positions");
  slider.addEventListener("keydown", (event) => event.stopPropagation());
  slider.addEventListener("input", () => {
    strength = Number(slider.value);
    draw();
  });

  const both = make("div", root, "", "both");
  const map = table(both, "weights: row looks, column is looked at", "map", n, "top");
  const vectors = table(both, "new vectors", "vectors", contents.length + 1, "");
  [...contents, "moved by"].forEach((name, c) => (vectors.head[c].textContent = name));
  const verdict = make("p", root);
  verdict.setAttribute("aria-live", "polite");

  function table(parent, name, className, columns, headClass) {
    const node = make("table", parent, "", className);
    make("caption", node, name);
    const top = make("tr", make("thead", node));
    make("th", top);
    const head = Array.from({ length: columns }, () => make("th", top, "", headClass));
    const body = make("tbody", node);
    const rows = start.map(() => {
      const line = make("tr", body);
      return { line, name: make("th", line), cells: head.map(() => make("td", line)) };
    });
    return { head, rows };
  }

  // The place of the word under the pointer, once the pointer is past its middle.
  function placeAt(x, y, from) {
    return order.findIndex((word, place) => {
      const box = chips[word].item.getBoundingClientRect();
      if (x < box.left || x > box.right || y < box.top || y > box.bottom) return false;
      const middle = (box.left + box.right) / 2;
      return place > from ? x > middle : x < middle;
    });
  }

  function shuffle() {
    let next = [...start];
    for (let place = n - 1; place > 0; place--) {
      const other = Math.floor(Math.random() * (place + 1));
      [next[place], next[other]] = [next[other], next[place]];
    }
    return next;
  }

  function choose(word) {
    chosen = word;
    draw();
  }

  function carry(word, to) {
    const from = order.indexOf(word);
    if (to === from || to < 0 || to >= n) return;
    order = move(order, from, to);
    draw();
  }

  // The word that is held stays in the page: taken out, it would lose pointer and focus.
  function arrange() {
    const held = chips.findIndex(({ chip }) => chip === chip.getRootNode().activeElement);
    if (held === -1) return words.append(...order.map((word) => chips[word].item));
    const place = order.indexOf(held);
    order.slice(0, place).forEach((word) => words.insertBefore(chips[word].item, chips[held].item));
    words.append(...order.slice(place + 1).map((word) => chips[word].item));
  }

  function draw() {
    const { weights, output } = attend(X, matrices, order, causal, strength);
    const far = moved(X, matrices, order, causal, strength);
    arrange();
    chips.forEach(({ chip }, word) => {
      chip.classList.toggle("chosen", word === chosen);
      chip.setAttribute(
        "aria-label",
        `${tokens[word]} ${glosses[word]}, place ${order.indexOf(word) + 1} of ${n}`,
      );
    });
    order.forEach((word, r) => {
      map.head[r].textContent = tokens[word];
      map.head[r].classList.toggle("chosen", word === chosen);
      for (const { rows } of [map, vectors]) {
        rows[r].name.textContent = tokens[word];
        rows[r].line.classList.toggle("chosen", word === chosen);
      }
      weights[r].forEach((weight, j) => {
        const cell = map.rows[r].cells[j];
        const hidden = causal && j > r;
        cell.style.background = hidden
          ? "repeating-linear-gradient(45deg, transparent 0 3px, rgba(128, 128, 128, 0.45) 3px 4px)"
          : `rgba(0, 114, 178, ${weight})`;
        cell.title = hidden
          ? `${tokens[word]} may not look at ${tokens[order[j]]}`
          : `${tokens[word]} gives ${tokens[order[j]]} ${shown(weight)}`;
      });
      [...output[r], far[word]].forEach((number, c) => {
        vectors.rows[r].cells[c].textContent = shown(number);
      });
      vectors.rows[r].cells[contents.length].classList.toggle("differs", far[word] >= 0.005);
    });
    strengthText.textContent = `positions × ${shown(strength)} `;
    const row = weights[order.indexOf(chosen)];
    const most = Math.max(...row);
    const finds = tokens[order[row.indexOf(most)]];
    const count = far.filter((distance) => distance >= 0.005).length;
    const changed =
      count === 0
        ? `All ${n} new vectors are what they were before the words moved.`
        : `${count} of ${n} new vectors are not what they were before the words moved.`;
    verdict.textContent = `${changed} ${tokens[chosen]} looks most at ${finds} (${shown(most)}).`;
  }

  draw();
}

export default { render };
