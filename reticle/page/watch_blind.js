/*
 * What cannot be watched, declared: closed shadow roots, frames, network functions that were wrapped before us.
 */

const blind = { "closed-shadow-root": 0, "cross-origin-iframe": 0, "uninstrumented-frame": 0, "wrapped-network": 0 };

function declareBlind(kind, count) {
  if (blind[kind] === count) return;
  blind[kind] = count;
  emit(EVENT.BLIND_SPOT, { kind, count });
}

/** Watch a frame's document if it can be entered; its network is in no case ours. */
function watchFrame(frame) {
  const inner = frameDocument(frame);
  if (inner) {
    watchRoot(inner);
    if (inner.documentElement) watchInside(inner.documentElement);
  }
  countFrames();
}

/** Frames that are another origin's, and frames with scripts whose requests we do not see. */
function countFrames() {
  let foreign = 0;
  let unseen = 0;
  for (const frame of document.querySelectorAll("iframe, frame")) {
    const inner = frameDocument(frame);
    if (!inner) foreign += 1;
    else if (inner.scripts && inner.scripts.length > 0) unseen += 1;
  }
  declareBlind("cross-origin-iframe", foreign);
  declareBlind("uninstrumented-frame", unseen);
}

function startBlindWatch() {
  replaceFunction(window.Element.prototype, "attachShadow", "attachShadow", (host, [init]) => ({
    returned(root) {
      if (init && init.mode === "closed") declareBlind("closed-shadow-root", blind["closed-shadow-root"] + 1);
      else watchRoot(root);
      return root;
    },
  }));
  listen(document, "load", "frame", (event) => {
    if (isElement(event.target) && isFrame(event.target)) watchFrame(event.target);
  });
  const wrappedBefore = ["fetch", "WebSocket", "EventSource", "XMLHttpRequest"].filter((name) => {
    const found = native[name];
    return found && !/\[native code\]/.test(native.functionText.call(found));
  });
  // jsdom's functions are all JavaScript: a browser without one native function says nothing by this
  if (/\[native code\]/.test(native.functionText.call(window.Element.prototype.matches))) {
    declareBlind("wrapped-network", wrappedBefore.length);
  }
}
