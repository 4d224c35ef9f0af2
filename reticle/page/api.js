/*
 * `window.reticle`: what an app may tell us. Every method is safe to call at any time and returns nothing.
 */

function makeApi() {
  const told = (site, work) => (...given) => {
    attempt(site, () => work(...given));
  };
  return Object.freeze({
    version: SCRIPT_VERSION,
    /** Something happened that has a name: `signal("order:placed", {id: 7})`. */
    signal: told("signal", (name, detail = {}) => {
      addNames(signalsSeen, [clip(String(name), 128)]);
      emit(EVENT.SIGNAL, { name: String(name), data: detail });
    }),
    /** A value worth knowing has changed: `state("cart.total", 12)`. */
    state: told("state", tellState),
    /** A store to read from: a getter, a store with `getState` or `subscribe`, or an object. */
    registerStore: told("store", registerStore),
    unregisterStore: told("store", unregisterStore),
    /** What the app has: `{testids, signals, stores, flows, owner, safety, scope, redact, risk}`; calls add up. */
    registerCapabilities: told("capabilities", registerCapabilities),
    /** What must hold of the app whatever is done on it: `invariant("no-errors", predicate)`; null takes it back. */
    invariant: told("invariant", declareInvariant),
  });
}

/** In a frame that the page around it sees into: what the frame's app tells is told there. */
function installParentApi() {
  if ("reticle" in window) return;
  Object.defineProperty(window, "reticle", { get: () => window.parent.reticle, configurable: true });
}

/** Put the API where the app finds it, unless the name is taken. */
function installApi() {
  if ("reticle" in window) return;
  Object.defineProperty(window, "reticle", { value: makeApi(), configurable: true, writable: true, enumerable: false });
}
