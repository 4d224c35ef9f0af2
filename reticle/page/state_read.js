/*
 * Reading the app's state by path: own properties, list indices, `length`, Map keys, Set positions.
 */

/** What a store holds now; a getter of the app's that throws is told as such. @returns {{value: unknown, failed?: string}} */
function storeValue(entry) {
  try {
    return { value: entry.get() };
  } catch (error) {
    const failed = clip(scrubLoose(String((error && error.message) || error)), LIMIT.TEXT_CHARS);
    return { value: { __error: failed }, failed };
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

/** How much in a plain value was cut. */
function countTruncated(value) {
  if (typeof value === "string") return value.endsWith(TRUNCATED) ? 1 : 0;
  if (!isBranch(value)) return 0;
  return Object.values(value).reduce((sum, item) => sum + countTruncated(item), 0);
}

/** The `state_read` command. */
function runStateRead(args) {
  // each MobX of the page whose stores were registered with its `autorun`
  const reactions = new Set([...stores.values()].map((entry) => entry.autorun).filter(Boolean));
  let read = () => withDiscovery(() => readState(args));
  for (const autorun of reactions) {
    const inner = read;
    read = () => insideReaction(autorun, inner);
  }
  return read();
}

function readState(args) {
  allowOnly(args, ["store", "path", "depth", "ref"], "state_read");
  if (args.ref !== undefined && args.ref !== null) return readComponent(args);
  for (const key of ["store", "path"]) {
    if (args[key] !== undefined && args[key] !== null && typeof args[key] !== "string") {
      throw badArguments(`${key} must be text.`);
    }
  }
  if ((args.path ?? "") !== "" || (args.store ?? "") !== "") return readScoped(args);
  const shown = {};
  const found = discoveredStores();
  for (const [name, entry] of [...stores, ...found]) {
    const { value } = storeValue(entry);
    shown[name] = isSecretKey(name) && isWorthHiding(value) ? REDACTED : readable(value, args.depth);
  }
  const result = { stores: shown, storeNames: knownStoreNames() };
  if (found.size > 0) result.discovered = [...found.keys()];
  return noteCut(result, shown, "Name a store and a path to read what was cut.");
}

/** What of a shown value was cut, noted in the result. */
function noteCut(result, shown, note) {
  const cut = countTruncated(shown);
  if (cut > 0) result.truncation = { truncatedValues: cut, note };
  return result;
}

/** Registered stores first, then those that were found. */
function knownStoreNames() {
  return [...stores.keys(), ...discoveredStores().keys()];
}

/** Whether a value under a secret's name says anything of the secret. */
function isWorthHiding(value) {
  return typeof value !== "boolean" && value !== null && value !== undefined && value !== "";
}

/** The state of the component that an element belongs to. */
function readComponent(args) {
  if ((args.path ?? "") !== "" || (args.store ?? "") !== "") throw badArguments("Give either a ref or a store and path, not both.");
  if (!isRef(args.ref)) throw badArguments(`${clip(String(args.ref), 40)} is not a ref; refs look like e12.`);
  const element = elementOfRef(args.ref);
  const state = attempt("component state", () => componentState(element), { ok: false, reason: "component-state-unavailable" });
  return { component: state, storeNames: [...stores.keys()] };
}

/** The stores that a reading is to look in: the named one, else all that are registered, else all that were found. */
function* lookedIn(args) {
  if (args.store) {
    const entry = storeNamed(args.store);
    yield entry ? [[args.store, entry]] : [];
    return;
  }
  yield [...stores];
  yield [...discoveredStores()].map(([name, entry]) => [name, { ...entry, discovered: true }]);
}

/** A path in a named store, or in whichever store has it; one that nobody registered is asked last. */
function readScoped(args) {
  const path = args.path ?? "";
  let nearest = { found: false, at: undefined };
  let unreadable;
  for (const entries of lookedIn(args)) {
    const hits = [];
    for (const [name, entry] of entries) {
      const { value, failed } = storeValue(entry);
      const walk = failed === undefined ? walkPath(value, path) : undefined;
      if (!walk) unreadable = { name, failed };
      else if (walk.found) hits.push({ name, entry, walk });
      else nearest = walk;
    }
    if (hits.length > 0) return readHit(args, path, hits);
  }
  const named = args.store ? undefined : readNamedInPath(args, path);
  if (named) return named;
  // a path that was not found may be in what could not be read
  if (unreadable) throw unreadableStore(unreadable);
  return missedPath(args, path, nearest);
}

function unreadableStore({ name, failed }) {
  return new Refused(REFUSAL.PAGE_ERROR, `The store ${name} cannot be read: ${failed}`, "Mend what the app registered, or read another store.");
}

/** Without a store the path may begin with the store's name, or with a global's. */
function readNamedInPath(args, path) {
  const isHead = (name) => path === name || path.startsWith(`${name}.`);
  const [global] = /^window\.[^.]+/.exec(path) || [];
  const name = knownStoreNames().find(isHead) || (global && storeNamed(global) ? global : undefined);
  return name && readScoped({ __proto__: null, ...args, store: name, path: path.slice(name.length + 1) });
}

function readHit(args, path, hits) {
  const [{ name, entry, walk }] = hits;
  const secret = (isSecretKey(name) || walk.steps.some(isSecretKey)) && isWorthHiding(walk.value);
  const result = { found: true, value: secret ? REDACTED : readable(walk.value, args.depth), store: name, path };
  // a reading that needs nothing that was found looks for nothing
  result.storeNames = entry.discovered ? knownStoreNames() : [...stores.keys()];
  if (entry.discovered) result.discovered = true;
  if (hits.length > 1) result.ambiguous = hits.map((hit) => hit.name);
  return noteCut(result, result.value, "Name a longer path to read what was cut.");
}

function missedPath(args, path, nearest) {
  const isUnknown = args.store && !storeNamed(args.store);
  const keys = isUnknown ? [] : stepNames(nearest.at);
  const result = { found: false, value: null, store: args.store ?? null, path, storeNames: knownStoreNames() };
  if (!isUnknown) {
    // a global is among no names, and yet it is there
    if (args.store && !result.storeNames.includes(args.store)) result.storeNames.push(args.store);
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
