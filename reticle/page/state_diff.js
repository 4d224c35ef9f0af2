/*
 * What changed in a store between two looks. A look keeps a bounded copy. Of stores that replace their values and never
 * change one in place it keeps the value itself, which costs nothing and has no bounds; a small one is copied all the
 * same, for the app that breaks its library's rule.
 */

const DIFF_BOUNDS = Object.freeze({ depth: 6, items: 200, nodes: 4000, chars: 131072 });

function isBranch(value) {
  return value !== null && typeof value === "object";
}

/** Values in a plain value, and whether there is a mark where something was left out. */
function measured(value, size = { values: 0, cut: false }) {
  size.values += 1;
  if (typeof value === "string") size.cut ||= value.endsWith(TRUNCATED);
  else if (isBranch(value)) for (const key of Object.keys(value)) measured(value[key], size);
  return size;
}

/**
 * One look at a value.
 * @param {boolean} keeps whether the store replaces its values, so that an older one can still be compared later
 * @param {object} [before] the last look
 * @returns {{copy?: unknown, cut?: boolean, value?: unknown, isLarge?: boolean}}
 */
function lookAt(value, keeps, before) {
  if (keeps && before && before.isLarge) return { value, isLarge: true };
  const copy = plain(value, DIFF_BOUNDS);
  const { values, cut } = measured(copy);
  return keeps ? { copy, cut, value, isLarge: cut || values > LIMIT.STORE_COPIED } : { copy, cut };
}

/** Changed paths between two plain values, deepest first where both are branches of one kind. */
function diffValues(old, now, path, changes) {
  if (old === now) return;
  if (!isBranch(old) || !isBranch(now) || Array.isArray(old) !== Array.isArray(now)) {
    if (!(old === undefined && now === undefined)) changes.push({ path, value: now ?? null, old: old ?? null });
    return;
  }
  for (const key of allKeys(old, now)) if (old[key] !== now[key]) diffValues(old[key], now[key], [...path, key], changes);
}

/** The keys of two objects; of two lists, the longer one's places. */
function allKeys(old, now) {
  if (Array.isArray(now)) return Object.keys(old.length > now.length ? old : now);
  const keys = Object.keys(old);
  for (const key of Object.keys(now)) if (!Object.hasOwn(old, key)) keys.push(key);
  return keys;
}

/** Lists and objects whose parts are own fields; a Map, a Date and the like are compared as a whole. */
function hasFields(value) {
  return isBranch(value) && (Array.isArray(value) || kindOf(value) === "Object");
}

/**
 * As `diffValues`, for values that are replaced and not changed: what is the same object needs no look.
 * @param {{left: number}} budget how many fields may be looked at; below zero something was not
 */
function diffReplaced(old, now, path, changes, budget) {
  if (!hasFields(old) || !hasFields(now) || Array.isArray(old) !== Array.isArray(now)) {
    const [before, after] = [plain(old, DIFF_BOUNDS), plain(now, DIFF_BOUNDS)];
    const same = isBranch(before) && isBranch(after) && native.stringify(before) === native.stringify(after);
    if (before !== after && !same) changes.push({ path, value: after ?? null, old: before ?? null });
    return;
  }
  const keys = allKeys(old, now);
  budget.left -= keys.length;
  if (budget.left < 0) return;
  for (const key of keys) {
    if (Object.is(old[key], now[key])) continue;
    // of a credential a plain copy shows no change either
    if (!isSecretKey(key)) diffReplaced(old[key], now[key], [...path, key], changes, budget);
  }
}

/**
 * The changes between two looks.
 * @returns {{changes: {path: string[], value: unknown, old: unknown}[], unseen: boolean}} `unseen`: there may be
 *   more, in what the copies leave out
 */
function changesBetween(before, after) {
  const changes = [];
  if (before.isLarge) {
    const budget = { left: LIMIT.STORE_COMPARED };
    if (!Object.is(before.value, after.value)) diffReplaced(before.value, after.value, [], changes, budget);
    return { changes, unseen: budget.left < 0 };
  }
  diffValues(before.copy, after.copy, [], changes);
  // a large look of a store that was small before is compared as far as its copy goes, and by itself from then on
  const isReplaced = after.isLarge && after.cut && "value" in before;
  if (!isReplaced) return { changes, unseen: before.cut || after.cut };
  const whole = [];
  diffReplaced(before.value, after.value, [], whole, { left: LIMIT.STORE_COMPARED });
  return { changes: whole, unseen: false };
}
