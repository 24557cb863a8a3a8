// What the tests ask of JupyterLab and Notebook 7 from inside their page.
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));

window.course = {
  get panel() { return jupyterapp.shell.currentWidget; },

  async opened(path) {
    await jupyterapp.restored;
    if (path) await jupyterapp.commands.execute("docmanager:open", { path });
    while (!(this.panel?.content?.widgets?.length > 0 && (!path || this.panel.context.path === path))) await pause(50);
    await this.panel.context.ready;
    await this.panel.revealed;
    await this.panel.sessionContext.ready;
  },

  async close() {
    const { panel } = this;
    if (panel.context.model.dirty) await panel.context.save();
    await panel.sessionContext.shutdown();
    panel.dispose();
  },

  async run() {
    await jupyterapp.commands.execute("notebook:run-all-cells");
    await this.panel.context.save();
  },

  // Bring every output into view: what lies far away may not be in the page yet.
  async visit() {
    for (const cell of this.panel.content.widgets) {
      if (cell.model.type !== "code" || cell.model.outputs.length === 0) continue;
      cell.node.scrollIntoView({ block: "start", behavior: "instant" });
      for (let k = 0; k < 250 && !this.rendered(cell); k++) await pause(20);
      await frame();
    }
    for (let k = 0; k < 250 && ![...document.images].every((image) => image.complete); k++) await pause(20);
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
    await jupyterapp.commands.execute("notebook:run-cell");
  },

  count() { return this.panel.content.widgets.length; },

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
