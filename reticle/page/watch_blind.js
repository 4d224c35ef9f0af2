/*
 * What cannot be watched, declared: closed shadow roots, network functions that were wrapped before us. (Workers:
 * watch_workers.js; frames: watch_frames.js; rows that are not in the page: virtualized.js; stores without events: stores.js.)
 */

const blind = {};

/** Declare how many of a kind there are now; 0 withdraws it. */
function declareBlind(kind, count) {
  if ((blind[kind] || 0) === count) return;
  blind[kind] = count;
  emit(EVENT.BLIND_SPOT, { kind, count });
}

function startBlindWatch() {
  replaceFunction(window.Element.prototype, "attachShadow", "attachShadow", (host, [init]) => ({
    returned(root) {
      if (init && init.mode === "closed") declareBlind("closed-shadow-root", (blind["closed-shadow-root"] || 0) + 1);
      else watchRoot(root);
      return root;
    },
  }));
  const wrappedBefore = ["fetch", "WebSocket", "EventSource", "XMLHttpRequest"].filter((name) => {
    const found = native[name];
    return found && !/\[native code\]/.test(native.functionText.call(found));
  });
  // jsdom's functions are all JavaScript: a browser without one native function says nothing by this
  if (/\[native code\]/.test(native.functionText.call(window.Element.prototype.matches))) {
    declareBlind("wrapped-network", wrappedBefore.length);
  }
}
