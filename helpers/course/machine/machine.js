// The sentence machine: menus make a sentence, a trained model reads it, and any word can be asked.
import { announce, button, choices, follow, largestAt, make, menu, named, percent, say, set, shown, together, word } from "../kit.js";
import { look, mayLook, unpackHeads, unpackModel } from "./numbers.js";
import { makeStage, paintMap } from "./stage.js";

export function render(root, data) {
  root.classList.add("machine");
  if (data.kind === "weights") return renderWeights(root, data);
  return renderModels(root, data);
}

// Where a row looks, in a sentence; `may` are the places that it may look at.
export function lookSentence(who, names, row, may) {
  const open = row.filter((_, j) => may(j));
  const best = largestAt(row);
  const values = { who, whom: names[best], weight: shown(row[best]) };
  if (open.length > 1 && Math.max(...open) - Math.min(...open) < 1e-4)
    return say("Every word gets the same weight, {weight}: {who} looks at nobody in particular.", values);
  if (row[best] >= 0.5) return say("{who} looks at {whom}: {weight} of its weight.", values);
  return say("{who} has no favourite: the largest weight, {weight}, goes to {whom}.", values);
}

// --- what both kinds share: the frame, the answer, the heads -----------------------------------

function frame(root, choose) {
  const body = make("div", root, "", "body");
  const answer = make("div", body, "", "answer");
  const big = make("div", answer, "", "big");
  const lines = {};
  for (const name of ["sure", "looks", "moved", "why"]) lines[name] = make("p", answer, "", name);
  const rank = make("div", body, "", "rank");
  const stage = makeStage(root, make("div", body, "", "left"), choose);
  const back = button(stage.stage, "", () => choose(null, true));
  back.className = "back";
  // What stands above the words may grow but not shrink: else a word slips from under the pointer.
  const grown = new ResizeObserver((entries) => entries.forEach(({ target }) => {
    target.style.minHeight = `${target.offsetHeight}px`;
  }));
  for (const node of [answer, rank]) {
    grown.observe(node);
    follow(root, () => { node.style.minHeight = ""; });
  }
  return { big, lines, rank, stage, back };
}

function ranking(rank, entries) {
  rank.replaceChildren();
  for (const { token, gloss, share, text } of entries) {
    word(rank, token, gloss);
    const bar = make("i", rank, "", "fill");
    bar.style.transform = `scaleX(${Math.max(share, 0.004)})`;
    make("b", rank, text);
  }
}

// Small maps to choose a head by; none where there is one head.
function headButtons(parent, root, count, act) {
  if (count < 2) return { show() {}, draw() {} };
  const names = Array.from({ length: count }, (_, h) => say("head {number}", { number: h }));
  const group = choices(parent, say("head"), names, act);
  group.group.classList.add("heads");
  const canvases = group.nodes.map((node) => {
    const canvas = document.createElement("canvas");
    node.prepend(canvas);
    return canvas;
  });
  const draw = (maps, may) => canvases.forEach((canvas, h) => {
    const cell = Math.max(1, Math.round(104 / maps[h].length));
    set(canvas, { width: cell * maps[h].length, height: cell * maps[h].length });
    paintMap(canvas, root, { weights: maps[h], may }, cell, cell, 0);
  });
  return { show: group.show, draw };
}

// --- any weights -------------------------------------------------------------------------------

function renderWeights(root, data) {
  const maps = unpackHeads(data.weights);
  const { tokens, glosses } = data;
  const n = tokens.length;
  const names = tokens.map((token, j) => named(token, glosses[j]));
  const seen = maps[0].map((_, i) => maps[0].map((_, j) => maps.some((map) => map[i][j] > 0)));
  const may = (i, j) => seen[i][j];
  const state = { head: 0, pinned: data.row, over: null };
  root.classList.toggle("across", n > 12);
  const heads = headButtons(make("div", root, "", "bar"), root, maps.length, (h) => change({ head: h }));
  const page = frame(root, (i, pinned) => change(pinned ? { pinned: i ?? data.row, over: null } : { over: i }, !pinned));

  function change(more, quiet = false) {
    if (quiet && state.over === more.over) return;
    Object.assign(state, more);
    update(quiet);
  }

  function update(quiet) {
    const row = state.over ?? state.pinned;
    const weights = maps[state.head];
    const best = largestAt(weights[row]);
    heads.show(state.head);
    page.stage.show({ tokens, glosses, weights, row, may });
    page.big.replaceChildren();
    word(page.big, tokens[row], glosses[row], "asks");
    make("span", page.big, "→");
    word(page.big, tokens[best], glosses[best], "got");
    const told = lookSentence(names[row], names, weights[row], (j) => may(row, j));
    page.lines.looks.textContent = told;
    const order = [...tokens.keys()].sort((a, b) => weights[row][b] - weights[row][a]).slice(0, Math.min(4, n));
    ranking(page.rank, order.map((j) => ({ token: tokens[j], gloss: glosses[j], share: weights[row][j], text: shown(weights[row][j]) })));
    page.back.hidden = row === data.row;
    page.back.textContent = say("Back to {token}", { token: tokens[data.row] });
    if (!quiet) announce(root, told);
  }
  root.read = () => ({ tokens, row: state.over ?? state.pinned, weights: maps[state.head] });
  update(true);
  follow(root, () => heads.draw(maps, may));
}

// --- models ------------------------------------------------------------------------------------

function renderModels(root, data) {
  const gloss = Object.fromEntries(data.words.map((token, k) => [token, data.glosses[k]]));
  const models = data.variants.map(([, packed]) => unpackModel(packed));
  const first = { ...data.start, variant: 0, head: 0, pinned: null, over: null, was: null };
  const state = { ...first };
  const name = (token) => named(token, gloss[token]);
  let tokens = [];
  let result = null;

  const slots = () => data.patterns[state.pattern].slots;
  const home = () => slots().indexOf("pronoun");
  const asked = () => state.over ?? state.pinned ?? home();
  const used = (slot) => slots().includes(slot);
  const people = () => ["actor", "other"].filter(used).map((slot) => state[slot]);
  const able = () => people().filter((who) => data.pronoun_of[who] === state.pronoun);
  const wrong = () => data.pronouns.find((word) => people().every((who) => data.pronoun_of[who] !== word));

  // --- controls
  const top = make("div", root, "", "bar menus");
  const titles = { pattern: say("Sentence"), actor: say("Who acts"), other: say("The other one"),
    thing: say("Thing"), place: say("Place") };
  const menus = {};
  for (const slot in titles) {
    const entries = slot === "pattern" ? data.patterns.map((pattern, k) => [k, pattern.name])
      : data.menus[slot].map(([token, group]) => [token, name(token), group]);
    menus[slot] = menu(top, titles[slot], entries, (value) => {
      const more = { [slot]: slot === "pattern" ? Number(value) : value };
      if (slot === "actor" && value === state.other) more.other = state.actor; // nobody sees oneself
      if (slot === "other" && value === state.actor) more.actor = state.other;
      change(more);
    });
  }
  const row = make("div", root, "", "bar");
  const pronouns = choices(row, say("pronoun"), data.pronouns.map(name), (k) => change({ pronoun: data.pronouns[k] }));
  pronouns.group.classList.add("pronouns");
  const swap = button(row, say("Swap"), () => change({ actor: state.other, other: state.actor }), say("the two change places"));
  const mistake = button(row, say("Wrong pronoun"), () => change({ pronoun: able().length ? wrong() : data.pronoun_of[state.actor] }),
    say("a pronoun that fits nobody in the sentence"));
  const variants = data.variants.length > 1 && choices(row, say("model"), data.variants.map(([label]) => label), (k) => change({ variant: k }));
  button(row, say("Reset"), () => change(first));
  const heads = headButtons(make("div", root, "", "bar"), root, models[0].W_Q.length, (h) => {
    Object.assign(state, { head: h, was: null });
    update();
  });

  const page = frame(root, (i, pinned) => {
    if (!pinned && state.over === i) return;
    if (pinned && i === null) page.stage.focus(home());
    Object.assign(state, pinned ? { pinned: i === home() ? null : i, over: null } : { over: i });
    update(!pinned);
  });

  // A change that the learner chose: it leaves a trace of where the pronoun looked before.
  function change(more) {
    const before = tokens[largestAt(result.weights[state.head][home()])];
    Object.assign(state, { pinned: null, over: null }, more, { was: before });
    update();
  }

  function update(quiet = false) {
    tokens = slots().map((slot) => state[slot] ?? slot);
    const r = asked();
    const model = models[state.variant];
    result = look(model, tokens.map((token) => data.words.indexOf(token)), r);
    const weights = result.weights[state.head];
    const may = (i, j) => mayLook(model.mask, i, j);
    const best = tokens[largestAt(weights[home()])];
    const atHome = r === home();
    const moved = atHome && state.was !== null && state.was !== best && tokens.includes(state.was);
    const order = [...result.chances.keys()].sort((a, b) => result.chances[b] - result.chances[a]).slice(0, 3);
    const said = { token: data.answers[order[0]], gloss: data.answer_glosses[order[0]] };
    const answers = data.kind === "words" || atHome;

    for (const slot in menus) {
      menus[slot].show(state[slot]);
      menus[slot].box.hidden = slot !== "pattern" && !used(slot);
    }
    pronouns.show(data.pronouns.indexOf(state.pronoun));
    swap.disabled = !used("other");
    set(mistake, { "aria-pressed": able().length === 0 });
    if (variants) variants.show(state.variant);
    heads.show(state.head);
    heads.draw(result.weights, may);
    page.stage.show({
      tokens, glosses: tokens.map((token) => gloss[token]), weights, row: r, may,
      was: moved ? tokens.indexOf(state.was) : -1,
      strong: data.kind === "names" ? home() : -1,
      next: data.kind === "words" ? (atHome ? [said.token, said.gloss] : null) : undefined,
    });
    page.back.hidden = atHome;
    page.back.textContent = say("Back to {token}", { token: name(tokens[home()]) });

    const told = lookSentence(name(tokens[r]), tokens.map(name), weights[r], (j) => may(r, j));
    const { big, lines, rank } = page;
    big.replaceChildren();
    word(big, tokens[r], gloss[tokens[r]], "asks");
    make("span", big, answers ? (data.kind === "words" ? "…" : "=") : "→");
    const target = tokens[largestAt(weights[r])];
    word(big, ...(answers ? [said.token, said.gloss] : [target, gloss[target]]), "got");
    lines.sure.textContent = answers ? say("with probability {share}", { share: percent(result.chances[order[0]]) }) : "";
    lines.looks.textContent = told;
    lines.moved.textContent = moved ? say("Before, it looked at {whom}.", { whom: name(state.was) }) : "";
    lines.why.textContent = !atHome ? otherRow(tokens[r]) : reason(said);
    ranking(rank, answers ? order.map((k) => ({ token: data.answers[k], gloss: data.answer_glosses[k],
      share: result.chances[k], text: percent(result.chances[k]) })) : []);
    if (!quiet) announce(root, together(answers ? `${named(tokens[r], gloss[tokens[r]])}: ${named(said.token, said.gloss)}, ${percent(result.chances[order[0]])}.` : "",
      told, lines.why.textContent));
  }

  function otherRow(token) {
    if (data.kind === "words") return say("This is what the model expects after {token}.", { token: name(token) });
    return say("Only pronouns were ever asked: nobody trained this row.");
  }

  function reason(said) {
    const fits = able();
    const values = { pronoun: name(state.pronoun), who: name(fits[0] ?? ""), actor: name(state.actor), verb: named(said.token, said.gloss) };
    if (fits.length === 0) return say("Nobody here can be {pronoun}. However sure the answer is, it has no reason.", values);
    const means = (who) => (data.habits ? data.habits[who] : who);
    if (fits.length === 1) {
      const should = means(fits[0]);
      values.should = named(should, gloss[should] ?? data.answer_glosses[data.answers.indexOf(should)]);
      if (said.token !== should) return data.habits
        ? say("Wrong: only {who} can be {pronoun}, and in this corpus what {who} does is always {should}.", values)
        : say("Wrong: only {who} can be {pronoun}.", values);
      return data.habits ? say("Right: only {who} can be {pronoun}, and in this corpus what {who} does is always {verb}.", values)
        : say("Right: only {who} can be {pronoun}.", values);
    }
    if (!models[state.variant].positions) return say("Both can be {pronoun}, and this model knows no order: swap the two, and the answer stays.", values);
    if (!data.rivals.includes(state.pattern)) return say("Both can be {pronoun}, and training never showed two alike in this pattern.", values);
    return said.token === means(state.actor)
      ? say("Both can be {pronoun}. Here the corpus means the one who acts, {actor}: right.", values)
      : say("Both can be {pronoun}. Here the corpus means the one who acts, {actor}: wrong.", values);
  }

  root.read = () => ({ tokens, row: asked(), weights: result.weights, chances: result.chances });
  update(true);
  follow(root, () => heads.draw(result.weights, (i, j) => mayLook(models[state.variant].mask, i, j)));
}
