// The maps of one sentence over training: a slider through the moments, and play.
import { announce, button, follow, largestAt, make, named, say, set, shown, slider, svg } from "../kit.js";
import { unpackHeads } from "./numbers.js";
import { makeStage } from "./stage.js";

const PACE = 260; // milliseconds a moment

export function render(root, data) {
  root.classList.add("machine", "scrubber");
  const maps = unpackHeads(data.maps);
  const { tokens, glosses, steps } = data;
  const last = maps.length - 1;
  const names = tokens.map((token, j) => named(token, glosses[j]));
  const seen = maps[0].map((_, i) => maps[0].map((_, j) => maps.some((map) => map[i][j] > 0)));
  const state = { time: last, pinned: data.row, over: null };
  let playing = 0;
  let width = 600; // of the curve

  const bar = make("div", root, "", "bar");
  const play = button(bar, "", () => (playing ? stop() : start()));
  const time = slider(bar, say("training"), { min: 0, max: last },
    (k) => say("step {step}", { step: steps[k] }), (k) => {
      stop();
      state.time = k;
      update();
    });
  const told = make("p", root, "", "looks");
  const curve = svg("svg", make("div", root, "", "curve"), { role: "img" });
  const stage = makeStage(root, make("div", root, "", "left"), (i, pinned) => {
    if (!pinned && state.over === i) return;
    Object.assign(state, pinned ? { pinned: i ?? data.row, over: null } : { over: i });
    update(!pinned);
  });

  function stop() {
    clearInterval(playing);
    playing = 0;
    play.textContent = say("▶ Play");
  }

  function start() {
    if (state.time === last) state.time = 0;
    play.textContent = say("❚❚ Pause");
    update(true);
    playing = setInterval(() => {
      if (!root.isConnected) return;
      state.time = Math.min(last, state.time + 1);
      if (state.time === last) stop();
      update(state.time < last);
    }, PACE);
  }

  function update(quiet = false) {
    const row = state.over ?? state.pinned;
    const weights = maps[state.time];
    const best = largestAt(weights[row]);
    time.show(state.time);
    stage.show({ tokens, glosses, weights, row, may: (i, j) => seen[i][j] });
    told.textContent = say("After {step} steps {who} gives most to {whom}: {weight}.",
      { step: steps[state.time], who: names[row], whom: names[best], weight: shown(weights[row][best]) });
    drawCurve(row);
    if (!quiet) announce(root, told.textContent);
  }

  // The row's weights over all moments, one line a word; the two largest at the end have names.
  function drawCurve(row) {
    const room = width < 520 ? 104 : 118;
    const x = (k) => 30 + ((width - 38 - room) * k) / Math.max(1, last);
    const y = (weight) => 92 - 82 * Math.min(1, weight);
    const signature = `${row} ${width}`;
    if (curve.signature !== signature) {
      curve.signature = signature;
      curve.replaceChildren();
      set(curve, { width, height: 102 });
      for (const level of [0, 1]) {
        svg("path", curve, { class: "base", d: `M30 ${y(level)}H${x(last)}` });
        svg("text", curve, { x: 22, y: y(level) + 4, "text-anchor": "end", class: "quiet" }, level);
      }
      const order = [...tokens.keys()].sort((a, b) => maps[last][row][b] - maps[last][row][a]);
      const ends = order.slice(0, 2).map((j) => y(maps[last][row][j]) + 4);
      if (ends.length > 1 && ends[1] - ends[0] < 14) ends[0] = ends[1] - 14;
      for (const j of [...order].reverse()) {
        const line = maps.map((map, k) => `${k ? "L" : "M"}${x(k).toFixed(1)} ${y(map[row][j]).toFixed(1)}`).join("");
        svg("path", curve, { class: ["first", "second"][order.indexOf(j)] ?? "", d: line });
      }
      ends.forEach((height, k) => svg("text", curve, { x: x(last) + 8, y: height, class: k ? "quiet" : "first" }, names[order[k]]));
      curve.now = svg("line", curve, { y1: 4, y2: 98 });
    }
    set(curve.now, { x1: x(state.time), x2: x(state.time) });
    set(curve, { "aria-label": told.textContent });
  }

  root.read = () => ({ tokens, row: state.over ?? state.pinned, weights: maps[state.time], step: steps[state.time] });
  stop();
  update(true);
  follow(root, () => {
    width = Math.max(220, curve.parentNode.clientWidth);
    drawCurve(state.over ?? state.pinned);
  });
}
