// Lesson 04: score, normalise, sum on a small table that the learner can edit.

export function stages(scores, values) {
  const largest = scores.map((row) => Math.max(...row));
  const shifted = scores.map((row, i) => row.map((score) => score - largest[i]));
  const exponentials = shifted.map((row) => row.map(Math.exp));
  const sums = exponentials.map((row) => row.reduce((a, b) => a + b, 0));
  const weights = exponentials.map((row, i) => row.map((e) => e / sums[i]));
  const output = weights.map((row) =>
    values[0].map((_, c) => row.reduce((total, weight, j) => total + weight * values[j][c], 0)),
  );
  return { scores, largest, shifted, exponentials, sums, weights, output };
}

const STEPS = [
  { name: "1 Score", table: "scores" },
  { name: "2 Minus the row's largest", table: "shifted" },
  { name: "3 Exponential", table: "exponentials" },
  { name: "4 Divide by the row's sum", table: "weights" },
  { name: "5 Mix the values", table: "output" },
];

const STYLE = `
.steps { font: 14px/1.5 var(--jp-ui-font-family, sans-serif); color: var(--jp-ui-font-color1, #222);
  max-width: 690px; }
.steps nav { display: flex; flex-wrap: wrap; gap: 6px; margin-bottom: 12px; }
.steps .tables { display: flex; flex-wrap: wrap; align-items: flex-start; gap: 22px; }
.steps table { border-collapse: collapse; margin: 0; }
.steps caption { text-align: left; font-weight: 600; padding-bottom: 4px; white-space: nowrap; }
.steps th { font-weight: 400; padding: 2px 8px; text-align: right; white-space: nowrap; }
.steps td { border: 1px solid var(--jp-border-color2, #ccc); padding: 0; text-align: center;
  min-width: 62px; height: 32px; }
.steps tr.chosen td { box-shadow: inset 0 2px #d55e00, inset 0 -2px #d55e00; }
.steps tr.chosen th { font-weight: 700; }
.steps th.row { cursor: pointer; text-decoration: underline dotted; }
.steps input { width: 58px; font: inherit; color: inherit; text-align: center; border: 0;
  background: transparent; padding: 4px 0; }
.steps p { margin: 12px 0 0 0; min-height: 4.5em; }
.steps .sum { font-family: var(--jp-code-font-family, monospace); font-size: 13px; }
`;

export function shown(number, digits = 2) {
  if (Number.isNaN(number)) return "NaN";
  const text = Math.abs(number) >= 1e5 ? number.toExponential(1) : number.toFixed(digits);
  return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "−");
}

export function explain(step, row, tokens, result) {
  const token = tokens[row];
  const sides = result.weights[row].map((weight, j) => `${shown(weight)} · ${tokens[j]}`);
  return [
    [
      `Row ${token}: how well does each key fit the question of ${token}? Edit any number.`,
      result.scores[row].map((s) => shown(s)).join("   "),
    ],
    [
      `The largest score of this row is ${shown(result.largest[row])}. Taking it away changes no ` +
        "share, and keeps every exponential at most 1.",
      result.scores[row].map((s) => `${shown(s)} − ${shown(result.largest[row])}`).join("   "),
    ],
    [
      "Every number becomes positive. A difference of 1 becomes a factor of 2.72.",
      result.shifted[row].map((s) => `exp(${shown(s)})`).join("   "),
    ],
    [
      `The exponentials of this row add up to ${shown(result.sums[row])}. After the division ` +
        "they add up to 1: they are the weights.",
      result.exponentials[row].map((e) => `${shown(e)} / ${shown(result.sums[row])}`).join("   "),
    ],
    [`The new vector of ${token} is a mix of the values, by the weights of its row.`, sides.join(" + ")],
  ][step];
}

function paint(cell, value) {
  const strength = Math.min(1, Math.max(0, value));
  cell.style.background = strength > 0.01 ? `rgba(0, 114, 178, ${0.75 * strength})` : "transparent";
  cell.style.color = strength > 0.55 ? "#fff" : "inherit";
}

function makeTable(name, rows, columns, onRow) {
  const table = document.createElement("table");
  const caption = table.createCaption();
  caption.textContent = name;
  const head = table.createTHead().insertRow();
  head.append(document.createElement("th"));
  for (const column of columns) {
    const th = document.createElement("th");
    th.textContent = column;
    th.style.textAlign = "center";
    head.append(th);
  }
  const body = table.createTBody();
  const cells = rows.map((row, i) => {
    const tr = body.insertRow();
    const th = document.createElement("th");
    th.textContent = row;
    if (onRow) {
      th.className = "row";
      th.tabIndex = 0;
      th.title = "show the arithmetic of this row";
      th.addEventListener("click", () => onRow(i));
      th.addEventListener("keydown", (event) => event.key === "Enter" && onRow(i));
    }
    tr.append(th);
    return columns.map(() => tr.insertCell());
  });
  return { table, caption, head, cells, rows: [...body.rows] };
}

function render({ model, el }) {
  const tokens = model.get("tokens");
  const contents = model.get("contents");
  const values = model.get("values");
  const start = model.get("scores");
  let scores = start.map((row) => [...row]);
  let step = 0;
  let chosen = tokens.length - 1;

  const root = document.createElement("div");
  root.className = "demonstration steps";
  const css = document.createElement("style");
  css.textContent = STYLE;
  const nav = document.createElement("nav");
  const tables = document.createElement("div");
  tables.className = "tables";
  const words = document.createElement("p");
  words.setAttribute("aria-live", "polite");
  root.append(css, nav, tables, words);

  const buttons = STEPS.map(({ name }, index) => {
    const button = document.createElement("button");
    button.textContent = name;
    button.addEventListener("click", () => {
      step = index;
      draw();
    });
    nav.append(button);
    return button;
  });
  const reset = document.createElement("button");
  reset.textContent = "Reset the scores";
  reset.addEventListener("click", () => {
    scores = start.map((row) => [...row]);
    draw();
  });
  nav.append(reset);

  function choose(row) {
    chosen = row;
    draw();
  }

  function draw() {
    const result = stages(scores, values);
    buttons.forEach((button, index) => button.setAttribute("aria-pressed", index === step));
    tables.replaceChildren();
    const left = step === 4 ? "weights" : STEPS[step].table;
    const main = makeTable(`${left}: query ↓ key →`, tokens, tokens, choose);
    main.cells.forEach((cells, i) =>
      cells.forEach((cell, j) => {
        if (step === 0) {
          const input = document.createElement("input");
          input.type = "number";
          input.step = "0.5";
          input.value = scores[i][j];
          input.setAttribute("aria-label", `score of ${tokens[i]} for ${tokens[j]}`);
          input.addEventListener("keydown", (event) => event.stopPropagation());
          input.addEventListener("focus", () => {
            chosen = i;
            main.rows.forEach((tr, row) => tr.classList.toggle("chosen", row === chosen));
            tell(stages(scores, values));
          });
          input.addEventListener("input", () => {
            const number = Number(input.value);
            if (input.value !== "" && Number.isFinite(number)) scores[i][j] = number;
            tell(stages(scores, values));
          });
          cell.append(input);
        } else {
          cell.textContent = shown(result[left][i][j]);
          if (step >= 2) paint(cell, result[left][i][j]);
        }
      }),
    );
    main.rows.forEach((tr, row) => tr.classList.toggle("chosen", row === chosen));
    tables.append(main.table);
    if (step === 4) {
      const V = makeTable("V: what each token hands over", tokens, contents, null);
      V.cells.forEach((cells, j) =>
        cells.forEach((cell, c) => (cell.textContent = shown(values[j][c]))),
      );
      const output = makeTable("output = weights · V", tokens, contents, choose);
      output.cells.forEach((cells, i) =>
        cells.forEach((cell, c) => (cell.textContent = shown(result.output[i][c]))),
      );
      output.rows.forEach((tr, row) => tr.classList.toggle("chosen", row === chosen));
      tables.append(V.table, output.table);
    }
    tell(result);
  }

  function tell(result) {
    const [sentence, sum] = explain(step, chosen, tokens, result);
    const arithmetic = document.createElement("span");
    arithmetic.className = "sum";
    arithmetic.textContent = sum;
    words.replaceChildren(sentence, document.createElement("br"), arithmetic);
  }

  draw();
  el.append(root);
}

export default { render };
