/*
 * Any value of the app as plain JSON: bounded, without credentials, never failing.
 * Where something was left out a marker stands in its place.
 */

const VALUE_BOUNDS = Object.freeze({ depth: 8, items: 200, nodes: 5000, chars: 262144 });
const RESULT_BOUNDS = Object.freeze({ depth: 16, items: 1000, nodes: 40000, chars: 786432 });

/**
 * @param {unknown} value
 * @param {{depth: number, items: number, nodes: number, chars: number}} bounds
 * @param {boolean} [redact] false only where the caller has redacted already
 */
function plain(value, bounds = VALUE_BOUNDS, redact = true) {
  const budget = { nodes: bounds.nodes, chars: bounds.chars };
  return plainValue(value, { bounds, budget, redact, path: new Set() }, 0);
}

function plainText(text, trip) {
  const room = Math.min(LIMIT.VALUE_CHARS, Math.max(0, trip.budget.chars));
  const whole = trip.redact ? scrub(text.slice(0, room + 64)) : text;
  const cut = text.length > room || whole.length > room;
  const kept = wellFormed(cut ? whole.slice(0, room) + TRUNCATED : whole);
  trip.budget.chars -= kept.length;
  return kept;
}

/** Values without parts. @returns {{plain: unknown} | undefined} */
function plainScalar(value, trip) {
  switch (typeof value) {
    case "string":
      return { plain: plainText(value, trip) };
    case "number":
      return { plain: Number.isFinite(value) ? value : String(value) };
    case "boolean":
      return { plain: value };
    case "bigint":
      return { plain: String(value) };
    case "symbol":
      return { plain: String(value) };
    case "function":
      return { plain: `[Function ${value.name || "anonymous"}]` };
    case "undefined":
      return { plain: undefined };
    default:
      return value === null ? { plain: null } : undefined;
  }
}

function plainValue(value, trip, depth) {
  const scalar = plainScalar(value, trip);
  if (scalar) return scalar.plain;
  trip.budget.nodes -= 1;
  if (trip.budget.nodes < 0 || trip.budget.chars <= 0 || depth > trip.bounds.depth) return TRUNCATED;
  if (trip.path.has(value)) return CIRCULAR;
  trip.path.add(value);
  try {
    return plainObject(value, trip, depth);
  } catch {
    return UNSERIALIZABLE;
  } finally {
    trip.path.delete(value);
  }
}

/** The kind of an object, also of one from another frame. */
function kindOf(value) {
  return Object.prototype.toString.call(value).slice(8, -1);
}

function plainObject(value, trip, depth) {
  const kind = kindOf(value);
  if (Array.isArray(value)) return plainList(value, value.length, trip, depth);
  if (kind === "Date") return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString();
  if (kind === "RegExp") return String(value);
  if (kind === "URL") return redactUrl(value.href);
  if (kind === "Map") return plainMap(value, trip, depth);
  if (kind === "Set") return plainList([...value], value.size, trip, depth);
  if (kind === "Error" || kind === "DOMException" || value instanceof Error) {
    return { name: String(value.name), message: plainText(scrubLoose(String(value.message)), trip) };
  }
  if (kind === "ArrayBuffer") return `[ArrayBuffer ${value.byteLength}]`;
  if (ArrayBuffer.isView(value) && typeof value.length === "number") {
    return plainList(Array.prototype.slice.call(value, 0, trip.bounds.items + 1), value.length, trip, depth);
  }
  if (typeof value.nodeType === "number" && typeof value.nodeName === "string") {
    return value.id ? `[Node ${value.nodeName.toLowerCase()}#${value.id}]` : `[Node ${value.nodeName.toLowerCase()}]`;
  }
  if (kind === "Window" || kind === "global") return "[Window]";
  if (kind === "Promise" || kind === "WeakMap" || kind === "WeakSet") return `[${kind}]`;
  return plainFields(Object.keys(value), (key) => value[key], trip, depth);
}

function plainList(list, length, trip, depth) {
  const out = [];
  const end = Math.min(length, trip.bounds.items);
  for (let index = 0; index < end; index += 1) {
    const item = plainValue(list[index], trip, depth + 1);
    out.push(item === undefined ? null : item);
  }
  if (length > end) out.push(TRUNCATED);
  return out;
}

function plainMap(map, trip, depth) {
  const keys = [...map.keys()];
  if (keys.every((key) => key === null || typeof key !== "object")) {
    const byName = new Map(keys.map((key) => [String(key), key]));
    return plainFields([...byName.keys()], (name) => map.get(byName.get(name)), trip, depth);
  }
  return plainList([...map.entries()], map.size, trip, depth);
}

/** A key as it may be told: data kept under a credential as its key must not give it away. */
function plainKey(key, trip) {
  const shown = trip.redact && key.length >= 20 ? scrub(key) : key;
  return wellFormed(shown.length > 256 ? shown.slice(0, 256) : shown);
}

function plainFields(keys, get, trip, depth) {
  const out = {};
  for (const key of keys.slice(0, trip.bounds.items)) {
    const name = plainKey(key, trip);
    trip.budget.chars -= name.length;
    let field;
    try {
      field = get(key);
    } catch {
      field = UNSERIALIZABLE;
    }
    const worth = field !== null && field !== undefined && field !== "" && typeof field !== "boolean";
    const item = trip.redact && worth && isSecretKey(key) ? REDACTED : plainValue(field, trip, depth + 1);
    // defineProperty: a key named "__proto__" must stay a key
    if (item !== undefined) {
      Object.defineProperty(out, name, { value: item, enumerable: true, configurable: true, writable: true });
    }
  }
  if (keys.length > trip.bounds.items) out["…"] = TRUNCATED;
  return out;
}
