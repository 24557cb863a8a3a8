// Lesson 03: two matrices to edit, and the row of one token that follows.

function project(x, W) {
  return W[0].map((_, c) => x.reduce((sum, number, f) => sum + number * W[f][c], 0));
}

function dot(a, b) {
  return a.reduce((sum, number, c) => sum + number * b[c], 0);
}

export function look(X, W_Q, W_K, i) {
  const root = Math.sqrt(W_Q[0].length);
  const Q = X.map((x) => project(x, W_Q));
  const K = X.map((x) => project(x, W_K));
  const scores = K.map((key) => dot(Q[i], key) / root);
  const back = Q.map((query) => dot(query, K[i]) / root);
  const largest = Math.max(...scores);
  const exponentials = scores.map((score) => Math.exp(score - largest));
  const sum = exponentials.reduce((a, b) => a + b, 0);
  return { query: Q[i], scores, back, weights: exponentials.map((e) => e / sum) };
}

export function shown(number, digits) {
  const text = number.toFixed(digits);
  return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "−");
}

const STYLE = `
.faces { font: 14px/1.45 var(--jp-ui-font-family, sans-serif); color: var(--jp-ui-font-color1, #222);
  max-width: 690px; }
.faces .bar { display: flex; flex-wrap: wrap; gap: 5px; align-items: center; margin-bottom: 10px; }
.faces .tables { display: flex; flex-wrap: wrap; gap: 10px 26px; }
.faces table { border-collapse: collapse; margin: 0; font-size: 13px; }
.faces caption { text-align: left; font-weight: 600; padding-bottom: 4px; white-space: nowrap; }
.faces th { font-weight: 400; padding: 1px 6px; text-align: right; white-space: nowrap; }
.faces thead th { text-align: center; }
.faces td { padding: 0; text-align: center; }
.faces .matrix td { border: 1px solid var(--jp-border-color2, #ccc); }
.faces .matrix tr.used th { font-weight: 700; }
.faces .matrix tr.used td { box-shadow: inset 0 2px #0072b2, inset 0 -2px #0072b2; }
.faces .matrix td.picked { outline: 2px solid #d55e00; outline-offset: -2px; }
.faces .matrix input { width: 46px; font: inherit; color: inherit; text-align: center; border: 0;
  background: transparent; padding: 3px 0; -moz-appearance: textfield; }
.faces .matrix input::-webkit-inner-spin-button { display: none; }
.faces .matrix input:disabled { opacity: 0.55; }
.faces .turn { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 10px;
  margin: 10px 0 8px 0; }
.faces .turn input { width: 220px; accent-color: #d55e00; }
.faces .row { width: 100%; }
.faces .row th:first-child { text-align: left; }
.faces .row td { padding: 1px 8px; height: 24px; text-align: right;
  font-variant-numeric: tabular-nums; white-space: nowrap; }
.faces .row td.share { width: 45%; text-align: left; }
.faces .share div { display: inline-block; height: 14px; background: #0072b2; min-width: 1px;
  vertical-align: -2px; border-radius: 2px; }
.faces .share span { padding-left: 6px; }
.faces .row tr.best th, .faces .row tr.best td { font-weight: 700; }
.faces .row tr.best .share div { background: #d55e00; }
.faces p { margin: 8px 0 0 0; }
`;

function render({ model, el }) {
  const [X, tokens, glosses] = ["X", "tokens", "glosses"].map((name) => model.get(name));
  const [features, channels] = ["features", "channels"].map((name) => model.get(name));
  const fresh = () => ({
    W_Q: model.get("W_Q").map((row) => [...row]),
    W_K: model.get("W_K").map((row) => [...row]),
  });
  const names = { W_Q: "asks for", W_K: "offers" };
  let matrices = fresh();
  let asking = model.get("asking");
  let shared = false;
  let picked = { name: "W_Q", f: features.length - 1, c: 0 };

  const root = document.createElement("div");
  root.className = "demonstration faces";
  make("style", root, STYLE);

  const who = make("div", root, "", "bar");
  make("span", who, "Who asks?");
  const buttons = tokens.map((token, i) => {
    const button = make("button", who, token);
    button.title = glosses[i];
    button.addEventListener("click", () => {
      asking = i;
      draw();
    });
    return button;
  });

  const tables = make("div", root, "", "tables");
  const inputs = {};
  const rows = {};
  for (const name of ["W_Q", "W_K"]) {
    const table = make("table", tables, "", "matrix");
    make("caption", table, `${name}: what a feature ${names[name]}`);
    const head = make("tr", make("thead", table));
    make("th", head);
    channels.forEach((channel) => make("th", head, channel));
    const body = make("tbody", table);
    rows[name] = [];
    inputs[name] = features.map((feature, f) => {
      const tr = make("tr", body);
      rows[name].push(tr);
      make("th", tr, feature);
      return channels.map((channel, c) => {
        const input = make("input", make("td", tr));
        input.type = "number";
        input.step = "0.5";
        input.setAttribute("aria-label", `${name}: ${feature} ${names[name]} ${channel}`);
        input.addEventListener("keydown", (event) => event.stopPropagation());
        input.addEventListener("focus", () => {
          picked = { name, f, c };
          draw(input);
        });
        input.addEventListener("input", () => {
          const number = Number(input.value);
          if (input.value === "" || !Number.isFinite(number)) return;
          matrices[name][f][c] = number;
          draw(input);
        });
        return input;
      });
    });
  }

  const turn = make("label", root, "", "turn");
  const turnName = make("span", turn);
  const slider = make("input", turn);
  slider.type = "range";
  slider.min = "-6";
  slider.max = "6";
  slider.step = "0.5";
  slider.addEventListener("keydown", (event) => event.stopPropagation());
  slider.addEventListener("input", () => {
    matrices[picked.name][picked.f][picked.c] = Number(slider.value);
    draw();
  });
  const turnValue = make("b", turn);

  const choices = make("div", root, "", "bar");
  const both = make("label", choices);
  const tick = make("input", both);
  tick.type = "checkbox";
  tick.addEventListener("keydown", (event) => event.stopPropagation());
  make("span", both, " one matrix for both: W_Q = W_K");
  tick.addEventListener("change", () => {
    shared = tick.checked;
    if (shared && picked.name === "W_Q") picked = { ...picked, name: "W_K" };
    draw();
  });
  const reset = make("button", choices, "Reset");
  reset.addEventListener("click", () => {
    matrices = fresh();
    shared = tick.checked = false;
    draw();
  });

  const result = make("table", root, "", "row");
  const head = make("tr", make("thead", result));
  const titles = ["", "", "", ""].map((title) => make("th", head, title));
  titles[3].style.textAlign = "left";
  const body = make("tbody", result);
  const lines = tokens.map((token, j) => {
    const tr = make("tr", body);
    make("th", tr, `${token} ${glosses[j]}`);
    const score = make("td", tr);
    const back = make("td", tr);
    const share = make("td", tr, "", "share");
    return { tr, score, back, bar: make("div", share), number: make("span", share) };
  });
  const words = make("p", root);
  words.setAttribute("aria-live", "polite");

  function draw(typing = null) {
    const W_Q = shared ? matrices.W_K : matrices.W_Q;
    const { query, scores, back, weights } = look(X, W_Q, matrices.W_K, asking);
    buttons.forEach((button, i) => button.setAttribute("aria-pressed", i === asking));
    for (const name of ["W_Q", "W_K"]) {
      const W = name === "W_Q" ? W_Q : matrices.W_K;
      inputs[name].forEach((line, f) => {
        rows[name][f].classList.toggle("used", name === "W_Q" && X[asking][f] !== 0);
        line.forEach((input, c) => {
          if (input !== typing) input.value = W[f][c];
          input.disabled = shared && name === "W_Q";
          const here = picked.name === name && picked.f === f && picked.c === c;
          input.parentElement.classList.toggle("picked", here);
        });
      });
    }
    const { name, f, c } = picked;
    turnName.textContent = `${name}: ${features[f]} ${names[name]} “${channels[c]}”`;
    slider.value = matrices[name][f][c];
    turnValue.textContent = shown(matrices[name][f][c], 1);
    const token = tokens[asking];
    titles[1].textContent = `score from ${token}`;
    titles[2].textContent = `score back to ${token}`;
    titles[3].textContent = `weight, out of 1, that ${token} gives`;
    const most = Math.max(...weights);
    lines.forEach((line, j) => {
      line.score.textContent = shown(scores[j], 1);
      line.back.textContent = shown(back[j], 1);
      line.bar.style.width = `${Math.round(weights[j] * 75)}%`;
      line.number.textContent = shown(weights[j], 2);
      line.tr.classList.toggle("best", most - weights[j] < 1e-9);
    });
    const asked = channels.map((channel, k) => `${channel} ${shown(query[k], 1)}`).join(", ");
    const best = tokens.filter((_, j) => most - weights[j] < 1e-9);
    const finds = best.length > 3 ? "no token above the others" : best.join(" and ");
    words.textContent = `The query of ${token}: ${asked}. It finds ${finds}.`;
  }

  draw();
  el.append(root);
}

export default { render };
