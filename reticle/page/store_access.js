/*
 * How a store is read and watched, told by its shape: no library is loaded for it and none is asked for its version.
 * `untracked` stores may be read in the app's own turn; reading the others there could tie what the app runs at that
 * moment to the store. `keeps` says that the store replaces its values and changes none in place.
 */

function hasMethods(value, ...names) {
  return Boolean(value) && names.every((name) => typeof value[name] === "function");
}

/** An object whose fields are read when they are looked at, so that one that throws costs only itself. */
function lazyView(names, read) {
  const view = {};
  for (const name of names) {
    Object.defineProperty(view, name, { get: () => read(name), enumerable: true, configurable: true });
  }
  return view;
}

/** A store that only tells its value to subscribers: Svelte's at once and on each change, an observable when it has one. */
function toldAccess(store) {
  let latest;
  let isTold = false;
  return {
    get() {
      if (!isTold) throw new Error("the store has told no value yet");
      return latest;
    },
    subscribe: (tell) =>
      store.subscribe((value) => {
        latest = value;
        isTold = true;
        tell();
      }),
  };
}

/** Pinia: state and getters of one store, its actions left out. */
function piniaView(store) {
  const isShown = (name) => {
    if (/^[$_]/.test(name)) return false;
    try {
      return typeof store[name] !== "function";
    } catch {
      return true;
    }
  };
  const own = Object.keys(store).filter(isShown);
  const state = store.$state;
  return lazyView([...new Set([...Object.keys(state), ...own])], (name) => (name in store ? store[name] : state[name]));
}

/** Its watcher outlives the component that registers, and looks once for all changes of a turn: it goes through all. */
function subscribePinia(store, tell) {
  return store.$subscribe(tell, { detached: true });
}

/**
 * A whole Pinia: its stores by their ids. Those made later are met by a plugin of ours, which Pinia only asks once it
 * is installed in an app, and else at the next look.
 */
function piniaRootAccess(pinia) {
  const stops = new Map();
  let tellAll;
  const follow = () => {
    if (!tellAll) return;
    for (const store of pinia._s.values()) if (!stops.has(store)) stops.set(store, subscribePinia(store, tellAll));
  };
  return {
    get() {
      follow();
      return lazyView([...pinia._s.keys()], (id) => piniaView(pinia._s.get(id)));
    },
    subscribe(tell) {
      tellAll = tell;
      follow();
      // no plugin can be taken out again: it does nothing once this is over
      pinia.use(() => {
        if (tellAll) tellAll();
      });
      return () => {
        tellAll = undefined;
        for (const stop of stops.values()) stop();
        stops.clear();
      };
    },
  };
}

/** XState: what an actor's snapshot says, without the machine that it belongs to. */
function actorAccess(actor) {
  return {
    get() {
      const { status, value, context, output, error } = actor.getSnapshot();
      const view = { status, value, context, output, error };
      for (const [name, field] of Object.entries(view)) if (field === undefined) delete view[name];
      return view;
    },
    subscribe: hasMethods(actor, "subscribe") ? (tell) => actor.subscribe(tell) : undefined,
    untracked: true,
    keeps: true,
  };
}

/** The own and inherited names that MobX keeps on an object, computed ones too, which are not enumerable. */
function mobxView(value) {
  if (!isBranch(value)) return value;
  if (value.isMobXObservableValue === true || value.isMobXComputedValue === true) return value.get();
  if (!isMobx(value) || kindOf(value) !== "Object") return value;
  const names = new Set(Object.keys(value));
  for (let owner = value; owner && owner !== Object.prototype; owner = Object.getPrototypeOf(owner)) {
    for (const [name, found] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
      if (typeof found.get === "function" && name !== "__proto__") names.add(name);
    }
  }
  return lazyView(names, (name) => value[name]);
}

function isMobx(value) {
  if (!isBranch(value)) return false;
  if (value.isMobXObservableValue === true || value.isMobXComputedValue === true) return true;
  return Object.getOwnPropertySymbols(value).some((symbol) => symbol.description === "mobx administration");
}

const isPiniaRoot = (store) => store._s instanceof Map && hasMethods(store, "install", "use");
const isVueRef = (store) => isBranch(store) && store.__v_isRef === true;

/** A store with a way to read it and perhaps one to be told of changes. */
function readAndTell(store, read, more) {
  return { get: () => store[read](), subscribe: hasMethods(store, "subscribe") ? (tell) => store.subscribe(tell) : undefined, ...more };
}

/**
 * @param {unknown} store
 * @returns {{get: () => unknown, subscribe?: (tell: () => void) => unknown, untracked?: boolean, keeps?: boolean,
 *   isBookkeeping?: (path: string[], change: object, value: unknown) => boolean}}
 */
function storeAccess(store) {
  if (hasMethods(store, "getState")) {
    // Redux, and Zustand as a store or as a hook, replace what changes; of another store that is not known
    const keeps = hasMethods(store, "dispatch") || hasMethods(store, "setState", "getInitialState");
    return readAndTell(store, "getState", { untracked: true, keeps, isBookkeeping: isQuerySlice });
  }
  if (hasMethods(store, "getQueryCache", "getMutationCache")) return queryClientAccess(store);
  if (hasMethods(store, "getSnapshot", "send")) return actorAccess(store);
  if (isBranch(store) && isPiniaRoot(store)) return piniaRootAccess(store);
  if (isBranch(store) && "$state" in store) {
    return { get: () => piniaView(store), subscribe: store.$subscribe && ((tell) => subscribePinia(store, tell)) };
  }
  if (isMobx(store)) return { get: () => mobxView(store) };
  if (isVueRef(store)) return { get: () => store.value };
  if (hasMethods(store, "get", "sub", "set")) return atomsAccess(store, {});
  if (hasMethods(store, "get", "subscribe")) return readAndTell(store, "get");
  if (hasMethods(store, "peek", "subscribe")) return readAndTell(store, "peek", { untracked: true });
  if (hasMethods(store, "getValue", "subscribe")) return readAndTell(store, "getValue");
  if (typeof store === "function") return { get: () => store() };
  if (hasMethods(store, "subscribe")) return toldAccess(store);
  return { get: () => store };
}
