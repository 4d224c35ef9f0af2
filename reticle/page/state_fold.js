/*
 * Many changes of one update as fewer: a list whose rows moved up by one has changed as a list. What is told then is
 * what stands higher up, before and after, instead of leaving changes out.
 */

/** Of a value that stands for the many changes in it. */
const FOLDED_BOUNDS = Object.freeze({ depth: 3, items: 50, nodes: 400, chars: 4096 });

/** What stands at a path of a value; undefined where nothing does. */
function valueUnder(value, path) {
  let found = value;
  for (const key of path) {
    if (!isBranch(found) || !Object.hasOwn(found, key)) return undefined;
    found = found[key];
  }
  return found;
}

/**
 * Changes that are at most so many where that can be had: the deepest are told by what is around them.
 * @param {{path: string[], value: unknown, old: unknown}[]} changes
 * @param {unknown} old the store's value before
 * @param {unknown} now and after
 * @param {number} most
 */
function foldChanges(changes, old, now, most) {
  let folded = changes;
  for (let depth = Math.max(0, ...changes.map((change) => change.path.length)) - 1; folded.length > most && depth > 0; depth -= 1) {
    const told = new Map();
    for (const change of folded) {
      const path = change.path.slice(0, depth);
      const key = native.stringify(change.path.length > depth ? path : change.path);
      if (told.has(key)) continue;
      const side = (value) => plain(valueUnder(value, path), FOLDED_BOUNDS) ?? null;
      told.set(key, change.path.length > depth ? { path, value: side(now), old: side(old) } : change);
    }
    folded = [...told.values()];
  }
  return folded;
}
