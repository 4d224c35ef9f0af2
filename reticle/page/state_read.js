/*
 * Reading the app's state by path: own properties, list indices, `length`, Map keys, Set positions.
 */

/** What a store holds now; a getter of the app's that throws is told as such. */
function storeValue(entry) {
  try {
    return { value: entry.get() };
  } catch (error) {
    return { value: { __error: String((error && error.message) || error) } };
  }
}

/** Step names of a value: what may come after the dot. */
function stepNames(value) {
  if (value === null || (typeof value !== "object" && typeof value !== "function")) return [];
  try {
    if (kindOf(value) === "Map") return [...value.keys()].map(String);
    if (kindOf(value) === "Set") return [...value.keys()].map((_, index) => String(index));
    return Object.keys(value);
  } catch {
    return [];
  }
}

/** One step down. @returns {{value: unknown} | null} null when there is no such thing */
function stepInto(value, step) {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return step === "length" ? { value: value.length } : null;
  if (typeof value !== "object" && typeof value !== "function") return null;
  const kind = kindOf(value);
  if (kind === "Map" || kind === "Set") {
    if (step === "size" || step === "length") return { value: value.size };
    const index = kind === "Set" && /^(0|[1-9]\d*)$/.test(step) ? Number(step) : -1;
    if (kind === "Set") return index >= 0 && index < value.size ? { value: [...value][index] } : null;
    const key = [...value.keys()].find((candidate) => typeof candidate !== "object" && String(candidate) === step);
    return key === undefined && !value.has(undefined) ? null : { value: value.get(key) };
  }
  if (Array.isArray(value) && step !== "length" && !/^(0|[1-9]\d*)$/.test(step)) return null;
  if (!Object.hasOwn(value, step) && !(step === "length" && ArrayBuffer.isView(value))) return null;
  try {
    return { value: value[step] };
  } catch {
    return { value: UNSERIALIZABLE };
  }
}

/**
 * Walk a dotted path. A key that has dots itself is found too: the longest fitting key wins.
 * @returns {{found: true, value: unknown, steps: string[]} | {found: false, at: unknown}}
 */
function walkPath(root, path) {
  let value = root;
  let steps = path === "" ? [] : path.split(".");
  const walked = [];
  while (steps.length > 0) {
    let next = null;
    let used = 0;
    for (used = steps.length; used > 0; used -= 1) {
      next = stepInto(value, steps.slice(0, used).join("."));
      if (next) break;
    }
    if (!next) return { found: false, at: value };
    walked.push(steps.slice(0, used).join("."));
    value = next.value;
    steps = steps.slice(used);
  }
  return { found: true, value, steps: walked };
}

/** A value cut off `depth` levels down, the rest told by its size. */
function pruned(value, depth) {
  if (!isBranch(value)) return value;
  if (depth <= 0) {
    return Array.isArray(value) ? `[Array(${value.length})]` : `{…${Object.keys(value).length} keys}`;
  }
  if (Array.isArray(value)) return value.map((item) => pruned(item, depth - 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, pruned(item, depth - 1)]));
}

function readable(value, depth) {
  const shown = plain(value) ?? null;
  return Number.isFinite(depth) && depth >= 0 ? pruned(shown, depth) : shown;
}

/** Whether anything in a plain value was cut. */
function countTruncated(value) {
  if (value === TRUNCATED) return 1;
  if (!isBranch(value)) return 0;
  return Object.values(value).reduce((sum, item) => sum + countTruncated(item), 0);
}

/** The `state_read` command. */
function runStateRead(args) {
  allowOnly(args, ["store", "path", "depth", "ref"], "state_read");
  if (args.ref !== undefined && args.ref !== null) return readComponent(args);
  for (const key of ["store", "path"]) {
    if (args[key] !== undefined && args[key] !== null && typeof args[key] !== "string") {
      throw badArguments(`${key} must be text.`);
    }
  }
  if ((args.path ?? "") !== "" || (args.store ?? "") !== "") return readScoped(args);
  const shown = {};
  for (const [name, entry] of stores) shown[name] = readable(storeValue(entry).value, args.depth);
  const result = { stores: shown, storeNames: [...stores.keys()] };
  const cut = countTruncated(shown);
  if (cut > 0) {
    result.truncation = { truncatedValues: cut, note: "Name a store and a path to read what was cut." };
  }
  return result;
}

/** The state of the component that an element belongs to. */
function readComponent(args) {
  if ((args.path ?? "") !== "" || (args.store ?? "") !== "") throw badArguments("Give either a ref or a store and path, not both.");
  if (!isRef(args.ref)) throw badArguments(`${clip(String(args.ref), 40)} is not a ref; refs look like e12.`);
  const element = elementOfRef(args.ref);
  const state = attempt("component state", () => componentState(element), { ok: false, reason: "component-state-unavailable" });
  return { component: state, storeNames: [...stores.keys()] };
}

/** A path in a named store, or in whichever store has it. */
function readScoped(args) {
  const path = args.path ?? "";
  const storeNames = [...stores.keys()];
  const looked = args.store ? (stores.has(args.store) ? [args.store] : []) : storeNames;
  const hits = [];
  let nearest = { found: false, at: undefined };
  for (const name of looked) {
    const walk = walkPath(storeValue(stores.get(name)).value, path);
    if (walk.found) hits.push({ name, walk });
    else nearest = walk;
  }
  // without a store the path may begin with the store's name
  if (!args.store && hits.length === 0) {
    const name = storeNames.find((candidate) => path === candidate || path.startsWith(`${candidate}.`));
    if (name) return readScoped({ __proto__: null, ...args, store: name, path: path.slice(name.length + 1) });
  }
  if (hits.length === 0) return missedPath(args, path, nearest, storeNames);
  const [{ name, walk }] = hits;
  const secret = (isSecretKey(name) || walk.steps.some(isSecretKey)) && typeof walk.value !== "boolean" && walk.value !== null;
  const result = { found: true, value: secret ? REDACTED : readable(walk.value, args.depth), store: name, path, storeNames };
  if (hits.length > 1) result.ambiguous = hits.map((hit) => hit.name);
  return result;
}

function missedPath(args, path, nearest, storeNames) {
  const unknownStore = args.store && !stores.has(args.store);
  const keys = unknownStore ? [] : stepNames(nearest.at);
  const result = { found: false, value: null, store: args.store ?? null, path, storeNames };
  if (!unknownStore) {
    result.availableKeys = keys.slice(0, 50);
    result.totalKeys = keys.length;
  }
  return result;
}

/** The `state` question of `read`. */
function runStateQuestion(question) {
  allowOnly(question, ["kind", "path", "store"], "state");
  if (typeof question.path !== "string" || question.path === "") throw badArguments("path must be a text.");
  const { path, store } = question;
  return runStateRead({ path, ...(store ? { store } : {}) });
}
