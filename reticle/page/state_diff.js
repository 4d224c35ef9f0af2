/*
 * What changed in a store between two looks. A look keeps a bounded copy; of stores that replace their values and
 * never change one in place it keeps the value too, and then finds changes that lie behind the bounds of the copy.
 */

const DIFF_BOUNDS = Object.freeze({ depth: 6, items: 200, nodes: 4000, chars: 131072 });

function isBranch(value) {
  return value !== null && typeof value === "object";
}

/** Whether a plain value has a mark where something was left out. */
function isCut(value) {
  if (typeof value === "string") return value.endsWith(TRUNCATED);
  if (!isBranch(value)) return false;
  for (const key of Object.keys(value)) if (isCut(value[key])) return true;
  return false;
}

/**
 * One look at a value.
 * @param {boolean} keeps whether the store replaces its values, so that an older one can still be compared later
 * @returns {{copy: unknown, cut: boolean, value?: unknown}}
 */
function lookAt(value, keeps) {
  const copy = plain(value, DIFF_BOUNDS);
  const cut = isCut(copy);
  return keeps ? { copy, cut, value } : { copy, cut };
}

/** Changed paths between two plain values, deepest first where both are branches of one kind. */
function diffValues(old, now, path, changes) {
  if (old === now) return;
  if (!isBranch(old) || !isBranch(now) || Array.isArray(old) !== Array.isArray(now)) {
    if (!(old === undefined && now === undefined)) changes.push({ path, value: now ?? null, old: old ?? null });
    return;
  }
  const keys = new Set([...Object.keys(old), ...Object.keys(now)]);
  for (const key of keys) {
    diffValues(old[key], now[key], [...path, key], changes);
  }
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
  if (Object.is(old, now)) return;
  if (!hasFields(old) || !hasFields(now) || Array.isArray(old) !== Array.isArray(now)) {
    const [before, after] = [plain(old, DIFF_BOUNDS), plain(now, DIFF_BOUNDS)];
    const same = isBranch(before) && isBranch(after) && native.stringify(before) === native.stringify(after);
    if (before !== after && !same) changes.push({ path, value: after ?? null, old: before ?? null });
    return;
  }
  const keys = new Set([...Object.keys(old), ...Object.keys(now)]);
  budget.left -= keys.size;
  if (budget.left < 0) return;
  for (const key of keys) {
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
  if (!before.cut && !after.cut) {
    diffValues(before.copy, after.copy, [], changes);
    return { changes, unseen: false };
  }
  if ("value" in before && "value" in after) {
    const budget = { left: LIMIT.STORE_COMPARED };
    diffReplaced(before.value, after.value, [], changes, budget);
    return { changes, unseen: budget.left < 0 };
  }
  diffValues(before.copy, after.copy, [], changes);
  return { changes, unseen: true };
}
