/*
 * localStorage, sessionStorage and cookies: read for `storage_read`, and watched. Values are redacted by their key,
 * and inside by what they are.
 */

const AREA = Object.freeze({ local: "localStorage", session: "sessionStorage" });
const AREAS = Object.freeze(["local", "session", "cookies"]);

/** What our own script keeps is none of the app's. */
function isOwnKey(key) {
  return key.startsWith("__reticle_");
}

/** The browser's object of an area, or null where it is forbidden. */
function storageOf(area) {
  try {
    return window[AREA[area]] || null;
  } catch {
    return null;
  }
}

/** Cookies that scripts may see; the value of a name that stands twice is the first one, as servers read them. */
function cookieMap() {
  const map = new Map();
  let text = "";
  try {
    text = document.cookie;
  } catch {
    return null; // a sandboxed document has none
  }
  for (const part of text.split(/;\s*/)) {
    const at = part.indexOf("=");
    const name = at < 0 ? "" : part.slice(0, at);
    if (part !== "" && !map.has(name)) map.set(name, part.slice(at + 1));
  }
  return map;
}

/** Everything of one area as it is, not redacted; null where it cannot be read. */
function areaMap(area) {
  if (area === "cookies") return cookieMap();
  const storage = storageOf(area);
  if (!storage) return null;
  const map = new Map();
  for (let index = 0; index < storage.length && map.size < 10 * LIMIT.STORAGE_KEYS; index += 1) {
    const key = storage.key(index);
    if (key !== null && !isOwnKey(key)) map.set(key, storage.getItem(key) ?? "");
  }
  return map;
}

/** A stored value that may be told: null where there is none. */
function storedText(key, value) {
  if (value === null || value === undefined) return null;
  if (isSecretKey(key) && value !== "") return REDACTED;
  return clip(wellFormed(redactBody(value)), LIMIT.STORAGE_CHARS);
}

/** The `storage_read` command: everything, one area, or one key. */
function runStorageRead(args) {
  allowOnly(args, ["area", "key"], "storage_read");
  const asked = args.area ?? null;
  if (asked !== null && !AREAS.includes(asked)) throw badArguments(`area is one of ${AREAS.join(", ")}.`);
  if (args.key !== undefined && args.key !== null && typeof args.key !== "string") throw badArguments("key must be text.");
  const areas = asked === null ? AREAS : [asked];
  return typeof args.key === "string" ? readStoredKey(areas, args.key) : { areas: areas.map(readArea) };
}

function readArea(area) {
  const map = areaMap(area);
  if (!map) return { area, values: {}, count: 0, unavailable: true };
  const values = Object.create(null);
  for (const [key, value] of [...map].slice(0, LIMIT.STORAGE_KEYS)) values[key] = storedText(key, value);
  return { area, values, count: map.size, ...(map.size > LIMIT.STORAGE_KEYS ? { truncated: true } : {}) };
}

/** One key in the first area that has it. */
function readStoredKey(areas, key) {
  const holders = areas.filter((area) => areaMap(area)?.has(key));
  if (holders.length === 0) return { found: false, area: areas.length === 1 ? areas[0] : null, key, value: null };
  const [area] = holders;
  const result = { found: true, area, key, value: storedText(key, areaMap(area).get(key)) };
  if (holders.length > 1) result.alsoIn = holders.slice(1);
  return result;
}
