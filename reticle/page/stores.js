/*
 * The stores that the app registered, watched for changes: several in one turn are one look, in a turn of our own, so
 * that nothing that the app runs at that moment is tied to the store. A store that is dear to look at, twice on end, rests between two
 * looks, unless an answer is to go.
 */

/** name → what `registerStore` makes of it, or a told value of `tellState` */
const stores = new Map();

/**
 * @param {string} name
 * @param {unknown} store
 * @param {object} [using] what its library lends for it (store_using.js), or `{everyMs}` to have it compared
 */
function registerStore(name, store, using) {
  unregisterStore(name);
  const key = String(name);
  const isLent = isBranch(using);
  const access = isLent ? accessUsing(store, using) : storeAccess(store);
  const entry = { ...access, source: store, stop: undefined, last: undefined, failed: undefined, watched: Boolean(access.subscribe), waiting: true, unlooked: 0 };
  stores.set(key, entry);
  if (isLent) inOwnTurn(key, entry, () => watchStore(key, entry));
  else if (access.subscribe) watchStore(key, entry);
  if (entry.untracked && stores.get(key) === entry) compareStore(key, entry);
  else inOwnTurn(key, entry, () => compareStore(key, entry));
  reportUnwatched();
}

function inOwnTurn(name, entry, work) {
  native.Promise.resolve().then(() => stores.get(name) === entry && attempt("store", work));
}

/** Let a store tell of its changes; one that will not is unwatched. */
function watchStore(name, entry) {
  try {
    const stop = entry.subscribe(() => attempt("store", () => noteStoreChange(name, entry)));
    entry.stop = typeof stop === "function" ? stop : hasMethods(stop, "unsubscribe") ? () => stop.unsubscribe() : undefined;
  } catch (error) {
    entry.watched = false;
    reportFailure("store", error);
    reportUnwatched();
  }
}

function unregisterStore(name) {
  const entry = stores.get(String(name));
  if (!entry) return;
  stores.delete(String(name));
  if (entry.stop) attempt("store", entry.stop);
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
  if (stores.get(name) !== entry) return;
  if (entry.waiting) {
    // what changed and changed back during a rest is not seen
    if (entry.restsUntil !== undefined) entry.unlooked += 1;
    return;
  }
  entry.waiting = true;
  const restMs = restOfStore(entry);
  if (restMs === 0) inOwnTurn(name, entry, () => compareStore(name, entry));
  else native.setTimeout(() => attempt("store", () => compareStore(name, entry)), restMs);
}

/** How long a store is still left alone: looks take at most a share of the page's time. */
function restOfStore(entry) {
  return entry.restsUntil === undefined ? 0 : Math.max(0, entry.restsUntil - native.now());
}

/**
 * Note what a look cost; what takes no time worth a rest is looked at in each turn. One dear look may be the doing of a
 * busy machine, two on end are the store's.
 */
function restAfter(entry, begun) {
  const now = native.now();
  const cost = Math.min(now - begun, entry.lastCost ?? 0);
  entry.lastCost = now - begun;
  entry.restsUntil = cost < LIMIT.STORE_LOOK_MS ? undefined : now + Math.min(cost * LIMIT.STORE_REST, LIMIT.STORE_REST_MS);
}

/** Look at a store and tell what changed since the last look. */
function compareStore(name, entry) {
  if (!entry.waiting || stores.get(name) !== entry) return;
  entry.waiting = false;
  const begun = native.now();
  let look;
  try {
    look = entry.look ? entry.look() : lookAt(entry.get(), entry.keeps, entry.last);
  } catch (error) {
    tellFailed(name, entry, clip(scrubLoose(String((error && error.message) || error)), LIMIT.TEXT_CHARS));
    return;
  }
  if (!look) return;
  tellFailed(name, entry, undefined);
  const before = entry.last;
  entry.last = look;
  if (!before) return;
  const { changes, unseen } = changesBetween(before, look);
  const isBooks = (change) => Boolean(entry.isBookkeeping && entry.isBookkeeping(change.path, change, look.value));
  const books = new Set(changes.filter(isBooks));
  const sides = [before, look].map((one) => ("value" in one ? one.value : one.copy));
  const own = foldChanges(changes.filter((change) => !books.has(change)), ...sides, LIMIT.STORE_CHANGES);
  tellChanges(name, [...own, ...books], (change) => books.has(change));
  restAfter(entry, begun);
  if (unseen && entry.isPolled) leaveUnwatched(entry);
  const dropped = entry.unlooked + (unseen && !entry.isPolled ? 1 : 0);
  entry.unlooked = 0;
  if (dropped > 0) emit(EVENT.TRUNCATED, { channel: EVENT.STATE_CHANGE, dropped });
}

/** Too large to be compared whole, and nobody says when it changes. */
function leaveUnwatched(entry) {
  entry.watched = false;
  reportUnwatched();
}

/** A store whose getter throws is told once, and once when it can be read again. */
function tellFailed(name, entry, failed) {
  if (entry.failed === failed) return;
  if (entry.last) emitStoreChange(name, { path: ["__error"], value: failed ?? null, old: entry.failed ?? null });
  entry.failed = failed;
}

function tellChanges(name, changes, isBookkeeping) {
  for (const change of changes.slice(0, LIMIT.STORE_CHANGES)) {
    emitStoreChange(name, change, isBookkeeping && isBookkeeping(change));
  }
  if (changes.length > LIMIT.STORE_CHANGES) {
    emit(EVENT.TRUNCATED, { channel: EVENT.STATE_CHANGE, dropped: changes.length - LIMIT.STORE_CHANGES });
  }
}

beforeFlush.push((about) => {
  for (const [name, entry] of stores) {
    const isDue = entry.waiting && entry.last && ((about && about.answers) || restOfStore(entry) === 0);
    if (isDue) attempt("store", () => compareStore(name, entry));
  }
});

function emitStoreChange(store, change, bookkeeping = false) {
  const fields = { store, path: change.path.join("."), value: change.value, old: change.old };
  // the last key, or the store's own name, may name a credential; then neither value may go
  if (isSecretKey(change.path.length > 0 ? change.path[change.path.length - 1] : store)) {
    fields.value = REDACTED;
    fields.old = REDACTED;
  }
  if (bookkeeping) fields.bookkeeping = true;
  emit(EVENT.STATE_CHANGE, fields);
}

/** `reticle.state(name, value)`: a value the app tells us instead of a store we read. */
function tellState(name, value) {
  const key = String(name);
  const entry = stores.get(key);
  const last = lookAt(value, false);
  if (entry && entry.told) {
    const { changes, unseen } = changesBetween(entry.last, last);
    entry.last = last;
    entry.value = value;
    tellChanges(key, changes);
    if (unseen) emit(EVENT.TRUNCATED, { channel: EVENT.STATE_CHANGE, dropped: 1 });
    return;
  }
  const told = { told: true, watched: true, value, last, waiting: false };
  told.get = () => told.value;
  stores.set(key, told);
  emitStoreChange(key, { path: [], value: last.copy ?? null, old: null });
}
