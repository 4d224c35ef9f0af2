/*
 * How the calls by which an app schedules something are read and replaced (pending.js): what is the browser's to read is
 * read once, and by the browser.
 */

/** An option's value if it is plain; an app's own getter is left to the browser and not run twice. */
function plainOption(options, name) {
  const found = typeof options === "object" && options !== null && Object.getOwnPropertyDescriptor(options, name);
  return found ? found.value : undefined;
}

/** What the browser makes of a delay; an object's own conversion is left to the browser and not run twice. */
function delayOf(given) {
  if (typeof given === "object" || typeof given === "function" || typeof given === "symbol" || typeof given === "bigint") return 0;
  return Math.max(0, given | 0);
}

/** Put a stand-in in the place of `owner[name]`; kept lean, because apps set and clear timers by the million. */
function standIn(owner, name, apply) {
  const found = owner && Object.getOwnPropertyDescriptor(owner, name);
  if (!found || typeof found.value !== "function") return;
  const text = native.functionText.bind(found.value);
  const get = (target, key) => (key === "toString" ? text : Reflect.get(target, key));
  const value = new Proxy(found.value, { apply, get });
  replacements.add(value);
  Object.defineProperty(owner, name, { ...found, value });
}

/** What is cleared is forgotten, by whatever a browser takes for its number. */
const clearing = (...cleared) => (target, self, args) => {
  const [id] = args;
  if (typeof id === "number" || typeof id === "string" || typeof id === "boolean") for (const book of cleared) book.delete(id | 0);
  return Reflect.apply(target, self, args);
};

/** Whether a window is still one that we may enter. */
function isThere(view) {
  try {
    return Boolean(view && view.document && !view.closed);
  } catch {
    return false; // it belongs to another origin now
  }
}

/**
 * Whether a one-shot never runs: long after its time, and still so at a later look, for the page may only have been
 * busy before the first. A hidden tab's are late by minutes.
 */
function wasClearedUnseen(entry, now) {
  if (document.hidden || entry.due + LIMIT.TIMER_LATE_MS >= now) return false;
  entry.missedAt ??= now;
  return now - entry.missedAt > LIMIT.TIMER_MISSED_MS;
}
