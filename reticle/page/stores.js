/*
 * The app's state: stores it registered, read by path and watched for changes.
 */

const DIFF_BOUNDS = Object.freeze({ depth: 6, items: 200, nodes: 4000, chars: 131072 });

/** name → {get, stop, seen, watched} */
const stores = new Map();

/** How a store of this or that library is read and watched. */
function storeAccess(store) {
  if (store && typeof store.getState === "function") {
    return { get: () => store.getState(), subscribe: store.subscribe && ((tell) => store.subscribe(tell)) };
  }
  if (store && typeof store === "object" && "$state" in store) {
    return { get: () => store.$state, subscribe: store.$subscribe && ((tell) => store.$subscribe(tell)) };
  }
  if (store && typeof store.get === "function" && typeof store.subscribe === "function") {
    return { get: () => store.get(), subscribe: (tell) => store.subscribe(tell) };
  }
  if (typeof store === "function") return { get: () => store() };
  if (store && typeof store.subscribe === "function") return svelteAccess(store);
  return { get: () => store };
}

/** A store that only tells its value to subscribers, at once and on each change. */
function svelteAccess(store) {
  let latest;
  return {
    get: () => latest,
    subscribe: (tell) =>
      store.subscribe((value) => {
        latest = value;
        tell();
      }),
  };
}

function registerStore(name, store) {
  unregisterStore(name);
  const key = String(name);
  const { get, subscribe } = storeAccess(store);
  const entry = { get, stop: undefined, seen: undefined, watched: Boolean(subscribe), waiting: false };
  stores.set(key, entry);
  if (subscribe) {
    const stop = subscribe(() => attempt("store", () => noteStoreChange(key, entry)));
    entry.stop = typeof stop === "function" ? stop : stop && stop.unsubscribe && (() => stop.unsubscribe());
  }
  entry.seen = attempt("store", () => plain(get(), DIFF_BOUNDS));
  reportUnwatched();
}

function unregisterStore(name) {
  const entry = stores.get(String(name));
  if (!entry) return;
  if (entry.stop) attempt("store", entry.stop);
  stores.delete(String(name));
  reportUnwatched();
}

let unwatchedReported = 0;
function reportUnwatched() {
  const count = [...stores.values()].filter((entry) => !entry.watched).length;
  if (count === unwatchedReported) return;
  unwatchedReported = count;
  emit(EVENT.BLIND_SPOT, { kind: "unwatched-state", count });
}

/** Several changes in one turn are one look at the store; `beforeFlush` takes that look in time. */
function noteStoreChange(name, entry) {
  if (entry.waiting) return;
  entry.waiting = true;
  native.Promise.resolve().then(() => attempt("store", () => compareStore(name, entry)));
}

function compareStore(name, entry) {
  if (!entry.waiting || stores.get(name) !== entry) return;
  entry.waiting = false;
  const now = plain(entry.get(), DIFF_BOUNDS);
  const changes = [];
  diffValues(entry.seen, now, [], changes);
  entry.seen = now;
  for (const change of changes.slice(0, LIMIT.STORE_CHANGES)) emitStoreChange(name, change);
  if (changes.length > LIMIT.STORE_CHANGES) {
    emit(EVENT.TRUNCATED, { channel: EVENT.STATE_CHANGE, dropped: changes.length - LIMIT.STORE_CHANGES });
  }
}

beforeFlush.push(() => {
  for (const [name, entry] of stores) if (entry.waiting) compareStore(name, entry);
});

function emitStoreChange(store, change) {
  const fields = { store, path: change.path.join("."), value: change.value, old: change.old };
  // the last key, or the store's own name, may name a credential; then neither value may go
  if (isSecretKey(change.path.length > 0 ? change.path[change.path.length - 1] : store)) {
    fields.value = REDACTED;
    fields.old = REDACTED;
  }
  emit(EVENT.STATE_CHANGE, fields);
}

function isBranch(value) {
  return value !== null && typeof value === "object";
}

/** Changed paths between two plain values, deepest first where both are branches of one kind. */
function diffValues(old, now, path, changes) {
  if (old === now) return;
  if (!isBranch(old) || !isBranch(now) || Array.isArray(old) !== Array.isArray(now)) {
    if (!(old === undefined && now === undefined)) changes.push({ path, value: now ?? null, old: old ?? null });
    return;
  }
  const keys = new Set([...Object.keys(old), ...Object.keys(now)]);
  for (const key of keys) {
    diffValues(old[key], now[key], [...path, key], changes);
  }
}

/** `reticle.state(name, value)`: a value the app tells us instead of a store we read. */
function tellState(name, value) {
  const key = String(name);
  const entry = stores.get(key);
  const seen = plain(value, DIFF_BOUNDS);
  if (entry && entry.told) {
    const changes = [];
    diffValues(entry.seen, seen, [], changes);
    entry.seen = seen;
    entry.value = value;
    for (const change of changes.slice(0, LIMIT.STORE_CHANGES)) emitStoreChange(key, change);
    return;
  }
  const told = { told: true, watched: true, value, seen, waiting: false };
  told.get = () => told.value;
  stores.set(key, told);
  emitStoreChange(key, { path: [], value: seen ?? null, old: null });
}
