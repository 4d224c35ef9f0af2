/*
 * What was ordered: a store with the usual two methods.
 */
const listeners = new Set();
let state = { names: [], said: "" };

export const orders = {
  onSaved: () => {},
  get: () => state,
  subscribe(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  set(change) {
    state = { ...state, ...change };
    for (const listener of listeners) listener(state);
  },
};
