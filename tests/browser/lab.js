// What the tests ask of JupyterLab and Notebook 7 from inside their page.
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
const LIMIT = 300_000; // milliseconds, of what a busy machine may take

// Wait until something is true (or a promise is kept); what never comes is named.
async function until(what, condition) {
  for (const end = Date.now() + LIMIT; !condition(); await pause(25))
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
}

const kept = (what, promise) =>
  Promise.race([promise, pause(LIMIT).then(() => { throw new Error(`waited in vain for ${what}`); })]);

window.course = {
  get panel() { return jupyterapp.shell.currentWidget; },

  // Wait for a notebook; another one may stand in front of it for a while.
  async opened(path) {
    await kept("the application", jupyterapp.restored);
    await until(`the page of ${path}`, () => this.panel?.context?.path === path && this.panel.content.widgets.length > 0);
    await kept("the notebook", this.panel.context.ready.then(() => this.panel.revealed));
    await kept("its kernel", this.panel.sessionContext.ready);
  },

  async open(path) {
    await jupyterapp.commands.execute("docmanager:open", { path });
    await this.opened(path);
  },

  async close() {
    const { panel } = this;
    if (panel.context.model.dirty) await panel.context.save();
    await panel.sessionContext.shutdown();
    panel.dispose();
  },

  // Wait until the kernel answers and has nothing to do. What it said of itself while the page was
  // not connected is lost: so it is asked again.
  async idle() {
    const kernel = () => this.panel.sessionContext.session?.kernel;
    const ask = async () => { await kernel().requestKernelInfo(); return true; };
    for (const end = Date.now() + LIMIT; Date.now() < end; await pause(100)) {
      if (kernel()?.connectionStatus !== "connected") continue;
      const answered = await Promise.race([ask().catch(() => false), pause(5000)]);
      for (let k = 0; k < 40 && kernel()?.status !== "idle"; k++) await pause(25);
      if (answered && kernel()?.status === "idle") return;
    }
    throw new Error(`waited in vain for an idle kernel: it is ${kernel()?.status}`);
  },

  async run() {
    await this.idle();
    await kept("the end of all cells", jupyterapp.commands.execute("notebook:run-all-cells"));
    await this.idle();
    await this.panel.context.save();
  },

  async restart() {
    await kept("a new kernel", this.panel.sessionContext.session.kernel.restart());
  },

  // Bring every output into view: what lies far away may not be in the page yet.
  async visit() {
    for (const cell of this.panel.content.widgets) {
      if (cell.model.type !== "code" || cell.model.outputs.length === 0) continue;
      cell.node.scrollIntoView({ block: "start", behavior: "instant" });
      await until(`the outputs of ${cell.model.sharedModel.getSource()}`, () => this.rendered(cell));
      await frame();
    }
    await until("the pictures", () => [...document.images].every((image) => image.complete));
    await frame();
  },

  rendered(cell) {
    const outputs = [...cell.outputArea?.node.querySelectorAll(".jp-OutputArea-output") ?? []];
    return cell.node.isConnected && outputs.length >= cell.model.outputs.length && outputs.every((node) => node.firstChild);
  },

  // One entry a code cell: its source, its outputs, and what of them is in the page.
  cells() {
    return this.panel.content.widgets.filter((cell) => cell.model.type === "code").map((cell) => {
      const node = cell.outputArea.node.cloneNode(true);
      const all = (selector) => [...cell.outputArea.node.querySelectorAll(selector)];
      node.querySelectorAll("style, script, .jp-OutputPrompt").forEach((unseen) => unseen.remove());
      const outputs = [...Array(cell.model.outputs.length).keys()].map((k) => cell.model.outputs.get(k).toJSON());
      const having = (mime, text = "") => outputs.filter((o) => o.data?.[mime] && `${o.data[mime]}`.includes(text)).length;
      return {
        id: cell.model.id,
        executed: cell.model.executionCount,
        outputs: outputs.length,
        source: cell.model.sharedModel.getSource(),
        errors: outputs.filter((o) => o.output_type === "error").map((o) => `${o.ename}: ${o.evalue}`),
        figures: having("image/png"),
        demonstrations: having("text/html", "data-demonstration="),
        widgets: having("application/vnd.jupyter.widget-view+json"),
        images: all("img").map((image) => ({ alt: image.alt, width: image.naturalWidth })),
        controls: all(".widget-hslider, .widget-dropdown, .widget-toggle-buttons, .widget-checkbox").length,
        kits: all("[data-demonstration] > .kit").length,
        stills: all("[data-demonstration] > .still, [data-demonstration]:not([data-live]) img").length,
        text: node.textContent,
      };
    });
  },

  shows: (cell) => cell.model.type === "code" && `${JSON.stringify(cell.model.outputs.toJSON())}`.includes("data-demonstration="),

  scroll(mode) {
    const { content } = this.panel;
    content.notebookConfig = { ...content.notebookConfig, windowingMode: mode };
  },

  closeViews() {
    const views = [...jupyterapp.shell.widgets("main")].filter((widget) => widget.id.startsWith("LinkedOutputView"));
    views.forEach((view) => view.dispose());
  },

  at(id) { return this.panel.content.widgets.findIndex((cell) => cell.model.id === id); },

  source(id) { return this.panel.content.widgets[this.at(id)].model.sharedModel.getSource(); },

  async edit(id) {
    const { content } = this.panel;
    content.activeCellIndex = this.at(id);
    await content.scrollToItem(this.at(id));
    content.mode = "edit";
    await frame();
  },

  async runCell(id) {
    this.panel.content.activeCellIndex = this.at(id);
    this.panel.content.deselectAll();
    await kept("the end of a cell", jupyterapp.commands.execute("notebook:run-cell"));
    await this.idle();
  },

  count() { return this.panel.content.widgets.length; },

  // Show the output of a demonstration anew, as if its notebook had just been opened.
  async afresh(host) {
    const cell = this.panel.content.widgets.find((one) => one.outputArea?.node.contains(host));
    const { model, node } = cell.outputArea;
    model.fromJSON(model.toJSON());
    await until("a demonstration", () => this.rendered(cell) && node.querySelector("[data-demonstration] > .kit"));
    await until("its place", () => node.style.minHeight === ""); // which JupyterLab holds for a moment
    await frame();
  },

  // --- one demonstration -----------------------------------------------------------------------

  // What it shows, without its controls: text, drawing, what is painted; and the numbers typed in,
  // where they are a part of it.
  result(root, typed) {
    const copy = root.cloneNode(true);
    copy.querySelectorAll(".slider, .menu, .tick, .choices, button, input, .spoken, .note").forEach((node) => node.remove());
    copy.querySelectorAll("[style]").forEach((node) => { node.style.minHeight = ""; });
    copy.querySelectorAll("[class='']").forEach((node) => node.removeAttribute("class"));
    const values = typed ? [...root.querySelectorAll("input[type=number]")].map((input) => input.value) : [];
    return [copy.innerHTML, ...values, ...[...root.querySelectorAll("canvas")].map((canvas) => canvas.toDataURL())].join();
  },

  // Whether something else than before is shown, sooner or later.
  async changed(root, before) {
    for (const end = Date.now() + LIMIT / 5; this.result(root, true) === before; await frame())
      if (Date.now() > end) return false;
    return true;
  },

  // Let the scrubber play for a while, then hold it: where it stands then, and two moments later.
  async playAndPause(root) {
    const play = root.querySelector("button");
    play.click();
    const first = root.read().step;
    await until("the next moment", () => root.read().step !== first);
    play.click();
    const held = root.read().step;
    await pause(600);
    return [first, held, root.read().step];
  },

  // A point on the word two places from the first that is probed, past its middle.
  neighbour(root) {
    const words = [...root.querySelectorAll(".words button, .token[role=option]")];
    const probed = words.findIndex((node) => node.dataset.probe !== undefined);
    const after = probed < 2;
    const box = words[after ? probed + 2 : probed - 2].getBoundingClientRect();
    return [box.x + box.width * (after ? 0.8 : 0.2), box.y + box.height / 2];
  },

  // The controls that can be used now, by kind; each gets a number that the tests find it by.
  controls(root) {
    const kinds = {
      slider: "input[type=range]", menu: "select", choice: "[role=radiogroup]", tick: "input[type=checkbox]",
      number: "input[type=number]", handle: "[role=application]", word: ".words button, .token[role=option][aria-selected=true]",
      button: "button:not([role]):not(.words button)",
    };
    const found = [];
    for (const kind in kinds) {
      for (const node of root.querySelectorAll(kinds[kind])) {
        if (node.disabled || !node.checkVisibility()) continue;
        node.dataset.probe = `${found.length}`;
        found.push({ kind, probe: found.length, text: node.textContent.trim() });
      }
    }
    return found;
  },
};
