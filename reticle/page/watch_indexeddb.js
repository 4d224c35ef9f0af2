/*
 * `storage.change` of IndexedDB: what a transaction wrote, told when it is over, with how it ended. A write of an aborted
 * transaction never was one.
 */

/** Transaction → its writes so far. @type {WeakMap<IDBTransaction, {writes: object[], more: number}>} */
const databaseWrites = new WeakMap();
const RECORD_BOUNDS = Object.freeze({ depth: 6, items: 50, nodes: 500, chars: 8192 });

/** A key as text: keys are numbers, dates, texts, bytes, lists of those, or a range. */
function recordKey(key) {
  if (key === undefined || key === null) return null;
  if (typeof key === "string") return storedKey(key);
  if (kindOf(key) === "IDBKeyRange") return `${recordKey(key.lower) ?? ""}..${recordKey(key.upper) ?? ""}`;
  if (key.byteLength !== undefined) return `[binary ${key.byteLength} bytes]`;
  return storedKey(kindOf(key) === "Date" ? plain(key) : String(native.stringify(plain(key, RECORD_BOUNDS))));
}

/** A record as text, without secrets; those of a key that names one are secret whatever they are. */
function recordText(key, value) {
  if (value === undefined) return null;
  if (typeof value === "string") return storedText("indexeddb", typeof key === "string" ? key : "", value);
  if (typeof key === "string" && isSecretKey(key)) return REDACTED;
  return clip(wellFormed(String(native.stringify(plain(value, RECORD_BOUNDS)))), LIMIT.STORAGE_CHARS);
}

function tellDatabase(fields) {
  emitRated(EVENT.STORAGE_CHANGE, { area: "indexeddb", ...fields });
}

/** The writes of a transaction, which are told at its end. */
function writesOf(transaction) {
  const known = databaseWrites.get(transaction);
  if (known) return known;
  const book = { writes: [], more: 0 };
  databaseWrites.set(transaction, book);
  const over = (outcome) => () => {
    for (const { failed, ...write } of book.writes) tellDatabase({ ...write, outcome: failed ? "failed" : outcome });
    if (book.more > 0) emit(EVENT.TRUNCATED, { channel: EVENT.STORAGE_CHANGE, dropped: book.more });
    databaseWrites.delete(transaction);
  };
  listen(transaction, "complete", "indexeddb", over("complete"));
  listen(transaction, "abort", "indexeddb", over("aborted"));
  return book;
}

/** Take one write; what it writes is read before the browser does, as the app may change the object afterwards. */
function observeWrite(store, op, key, value) {
  const { transaction } = store;
  const book = writesOf(transaction);
  if (book.writes.length >= LIMIT.DATABASE_WRITES) {
    book.more += 1;
    return undefined;
  }
  // a key inside of the record names a credential just as well as one beside it
  const named = key === undefined ? heldIn(value, store.keyPath) : key;
  const write = { database: transaction.db.name, store: store.name, op, key: recordKey(key), new: recordText(named, value) };
  return {
    returned(request) {
      book.writes.push(write);
      listen(request, "success", "indexeddb", () => {
        if (op === "put" || op === "add") write.key = recordKey(request.result);
      });
      listen(request, "error", "indexeddb", () => {
        // each request of an aborted transaction fails as well
        write.failed = request.error && request.error.name !== "AbortError";
      });
      return request;
    },
  };
}

/** The store of a cursor over it or over one of its indexes. */
function storeOfCursor(cursor) {
  return cursor.source.objectStore || cursor.source;
}

/** @param {Window} [view] this window, or that of a frame of this origin */
function startDatabaseWatch(view = window) {
  if (!view.IDBObjectStore) return;
  const { prototype } = view.IDBObjectStore;
  for (const op of ["put", "add"]) {
    replaceFunction(prototype, op, "indexeddb", (store, [value, key]) => observeWrite(store, op, key, value));
  }
  replaceFunction(prototype, "delete", "indexeddb", (store, [key]) => observeWrite(store, "delete", key));
  replaceFunction(prototype, "clear", "indexeddb", (store) => observeWrite(store, "clear"));
  const cursors = view.IDBCursor && view.IDBCursor.prototype;
  replaceFunction(cursors, "update", "indexeddb", (cursor, [value]) => observeWrite(storeOfCursor(cursor), "put", cursor.primaryKey, value));
  replaceFunction(cursors, "delete", "indexeddb", (cursor) => observeWrite(storeOfCursor(cursor), "delete", cursor.primaryKey));
  replaceFunction(view.IDBFactory.prototype, "deleteDatabase", "indexeddb", (factory, [name]) => ({
    returned(request) {
      listen(request, "success", "indexeddb", () => {
        tellDatabase({ database: storedKey(String(name)), store: null, op: "delete-database", key: null, new: null, outcome: "complete" });
      });
      return request;
    },
  }));
}
