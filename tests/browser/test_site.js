// What the tests of the pages do with a demonstration, as a reader would.
window.demos = {
  // All that can be seen of it: elements, values, what is painted.
  shown(kit) {
    const all = (where) => [...kit.querySelectorAll(where)];
    return [
      kit.innerHTML,
      ...all("input, select").map((control) => [control.value, control.checked]),
      ...all("canvas").map((canvas) => canvas.toDataURL()),
    ].join();
  },

  // Press keys on what can have the focus until something changes. A slider moves by keys that only
  // a browser can press, so its value is stepped as well.
  press(kit) {
    const where = "input[type=range], [role=radio], [tabindex], select, button";
    for (const node of kit.querySelectorAll(where)) {
      node.focus();
      if (document.activeElement !== node) continue;
      const before = demos.shown(kit);
      for (const key of ["ArrowRight", "ArrowLeft", "ArrowDown", "End", "Home"]) {
        const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
        node.dispatchEvent(event);
        if (node.type === "range" && !event.defaultPrevented) {
          node[key === "ArrowRight" ? "stepUp" : "stepDown"]();
          node.dispatchEvent(new Event("input", { bubbles: true }));
        }
        if (demos.shown(kit) !== before) return true;
      }
    }
    return false;
  },

  // Points, counted from its corner, where a click should change something.
  spots(kit) {
    const home = kit.getBoundingClientRect();
    const where = "input[type=range], [aria-checked=false], [aria-pressed=false], button:enabled, [tabindex], svg *";
    return [...kit.querySelectorAll(where)]
      .map((node) => node.getBoundingClientRect())
      .filter((box) => box.width && box.height)
      .slice(0, 30)
      .flatMap((box) => [0.85, 0.15].map((part) => [
        box.left + part * box.width - home.left,
        box.top + box.height / 2 - home.top,
      ]));
  },
};
