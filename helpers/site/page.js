// What a page does by itself: holding back, counting, switches, contents that follow. All that it
// remembers stands in the reader's own browser, under names that begin with PREFIX.
(() => {
  const PREFIX = "self-attention-course:";
  const kept = new Map(); // what is known where the browser refuses to store

  const store = {
    get(name) {
      try { return localStorage.getItem(PREFIX + name) ?? kept.get(name) ?? null; } catch { return kept.get(name) ?? null; }
    },
    set(name, value) {
      kept.set(name, value);
      try { localStorage.setItem(PREFIX + name, value); } catch { /* the page goes on without */ }
    },
    clear() {
      kept.clear();
      try {
        Object.keys(localStorage).filter((name) => name.startsWith(PREFIX)).forEach((name) => localStorage.removeItem(name));
      } catch { /* there is nothing to take away */ }
    },
  };

  const root = document.documentElement;
  const all = (where, from = document) => [...from.querySelectorAll(where)];
  const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

  // --- switches, set before anything is painted ----------------------------------------------

  const system = matchMedia("(prefers-color-scheme: dark)");
  const switches = {
    theme: {
      get on() { return (store.get("theme") ?? (system.matches ? "dark" : "light")) === "dark"; },
      show(on) { root.dataset.theme = on ? "dark" : "light"; },
      keep(on) { store.set("theme", on ? "dark" : "light"); },
    },
    meanings: {
      get on() { return store.get("meanings") === "shown"; },
      show(on) { root.classList.toggle("meanings", on); },
      keep(on) { store.set("meanings", on ? "shown" : "hidden"); },
    },
  };

  function showSwitches() {
    for (const name in switches) {
      switches[name].show(switches[name].on);
      all(`[data-switch="${name}"]`).forEach((button) => button.setAttribute("aria-pressed", switches[name].on));
    }
  }

  root.classList.add("js");
  showSwitches();
  system.addEventListener("change", showSwitches);

  // --- predictions ---------------------------------------------------------------------------

  const choiceOf = (question) => store.get(`prediction ${question}`); // a letter, "" skipped, null

  function release(question, letter) {
    const here = `[data-question="${question}"]`;
    const [asked] = all(`.predict${here}`);
    all("button", asked).forEach((button) => {
      button.disabled = true;
      button.classList.toggle("chosen", button.dataset.letter === letter);
    });
    const said = asked.querySelector("[role=status]");
    said.textContent = letter ? filled(said.dataset.said, { letter }) : said.dataset.skipped;
    all(`.held${here}`).forEach((held) => held.classList.add("open"));
    const card = document.querySelector(`.reveal${here} template[data-letter="${letter}"]`);
    if (letter && card) document.querySelector(`.reveal${here} [data-card]`).replaceChildren(card.content.cloneNode(true));
    marks();
  }

  function count() {
    for (const place of all("[data-count]")) {
      const right = JSON.parse(place.dataset.count);
      const questions = Object.keys(right);
      place.querySelector("p").textContent = filled(place.dataset.text, {
        asked: questions.length,
        made: questions.filter(choiceOf).length,
        right: questions.filter((question) => choiceOf(question) === right[question]).length,
      });
    }
    for (const place of all("[data-asked]")) {
      const questions = JSON.parse(place.dataset.asked);
      const made = questions.filter(choiceOf).length;
      place.textContent = made ? filled(place.dataset.text, { made, asked: questions.length }) : "";
    }
  }

  function predictions() {
    for (const asked of all(".predict")) {
      const { question } = asked.dataset;
      const before = choiceOf(question);
      if (before !== null) release(question, before);
      asked.addEventListener("click", (event) => {
        const button = event.target.closest("button");
        if (!button) return;
        store.set(`prediction ${question}`, button.dataset.letter);
        release(question, button.dataset.letter);
        count();
      });
    }
    count();
  }

  // --- what scrolls sideways can be reached with the keyboard ----------------------------------

  const marks = () => requestAnimationFrame(() => {
    for (const node of all("pre, .wide, .rich")) {
      const scrolls = node.scrollWidth > node.clientWidth + 1;
      if (scrolls) node.tabIndex = 0;
      else node.removeAttribute("tabindex");
    }
  });

  // --- contents that follow, and a link into what is held back -----------------------------------

  function contents() {
    const links = all(".contents a");
    const headings = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
    let waiting = false;
    const follow = () => {
      waiting = false;
      const above = headings.filter((node) => node.offsetParent && node.getBoundingClientRect().top < innerHeight * 0.3);
      const here = headings.indexOf(above.at(-1));
      links.forEach((link, k) => {
        if (k === here) link.setAttribute("aria-current", "location");
        else link.removeAttribute("aria-current");
      });
      const box = document.querySelector(".contents");
      if (here >= 0 && box.scrollHeight > box.clientHeight) {
        const link = links[here];
        if (link.offsetTop < box.scrollTop || link.offsetTop > box.scrollTop + box.clientHeight - 40)
          box.scrollTop = link.offsetTop - box.clientHeight / 2;
      }
    };
    addEventListener("scroll", () => {
      if (!waiting) requestAnimationFrame(follow);
      waiting = true;
    }, { passive: true });
    follow();
    if (innerWidth < 1100) document.querySelector(".contents details")?.removeAttribute("open");
  }

  function leadToQuestion() {
    const to = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const held = to && to.closest(".held:not(.open)");
    if (held) document.querySelector(`.predict[data-question="${held.dataset.question}"]`).scrollIntoView({ block: "center" });
  }

  document.addEventListener("DOMContentLoaded", () => {
    showSwitches();
    all("[data-switch]").forEach((button) => button.addEventListener("click", () => {
      const one = switches[button.dataset.switch];
      one.keep(!one.on);
      showSwitches();
    }));
    all("[data-forget]").forEach((button) => button.addEventListener("click", () => {
      store.clear();
      showSwitches();
      document.querySelector("[data-forgotten]").textContent = button.dataset.done;
      if (all(".held.open").length) location.reload();
      else count();
    }));
    all("ruby").forEach((word) => word.addEventListener("click", () => word.classList.toggle("shown")));
    predictions();
    if (all(".contents").length) contents();
    leadToQuestion();
    marks();
  });
  addEventListener("hashchange", leadToQuestion);
  addEventListener("resize", marks);
  addEventListener("load", marks);
  document.addEventListener("toggle", marks, true);
})();
