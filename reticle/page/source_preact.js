/*
 * What Preact knows of an element, in the short names that its releases keep: `__k` a node's children, `__` its
 * parent, `__e` its element, `__source` the place that the JSX transform noted.
 */

const PREACT_NODES = 20_000;

/** The nearest element around that Preact renders into. */
function preactRoot(element) {
  return composedClosest(element, (node) => node.__k && typeof node.__k === "object" && !Array.isArray(node.__k));
}

/** The virtual node of an element, null where Preact has none for it. */
function preactNode(element) {
  const root = preactRoot(element);
  if (!root || root === element) return null;
  const open = [root.__k];
  for (let seen = 0; open.length > 0 && seen < PREACT_NODES; seen += 1) {
    const node = open.pop();
    if (!node) continue;
    if (node.__e === element && typeof node.type === "string") return node;
    const own = typeof node.type === "string" && node.__e;
    if (own && !own.contains(element)) continue;
    if (Array.isArray(node.__k)) open.push(...node.__k);
  }
  return null;
}

/** @returns {Written | undefined} */
function preactWritten(element) {
  for (let node = preactNode(element), depth = 0; node && depth < 300; node = node.__, depth += 1) {
    const noted = node.__source;
    if (noted && noted.fileName && noted.lineNumber) {
      const column = noted.columnNumber ? `:${noted.columnNumber}` : "";
      return { source: `${shortAddress(String(noted.fileName))}:${noted.lineNumber}${column}` };
    }
  }
  return undefined;
}

/** @type {Framework} */
const PREACT = {
  knows: (element) => Boolean(preactNode(element)),
  written: preactWritten,
  *names(element) {
    // what stands at a root is a fragment: a function too, with a name that a minifier gave it
    const fragment = preactRoot(element).__k.type;
    for (let node = preactNode(element), depth = 0; node && depth < 300; node = node.__, depth += 1) {
      if (typeof node.type === "function" && node.type !== fragment) yield node.type.displayName || node.type.name;
    }
  },
};
