// Times every key press inside `root` until the frame after it has been drawn; a picture of the kernel
// counts once it has arrived. bench.take() gives what was seen since the last time.
([root, fromKernel]) => {
  const later = (act) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = act;
    port2.postMessage(0);
  };
  const nothing = () => ({ script: [], picture: [], shown: 0 });
  let seen = nothing();
  let waiting = false;
  const bench = { key: null, take: () => { const all = seen; seen = nothing(); return all; } };
  window.bench = bench;
  const change = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => later(() => {
      waiting = false;
      seen.shown += 1;
      if (bench.key !== null) seen.picture.push(performance.now() - bench.key);
      bench.key = null;
    }));
  };
  window.addEventListener("keydown", (event) => {
    if (window.bench === bench && root.contains(event.target)) bench.key = event.timeStamp;
  }, true);
  // What the handlers of a key press and of the change that it makes take together.
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const took = entry.processingEnd - entry.processingStart;
      if (entry.name === "keydown") seen.script.push(took);
      else if (entry.name === "input" && seen.script.length) seen.script[seen.script.length - 1] += took;
    }
  }).observe({ type: "event", durationThreshold: 16 });
  const everything = { subtree: true, childList: true, attributes: true, characterData: true };
  if (fromKernel) root.addEventListener("load", change, true);
  else new MutationObserver(change).observe(root, everything);
}
