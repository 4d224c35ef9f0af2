"""
The scripts that read the IndexedDB databases of a document's origin and put them back: what many sign-in
kits keep their tokens in.

Values go as JSON in which all that JSON has no word for is tagged. A database that holds something else (a
file, a key that may not leave the browser), or that does not fit, is left out as a whole and named: half of
one would be another state than the app ever had.
"""

from __future__ import annotations

from typing import Final

from reticle.model.browser_limits import LOGIN_DATABASE_CHARS, LOGIN_DATABASE_MS, LOGIN_RECORDS

_READ: Final = """(async (most, mostRecords, mostMs) => {
  const kept = [], left = [];
  let room = most;
  const base64 = (bytes) => {
    let text = "";
    for (const byte of bytes) text += String.fromCharCode(byte);
    return btoa(text);
  };
  const encoded = (value, depth) => {
    if ((room -= 8) < 0 || depth > 60) throw new Error("too large");
    const each = (inner) => encoded(inner, depth + 1);
    if (typeof value === "string") {
      room -= value.length;
      return value;
    }
    if (value === null || typeof value === "boolean") return value;
    if (typeof value === "number") {
      if (Object.is(value, -0)) return { t: "number", v: "-0" };
      return Number.isFinite(value) ? value : { t: "number", v: String(value) };
    }
    if (value === undefined) return { t: "undefined" };
    if (typeof value === "bigint") return { t: "bigint", v: String(value) };
    if (Array.isArray(value)) return { t: "array", v: value.map(each) };
    if (value instanceof Date) return { t: "date", v: each(value.getTime()) };
    if (value instanceof Map) return { t: "map", v: [...value].map((pair) => pair.map(each)) };
    if (value instanceof Set) return { t: "set", v: [...value].map(each) };
    if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
      room -= value.byteLength * 1.4;
      if (room < 0) throw new Error("too large");
      const view = ArrayBuffer.isView(value);
      const bytes = new Uint8Array(...(view ? [value.buffer, value.byteOffset, value.byteLength] : [value]));
      return { t: "bytes", k: value.constructor.name, v: base64(bytes) };
    }
    if (Object.getPrototypeOf(value) !== Object.prototype) {
      throw new Error(`holds a ${value.constructor.name}`);
    }
    const entries = Object.entries(value);
    for (const [name] of entries) room -= name.length;
    return { t: "object", v: entries.map(([name, inner]) => [name, each(inner)]) };
  };
  const done = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = request.onblocked = () => reject(request.error || new Error("in use"));
  });
  const read = async (database) => {
    const stores = [];
    for (const name of database.objectStoreNames) {
      const store = database.transaction(name).objectStore(name);
      if ((await done(store.count())) > mostRecords) throw new Error("too many records");
      const [keys, values] = await Promise.all([done(store.getAllKeys()), done(store.getAll())]);
      const indexes = [...store.indexNames].map((each) => {
        const index = store.index(each);
        const { keyPath, unique, multiEntry } = index;
        return { name: each, keyPath, unique, multiEntry };
      });
      const records = keys.map((key, at) => [encoded(key, 0), encoded(values[at], 0)]);
      stores.push({ name, keyPath: store.keyPath, autoIncrement: store.autoIncrement, indexes, records });
    }
    return stores;
  };
  const all = async () => {
    for (const { name, version } of await indexedDB.databases()) {
      let database = null;
      try {
        database = await done(indexedDB.open(name));
        kept.push({ name, version, stores: await read(database) });
      } catch (fault) {
        left.push(`${name}: ${fault.message}`.slice(0, 200));
      } finally {
        if (database !== null) database.close();
      }
    }
  };
  const late = new Promise((_, reject) => setTimeout(() => reject(new Error("it took too long")), mostMs));
  await Promise.race([all(), late]).catch((fault) => left.push(`*: ${fault.message}`.slice(0, 200)));
  return { databases: [...kept], left: [...left] };
})"""
READ: Final = f"{_READ}({LOGIN_DATABASE_CHARS}, {LOGIN_RECORDS}, {LOGIN_DATABASE_MS})"
"""Gives ``{databases, left}``; never fails."""

WRITE: Final = """(async (databases) => {
  const bytes = ({ k, v }) => {
    const { buffer } = Uint8Array.from(atob(v), (letter) => letter.charCodeAt(0));
    return k === "ArrayBuffer" ? buffer : new globalThis[k](buffer);
  };
  const made = {
    number: ({ v }) => Number(v),
    undefined: () => undefined,
    bigint: ({ v }) => BigInt(v),
    array: ({ v }) => v.map(decoded),
    date: ({ v }) => new Date(decoded(v)),
    map: ({ v }) => new Map(v.map(([key, inner]) => [decoded(key), decoded(inner)])),
    set: ({ v }) => new Set(v.map(decoded)),
    bytes,
    object: ({ v }) => Object.fromEntries(v.map(([name, inner]) => [name, decoded(inner)])),
  };
  const decoded = (value) => (value !== null && typeof value === "object" ? made[value.t](value) : value);
  const opened = ({ name, version, stores }) => new Promise((resolve, reject) => {
    const request = indexedDB.open(name, version);
    request.onupgradeneeded = () => {
      for (const { name, keyPath, autoIncrement, indexes, records } of stores) {
        const store = request.result.createObjectStore(name, { keyPath, autoIncrement });
        for (const index of indexes) store.createIndex(index.name, index.keyPath, index);
        for (const [key, value] of records) {
          keyPath === null ? store.add(decoded(value), decoded(key)) : store.add(decoded(value));
        }
      }
    };
    request.onsuccess = () => resolve(request.result.close());
    request.onerror = request.onblocked = () => reject(request.error || new Error("in use"));
  });
  for (const database of databases) await opened(database).catch(() => undefined);
})"""
"""Takes the ``databases`` that ``READ`` gave, in a context that has none."""
