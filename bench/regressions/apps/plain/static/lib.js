/** What every page needs: elements, the API, messages, stores. */

export const byId = (id) => document.getElementById(id);

export class ApiError extends Error {
  constructor(status, body) {
    super(body?.error ?? `The server answered ${status}`);
    this.status = status;
    this.body = body;
  }
}

export async function api(method, path, body) {
  const answer = await fetch(path, {
    method,
    headers: body === undefined ? {} : { "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const value = answer.status === 204 ? null : await answer.json();
  if (!answer.ok) throw new ApiError(answer.status, value);
  return value;
}

export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") {
      for (const [type, listener] of Object.entries(value)) made.addEventListener(type, listener);
    } else if (value !== false && value !== undefined) {
      made.setAttribute(name, value === true ? "" : value);
    }
  }
  made.append(...children);
  return made;
}

let fading;

export function announce(words, { kind = "status", forMs = 4000 } = {}) {
  const place = byId("message");
  place.setAttribute("role", kind);
  place.textContent = words;
  clearTimeout(fading);
  fading = setTimeout(() => (place.textContent = ""), forMs);
}

/** A state that pages listen to; it is registered with reticle where that is there. */
export function createStore(name, initial) {
  let state = initial;
  const listeners = new Set();
  const store = {
    getState: () => state,
    setState(part) {
      state = { ...state, ...part };
      for (const listener of listeners) listener(state);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  window.reticle?.registerStore(name, store);
  return store;
}

export const debounced = (run, ms) => {
  let due;
  return (...given) => {
    clearTimeout(due);
    due = setTimeout(() => run(...given), ms);
  };
};
