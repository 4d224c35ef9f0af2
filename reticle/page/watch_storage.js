/*
 * `storage.change`: what is written to localStorage, sessionStorage and cookies, whoever does it and however.
 * Method calls are seen as they happen, one event each; other tabs and servers' cookies as the browser tells them;
 * plain assignments (`localStorage.theme = "dark"`) by comparing, while an area has at most LIMIT.STORAGE_KEYS keys.
 */

/** area → key → value at the last look; null where the area cannot be read */
const storedBefore = { local: null, session: null, cookies: null };

function noteStored(area, key, old, now) {
  if (old === now || isOwnKey(key)) return;
  const known = storedBefore[area];
  if (known) {
    if (now === null) known.delete(key);
    else known.set(key, now);
  }
  emitRated(EVENT.STORAGE_CHANGE, { area, key: storedKey(key), old: storedText(area, key, old), new: storedText(area, key, now) });
}

/** Report what differs from the last look, for writes that nothing announced. */
function sweepArea(area) {
  const known = storedBefore[area];
  if (!known) return;
  const now = areaMap(area);
  if (!now) return;
  for (const [key, value] of now) {
    const old = known.get(key) ?? null;
    const huge = value.length > LIMIT.STORAGE_COMPARED_CHARS;
    if (old === null || (huge ? old.length !== value.length : old !== value)) noteStored(area, key, old, value);
  }
  for (const key of [...known.keys()]) if (!now.has(key)) noteStored(area, key, known.get(key), null);
}

function areaOf(storage) {
  return storage === storageOf("local") ? "local" : storage === storageOf("session") ? "session" : null;
}

/** Look at one key before and after the app's call. */
function observeItem(storage, [name]) {
  const area = areaOf(storage);
  if (!area || name === undefined) return undefined;
  const key = String(name);
  const old = storage.getItem(key);
  return {
    returned(result) {
      noteStored(area, key, old, storage.getItem(key));
      return result;
    },
  };
}

function observeClear(storage) {
  const area = areaOf(storage);
  return {
    returned(result) {
      if (area) sweepArea(area);
      return result;
    },
  };
}

/** A write of another tab; it tells the old value itself. */
function observeOtherTab(event) {
  causes.boundary();
  const area = areaOf(event.storageArea);
  if (!area) return;
  if (event.key === null) sweepArea(area);
  else noteStored(area, event.key, storedBefore[area]?.get(event.key) ?? event.oldValue, event.newValue);
}

function startStorageWatch() {
  const proto = window.Storage && window.Storage.prototype;
  for (const area of AREAS) storedBefore[area] = areaMap(area);
  replaceFunction(proto, "setItem", "storage", observeItem);
  replaceFunction(proto, "removeItem", "storage", observeItem);
  replaceFunction(proto, "clear", "storage", observeClear);
  listen(window, "storage", "storage", observeOtherTab);
  // reading cookies costs a trip to another process: only when one was set, by the page or as the browser tells
  watchAccessor(window.Document.prototype, "cookie", "cookie", () => sweepArea("cookies"));
  if (window.cookieStore) listen(window.cookieStore, "change", "cookie", () => sweepArea("cookies"));
  // an answer that leads to another document may change them too late for the browser to tell this one
  leaving.listeners.add(() => sweepArea("cookies"));
  beforeFlush.push(() => {
    for (const area of Object.keys(AREA)) if (storedBefore[area]?.size <= LIMIT.STORAGE_KEYS) sweepArea(area);
  });
}
