/*
 * IndexedDB, read for `storage_read`: which databases and stores there are, how much they hold, and some of it. Nothing is
 * made, changed or held up: a database that is gone meanwhile is not made anew, and ours is closed before anything waits.
 */

/** What a request of IndexedDB comes to; null where it fails. */
function settledRequest(request) {
  return new native.Promise((resolve) => {
    listen(request, "success", "indexeddb", () => resolve(request.result));
    listen(request, "error", "indexeddb", () => resolve(null));
  });
}

/** @returns {Promise<IDBDatabase | null>} null where it is not there, or does not open in time */
function openDatabase(name) {
  return new native.Promise((resolve) => {
    let late = false;
    const giveUp = () => {
      late = true;
      resolve(null);
    };
    const request = window.indexedDB.open(name);
    native.setTimeout(giveUp, LIMIT.DATABASE_MS);
    listen(request, "upgradeneeded", "indexeddb", () => request.transaction.abort());
    listen(request, "error", "indexeddb", giveUp);
    listen(request, "success", "indexeddb", () => {
      const database = request.result;
      listen(database, "versionchange", "indexeddb", () => database.close());
      if (late) database.close();
      else resolve(database);
    });
  });
}

/** Names and versions of all databases, by name; null where the page may not know. */
async function databaseNames() {
  try {
    const found = await window.indexedDB.databases();
    return found.map(({ name }) => name).sort();
  } catch {
    return null; // a sandboxed document, or a browser that does not tell
  }
}

/** Do something with an open database. */
async function inDatabase(name, work) {
  const database = await openDatabase(name);
  if (!database) return null;
  try {
    return await work(database);
  } finally {
    database.close();
  }
}

/** What the stores of a database are called and hold. */
async function outlineOf(database) {
  const names = [...database.objectStoreNames];
  const shown = names.slice(0, LIMIT.DATABASE_STORES);
  if (shown.length === 0) return { stores: [] };
  const transaction = database.transaction(shown, "readonly");
  const stores = await native.Promise.all(shown.map(async (name) => {
    const store = transaction.objectStore(name);
    return { name: storedKey(name), keyPath: store.keyPath, indexes: [...store.indexNames], count: await settledRequest(store.count()) };
  }));
  return { version: database.version, stores, ...(names.length > shown.length ? { moreStores: names.length - shown.length } : {}) };
}

/** The first records of a store, in the order of their keys. */
async function recordsOf(database, name) {
  const store = database.transaction([name], "readonly").objectStore(name);
  const [count, keys, values] = await native.Promise.all(
    [store.count(), store.getAllKeys(null, LIMIT.DATABASE_RECORDS), store.getAll(null, LIMIT.DATABASE_RECORDS)].map(settledRequest),
  );
  const records = (values || []).map((value, at) => ({ key: recordKey(keys[at]), value: recordText(keys[at], value) }));
  return { count, records, ...(count > records.length ? { truncated: true } : {}) };
}

/** One record; a key that is a number may be given as text. */
async function recordAt(database, name, key) {
  const store = database.transaction([name], "readonly").objectStore(name);
  const keys = [key, ...(key.trim() !== "" && Number.isFinite(Number(key)) ? [Number(key)] : [])];
  const found = await native.Promise.all(keys.map((each) => settledRequest(store.get(each))));
  const at = found.findIndex((value) => value !== undefined && value !== null);
  return at < 0 ? { found: false, key, value: null } : { found: true, key, value: recordText(keys[at], found[at]) };
}

/** `storage_read` with area `indexeddb`: all databases, one, one store of it, or one record. */
async function readDatabases(args) {
  for (const name of ["database", "store"]) {
    if (args[name] !== undefined && args[name] !== null && typeof args[name] !== "string") throw badArguments(`${name} must be text.`);
  }
  if (args.store && !args.database) throw badArguments("store goes with database.");
  if (typeof args.key === "string" && !args.store) throw badArguments("with area indexeddb a key goes with database and store.");
  const names = await databaseNames();
  const area = "indexeddb";
  if (names === null) return { area, unavailable: true };
  const asked = args.database ? [args.database] : names.slice(0, LIMIT.DATABASES);
  if (args.database && !names.includes(args.database)) return { area, found: false, databases: names.map(storedKey) };
  const databases = [];
  for (const name of asked) {
    const outline = await inDatabase(name, (database) => readDatabase(database, args));
    databases.push({ name: storedKey(name), ...(outline || { unavailable: true }) });
  }
  return { area, databases, ...(asked.length < names.length && !args.database ? { count: names.length } : {}) };
}

async function readDatabase(database, { store, key }) {
  if (!store) return outlineOf(database);
  if (!database.objectStoreNames.contains(store)) return { found: false, store, ...(await outlineOf(database)) };
  return { store, ...(typeof key === "string" ? await recordAt(database, store, key) : await recordsOf(database, store)) };
}
