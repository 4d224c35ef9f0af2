/*
 * localStorage, sessionStorage and cookies: read for `storage_read`, and watched. Values are redacted by their key,
 * by what they are, and inside.
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

/** Last words of keys under which a browser keeps who is signed in, beside those that are secret everywhere. */
const SIGNED_IN = new Set(["session", "sess", "auth", "ticket", "nonce", "csrf", "xsrf"]);
/** What nobody wrote to be read: long, without blanks, letters and digits mixed; no address. */
const OPAQUE = /^(?!\/|https?:)(?=.*\d)(?=.*[a-z])[\w.~+/=%:-]{32,}$/i;

/** Whether a stored value is a credential by its key or, in a cookie, by its looks: servers know people by cookies. */
function isStoredSecret(area, key, value) {
  if (isSecretKey(key)) return true;
  const signedIn = SIGNED_IN.has(keyWords(key).pop());
  const opaque = OPAQUE.test(decoded(value));
  return area === "cookies" ? signedIn || opaque : signedIn && opaque;
}

/** A text without its percent-encoding, as it is where it has none. */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A stored value without secrets; one with secrets below its percent-encoding is told decoded. */
function cleanValue(value) {
  const inside = decoded(value);
  const clean = redactBody(inside);
  return clean === inside ? redactBody(value) : clean;
}

/** A stored value that may be told: null where there is none. */
function storedText(area, key, value) {
  if (value === null || value === undefined) return null;
  if (value !== "" && isStoredSecret(area, key, value)) return REDACTED;
  return clip(wellFormed(cleanValue(value)), LIMIT.STORAGE_CHARS);
}

/** A key that may be told; some apps put credentials into it. */
function storedKey(key) {
  return clip(wellFormed(scrub(key)), 256);
}

/** What one key of an area holds, as it is; null where it holds nothing or cannot be read. */
function storedAt(area, key) {
  if (area === "cookies") return cookieMap()?.get(key) ?? null;
  return isOwnKey(key) ? null : (storageOf(area)?.getItem(key) ?? null);
}

/** How many keys an area has; a map of it ends at ten times what is told. */
function countOf(area, map) {
  if (map.size < 10 * LIMIT.STORAGE_KEYS || area === "cookies") return map.size;
  const storage = storageOf(area);
  let count = 0;
  for (let index = 0; index < storage.length; index += 1) if (!isOwnKey(storage.key(index) ?? "__reticle_")) count += 1;
  return count;
}

/** The `storage_read` command: everything, one area, or one key. */
function runStorageRead(args) {
  allowOnly(args, ["area", "key", "database", "store"], "storage_read");
  if (args.area === "indexeddb") return readDatabases(args);
  if (args.database ?? args.store) throw badArguments("database and store go with area indexeddb.");
  const asked = args.area ?? null;
  if (asked !== null && !AREAS.includes(asked)) throw badArguments(`area is one of ${AREAS.join(", ")}, indexeddb.`);
  if (args.key !== undefined && args.key !== null && typeof args.key !== "string") throw badArguments("key must be text.");
  const areas = asked === null ? AREAS : [asked];
  if (typeof args.key === "string") return readStoredKey(areas, args.key);
  return asked === null && window.indexedDB ? readEverything() : { areas: areas.map(readArea) };
}

/** All areas, and which databases there are beside them. */
async function readEverything() {
  const areas = AREAS.map(readArea);
  const databases = await databaseNames();
  return { areas, ...(databases && databases.length > 0 ? { databases: databases.map(storedKey) } : {}) };
}

function readArea(area) {
  const map = areaMap(area);
  if (!map) return { area, values: {}, count: 0, unavailable: true };
  const values = Object.create(null);
  for (const [key, value] of [...map].slice(0, LIMIT.STORAGE_KEYS)) values[storedKey(key)] = storedText(area, key, value);
  return { area, values, count: countOf(area, map), ...(map.size > LIMIT.STORAGE_KEYS ? { truncated: true } : {}) };
}

/** One key in the first area that has it; areas that cannot be read are told, as they may have it. */
function readStoredKey(areas, key) {
  const holders = areas.filter((area) => storedAt(area, key) !== null);
  const unread = areas.filter((area) => (area === "cookies" ? cookieMap() : storageOf(area)) === null);
  const unavailable = unread.length > 0 ? { unavailable: unread } : {};
  if (holders.length === 0) return { found: false, area: areas.length === 1 ? areas[0] : null, key, value: null, ...unavailable };
  const [area] = holders;
  const value = storedAt(area, key);
  const result = { found: true, area, key, value: storedText(area, key, value) };
  if (result.value !== REDACTED && value.length > LIMIT.STORAGE_CHARS) Object.assign(result, { truncated: true, length: value.length });
  if (holders.length > 1) result.alsoIn = holders.slice(1);
  return result;
}
