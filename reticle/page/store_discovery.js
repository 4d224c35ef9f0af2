/*
 * Stores that nobody registered, found where their framework keeps them within reach: Redux and TanStack Query in
 * React's tree, Pinia and Vue Query in a Vue app, Alpine's stores, `window.store`. They are looked for when state is
 * asked for, read and never watched; and any global that a script set can be read by its name, as `window.NAME`.
 */

const isReduxStore = (value) => isBranch(value) && hasMethods(value, "getState", "dispatch", "subscribe");
const isQueryClient = (value) => isBranch(value) && hasMethods(value, "getQueryCache", "getMutationCache");

/** An own field that holds a value; a getter of the app's is not run. */
function heldIn(owner, name) {
  const found = (isBranch(owner) || typeof owner === "function") && Object.getOwnPropertyDescriptor(owner, name);
  return found && "value" in found ? found.value : undefined;
}

/** The root fiber of an element that React renders into, in the names of React 16, 17 and later. */
function rootFiber(element) {
  const key = Object.keys(element).find((name) => name.startsWith("__reactContainer$"));
  const root = key ? heldIn(element[key], "stateNode") : element._reactRootContainer && (element._reactRootContainer._internalRoot || element._reactRootContainer);
  return isBranch(root) ? root.current : undefined;
}

/** What the providers in a React tree give to the components below. */
function* providedIn(top, budget) {
  const waiting = [top];
  while (waiting.length > 0 && budget.left > 0) {
    const fiber = waiting.pop();
    budget.left -= 1;
    const properties = fiber.memoizedProps;
    if (isBranch(properties)) {
      const value = heldIn(properties, "value");
      yield* [heldIn(properties, "store"), heldIn(properties, "client"), value, heldIn(value, "store")];
    }
    if (fiber.sibling) waiting.push(fiber.sibling);
    if (fiber.child) waiting.push(fiber.child);
  }
}

/** What a Vue app gives to its components. */
function* providedBy(app) {
  const globals = app.config && app.config.globalProperties;
  const pinia = heldIn(globals, "$pinia");
  if (pinia && pinia._s instanceof Map) for (const [id, store] of pinia._s) yield { name: String(id), store };
  const provides = app._context && app._context.provides;
  for (const key of isBranch(provides) ? Object.keys(provides) : []) {
    if (isQueryClient(provides[key])) yield { name: "queryClient", store: provides[key] };
  }
}

function nameOfFound(store) {
  if (isReduxStore(store)) return "redux";
  return isQueryClient(store) ? "queryClient" : undefined;
}

/** Everything within reach. @returns {Generator<{name: string, store: unknown}>} */
function* reachableStores() {
  for (const global of ["store", "__TANSTACK_QUERY_CLIENT__"]) {
    const store = heldIn(window, global);
    if (nameOfFound(store)) yield { name: nameOfFound(store), store };
  }
  const budget = { left: LIMIT.DISCOVERY_NODES };
  let looked = 0;
  for (const element of elementsIn(document)) {
    looked += 1;
    if (looked > LIMIT.DISCOVERY_NODES) break;
    const top = rootFiber(element);
    if (top) {
      for (const store of providedIn(top, budget)) if (nameOfFound(store)) yield { name: nameOfFound(store), store };
    }
    if (element.__vue_app__) yield* providedBy(element.__vue_app__);
  }
  const alpine = attempt("discovery", alpineStores);
  for (const name of isBranch(alpine) ? Object.keys(alpine) : []) yield { name, store: alpine[name], get: () => alpine[name] };
}

/** What one reading found; the next looks again, for an app may have put another store in a store's place. */
let foundStores = null;

/** Read state; what is found for it is forgotten afterwards, and nothing of the app's is kept alive by it. */
function withDiscovery(read) {
  foundStores = null;
  try {
    return read();
  } finally {
    foundStores = null;
  }
}

/** name → {get, source}; a store that is registered is not found a second time. */
function discoveredStores() {
  foundStores ??= lookForStores();
  return foundStores;
}

function lookForStores() {
  const all = new Map();
  const known = new Set([...stores.values()].map((entry) => entry.source));
  attempt("discovery", () => {
    for (const { name, store, get } of reachableStores()) {
      if (known.has(store) || all.size >= LIMIT.DISCOVERED) continue;
      if (isBranch(store) || typeof store === "function") known.add(store);
      let free = name;
      for (let number = 2; stores.has(free) || all.has(free); number += 1) free = `${name}${number}`;
      all.set(free, { get: get || storeAccess(store).get, source: store });
    }
  });
  return all;
}

/** Whether a value has these methods, own or inherited; no getter of the app's is run to see it. */
function holdsMethods(value, ...names) {
  return names.every((name) => {
    for (let owner = value; owner; owner = Object.getPrototypeOf(owner)) {
      const found = Object.getOwnPropertyDescriptor(owner, name);
      if (found) return typeof found.value === "function";
    }
    return false;
  });
}

/** Whether a value is a store of a library that reading does nothing to. A `get` or `subscribe` alone may do anything. */
function isLibraryStore(value) {
  if (!isBranch(value) && typeof value !== "function") return false;
  if (holdsMethods(value, "getState", "subscribe", "dispatch") || holdsMethods(value, "getState", "subscribe", "setState")) return true;
  if (!isBranch(value)) return false;
  if (holdsMethods(value, "getQueryCache", "getMutationCache") || holdsMethods(value, "getSnapshot", "send", "subscribe")) return true;
  return isMobx(value) || isVueRef(value) || isPiniaRoot(value) || "$state" in value;
}

/**
 * A global that a script set, by `window.NAME`; what the browser or a getter of the app's gives is none. What is no store of
 * a library is read as it lies: a function is never called.
 */
function globalStore(name) {
  const [, global] = /^window\.([A-Za-z_$][\w$]*)$/.exec(name) || [];
  const held = global && Object.getOwnPropertyDescriptor(window, global);
  if (!held || !("value" in held)) return null;
  const source = held.value;
  return { get: isLibraryStore(source) ? storeAccess(source).get : () => source, source };
}

/** A store by its name: registered, found, or a global. @returns {{get: () => unknown, discovered?: true} | null} */
function storeNamed(name) {
  if (stores.has(name)) return stores.get(name);
  const entry = discoveredStores().get(name) || globalStore(name);
  return entry ? { ...entry, discovered: true } : null;
}
