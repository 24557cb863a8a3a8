// Lesson 04: score, normalise, sum on a small table that the learner can edit.
import { announce, arrows, button, choices, field, make, named, product, say, shown, table } from "../../course/kit.js";

export function stages(scores, values) {
  const largest = scores.map((row) => Math.max(...row));
  const shifted = scores.map((row, i) => row.map((score) => score - largest[i]));
  const exponentials = shifted.map((row) => row.map(Math.exp));
  const sums = exponentials.map((row) => row.reduce((a, b) => a + b, 0));
  const weights = exponentials.map((row, i) => row.map((e) => e / sums[i]));
  return { scores, largest, shifted, exponentials, sums, weights, output: product(weights, values) };
}

// What a step does to a row, in a sentence and in numbers.
export function explain(step, row, names, result) {
  const values = { token: names[row], largest: shown(result.largest[row]), sum: shown(result.sums[row]) };
  const { scores, shifted, exponentials, weights } = result;
  const each = (numbers, write) => numbers[row].map((number, j) => write(shown(number), names[j])).join("   ");
  return [
    () => [say("Row {token}: how well does each key fit the question of {token}? Edit any number.", values),
      each(scores, (s) => s)],
    () => [say("The largest score of this row is {largest}. Taking it away changes no share, and keeps every exponential at most 1.", values),
      each(scores, (s) => `${s} − ${values.largest}`)],
    () => [say("Every number becomes positive. A difference of 1 becomes a factor of 2.72.", values), each(shifted, (s) => `exp(${s})`)],
    () => [say("The exponentials of this row add up to {sum}. After the division they add up to 1: they are the weights.", values),
      each(exponentials, (e) => `${e} / ${values.sum}`)],
    () => [say("The new vector of {token} is a mix of the values, by the weights of its row.", values),
      each(weights, (w, name) => `${w} · ${name}`).replaceAll("   ", " + ")],
  ][step]();
}

const TABLES = ["scores", "shifted", "exponentials", "weights", "weights"];

export function render(root, data) {
  root.classList.add("steps");
  const heads = data.tokens.map((token, j) => [token, data.glosses[j]]);
  const names = heads.map((pair) => named(...pair));
  const copy = () => data.scores.map((row) => [...row]);
  const titles = [say("scores: query ↓ key →"), say("minus the row's largest"), say("exponentials"), say("weights"), say("weights")];
  let scores = copy();
  let step = 0;
  let chosen = names.length - 1;
  let grids = []; // the tables whose rows can be chosen

  const bar = make("div", root, "", "bar");
  const steps = choices(bar, say("step"), [say("1 Score"), say("2 Minus the row's largest"), say("3 Exponential"),
    say("4 Divide by the row's sum"), say("5 Mix the values")], (k) => { step = k; draw(); });
  button(bar, say("Reset the scores"), () => { scores = copy(); draw(); });
  const tables = make("div", root, "", "tables");
  const words = make("p", root);
  const sum = make("p", root, "", "sum");

  // The heads of the rows are buttons that choose a row.
  function rows(grid) {
    const nodes = grid.lines.map(({ head }, i) => {
      const node = button(null, "", () => choose(i), say("show the arithmetic of this row"));
      node.append(...head.childNodes);
      head.append(node);
      return node;
    });
    arrows(nodes, choose);
    grids.push(grid);
  }

  function choose(row) {
    chosen = row;
    for (const { lines } of grids) lines.forEach(({ line }, i) => line.classList.toggle("chosen", i === row));
    [words.textContent, sum.textContent] = explain(step, row, names, stages(scores, data.values));
    announce(root, `${words.textContent} ${sum.textContent}`);
  }

  function fill(grid, numbers, tinted) {
    grid.lines.forEach(({ cells }, i) => cells.forEach((cell, c) => {
      cell.textContent = shown(numbers[i][c]);
      if (tinted) cell.style.setProperty("--w", Math.min(1, Math.max(0, numbers[i][c])));
    }));
  }

  function draw() {
    const result = stages(scores, data.values);
    tables.replaceChildren();
    grids = [];
    const main = table(tables, titles[step], heads, heads);
    rows(main);
    if (step > 0) fill(main, result[TABLES[step]], step > 1);
    else main.lines.forEach(({ cells }, i) => cells.forEach((cell, j) => {
      const one = field(cell, say("score of {who} for {whom}", { who: names[i], whom: names[j] }), (number) => {
        scores[i][j] = number;
        choose(i);
      });
      one.show(scores[i][j]);
      one.input.addEventListener("focus", () => choose(i));
    }));
    if (step === 4) {
      fill(table(tables, say("V: what each token hands over"), data.contents, heads), data.values);
      const output = table(tables, say("output = weights · V"), data.contents, heads);
      rows(output);
      fill(output, result.output);
    }
    steps.show(step);
    choose(chosen);
  }

  draw();
}
