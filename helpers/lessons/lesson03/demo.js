// Lesson 03: two matrices to edit, and the row of one token that follows.
import {
  announce, button, choices, dot, field, make, named, product, say, shown, slider, softmax, table, tick, word,
} from "../../course/kit.js";

export function look(X, W_Q, W_K, i) {
  const root = Math.sqrt(W_Q[0].length);
  const [Q, K] = [product(X, W_Q), product(X, W_K)];
  const scores = K.map((key) => dot(Q[i], key) / root);
  const back = Q.map((query) => dot(query, K[i]) / root);
  return { query: Q[i], scores, back, weights: softmax(scores) };
}

export function render(root, data) {
  root.classList.add("faces");
  const { X, tokens, glosses, features, channels } = data;
  const names = tokens.map((token, j) => named(token, glosses[j]));
  const copy = (W) => W.map((row) => [...row]);
  const fresh = () => ({ W_Q: copy(data.W_Q), W_K: copy(data.W_K) });
  const titles = { W_Q: say("W_Q: what a feature asks for"), W_K: say("W_K: what a feature offers") };
  let matrices = fresh();
  let { asking } = data;
  let shared = false;
  let picked = { name: "W_Q", f: features.length - 1, c: 0 };

  make("p", root, say("Who asks?"));
  const who = choices(root, say("Who asks?"), tokens.map(() => ""), (i) => { asking = i; draw(); });
  who.nodes.forEach((node, i) => word(node, tokens[i], glosses[i]));

  const both = make("div", root, "", "tables");
  const grids = {};
  for (const name in titles) {
    const grid = table(both, titles[name], channels, features);
    grid.fields = grid.lines.map(({ cells }, f) => cells.map((cell, c) => {
      const label = `${titles[name]}: ${features[f]}, ${channels[c]}`;
      const one = field(cell, label, (number) => { matrices[name][f][c] = number; draw(); });
      one.input.addEventListener("focus", () => { picked = { name, f, c }; draw(); });
      return one;
    }));
    grids[name] = grid;
  }
  const turn = slider(root, say("the marked number"), { min: -6, max: 6, step: 0.5 }, (value) => shown(value, 1),
    (value) => { matrices[picked.name][picked.f][picked.c] = value; draw(); });
  const bar = make("div", root, "", "bar");
  const one = tick(bar, say("one matrix for both: W_Q = W_K"), (on) => {
    shared = on;
    if (shared) picked = { ...picked, name: "W_K" };
    draw();
  });
  button(bar, say("Reset"), () => {
    matrices = fresh();
    shared = one.input.checked = false;
    draw();
  });
  const result = table(root, "", ["1", "2", "3"], tokens.map((token, j) => [token, glosses[j]]));
  result.node.classList.add("result");
  const shares = result.lines.map(({ cells }) => ({ bar: make("i", cells[2], "", "fill"), number: make("span", cells[2]) }));
  const told = make("p", root);

  function draw() {
    const W_Q = shared ? matrices.W_K : matrices.W_Q;
    const { query, scores, back, weights } = look(X, W_Q, matrices.W_K, asking);
    who.show(asking);
    for (const name in grids) {
      const W = name === "W_Q" ? W_Q : matrices.W_K;
      grids[name].lines.forEach(({ line, cells }, f) => {
        line.classList.toggle("used", name === "W_Q" && X[asking][f] !== 0);
        cells.forEach((cell, c) => {
          const { input, show } = grids[name].fields[f][c];
          show(W[f][c]);
          input.disabled = shared && name === "W_Q";
          cell.classList.toggle("picked", picked.name === name && picked.f === f && picked.c === c);
        });
      });
    }
    const { name, f, c } = picked;
    turn.box.firstChild.textContent = `${name}: ${features[f]}, ${channels[c]}`;
    turn.show(matrices[name][f][c]);
    const values = { token: names[asking] };
    [say("score from {token}", values), say("score back to {token}", values), say("weight that {token} gives", values)]
      .forEach((text, k) => { result.heads[k].textContent = text; });
    const most = Math.max(...weights);
    result.lines.forEach(({ line, cells }, j) => {
      cells[0].textContent = shown(scores[j], 1);
      cells[1].textContent = shown(back[j], 1);
      shares[j].bar.style.width = `${Math.round(weights[j] * 75)}%`;
      shares[j].number.textContent = shown(weights[j]);
      line.classList.toggle("best", most - weights[j] < 1e-9);
    });
    const best = names.filter((_, j) => most - weights[j] < 1e-9);
    values.asked = channels.map((channel, k) => `${channel} ${shown(query[k], 1)}`).join(", ");
    values.found = best.join(", ");
    told.textContent = best.length > 3
      ? say("The query of {token}: {asked}. It finds no token above the others.", values)
      : say("The query of {token}: {asked}. It finds {found}.", values);
    announce(root, told.textContent);
  }

  draw();
}
