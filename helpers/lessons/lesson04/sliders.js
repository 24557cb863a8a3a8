// Lesson 04: a row of scores, a slider that adds to it, and one that divides it.
import { announce, bars, button, choices, largestAt, make, named, say, shown, slider, softmax } from "../../course/kit.js";

export const sharesOf = (scores, add, T) => softmax(scores.map((score) => (score + add) / T));

// Positions of the slider of T, in equal ratios: 0.1 at -20, 1 at 0, 10 at 20.
export const temperature = (place) => 10 ** (place / 20);

export function render(root, data) {
  root.classList.add("sliders");
  const heads = data.tokens.map((token, j) => [token, data.glosses[j]]);
  const names = heads.map((head) => named(...head));
  const start = { row: 0, add: 0, place: 0 };
  const state = { ...start };
  const change = (more) => {
    Object.assign(state, more);
    update();
  };

  const bar = make("div", root, "", "bar");
  const rows = choices(bar, say("row"), data.rows.map((row) => names[row]), (row) => change({ row }));
  button(bar, say("Reset"), () => change(start));
  const plus = slider(root, say("add to each score"), { min: -100, max: 100 }, (add) => shown(add, 0), (add) => change({ add }));
  const heat = slider(root, say("divide by T"), { min: -20, max: 20 }, (place) => shown(temperature(place)), (place) => change({ place }));
  const list = bars(root, heads);
  const told = make("p", root);

  function update() {
    const T = temperature(state.place);
    const scores = data.scores[state.row];
    const shares = sharesOf(scores, state.add, T);
    const best = largestAt(shares);
    rows.show(state.row);
    plus.show(state.add);
    heat.show(state.place);
    list.show(shares);
    const end = (pick) => shown((pick(...scores) + state.add) / T);
    told.textContent = say("Row of {token}: softmax gets scores from {low} to {high}. The largest share is {share}, that of {whom}.",
      { token: names[data.rows[state.row]], low: end(Math.min), high: end(Math.max), share: shown(shares[best]), whom: names[best] });
    announce(root, told.textContent);
  }

  update();
}
