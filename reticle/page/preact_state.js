/*
 * The state of Preact components, in the short names that its releases keep: `__k` a node's children, `__` its parent
 * and a hook's value, `__e` its element, `__c` its component, `__H` hooks and a hook's arguments.
 */

const PREACT_STATE_NODES = 20000;

/** What Preact renders into an element, or undefined. */
function preactTree(element) {
  return isBranch(element.__k) && !Array.isArray(element.__k) ? element.__k : undefined;
}

/** The node of an element that Preact made, and the fragment at the root of its tree; null for any other element. */
function preactPlace(element) {
  const container = composedClosest(element, (node) => Boolean(preactTree(node)));
  if (!container || container === element) return null;
  const root = preactTree(container);
  const waiting = [root];
  for (let seen = 0; waiting.length > 0 && seen < PREACT_STATE_NODES; seen += 1) {
    const node = waiting.pop();
    if (node.__e === element && typeof node.type === "string") return { node, root };
    const isElsewhere = typeof node.type === "string" && isElement(node.__e) && !node.__e.contains(element);
    if (!isElsewhere && Array.isArray(node.__k)) waiting.push(...node.__k.filter(isBranch));
  }
  return null;
}

/** The node of the nearest component around an element that Preact made, or null. */
function preactComponent(element) {
  const place = preactPlace(element);
  // what stands at a root is a fragment: a function too, and no component of the app's
  for (let node = place && place.node, depth = 0; node && depth < 300; node = node.__, depth += 1) {
    if (typeof node.type === "function" && node.type !== place.root.type && isBranch(node.__c)) return node;
  }
  return null;
}

/** What a hook is, by what Preact keeps for it. @returns {{kind: string, value?: unknown}} */
function preactHook(hook) {
  const kept = hook.__;
  const hasArguments = "__H" in hook;
  if (typeof kept === "function") return { kind: "u" in hook || "__P" in hook ? "effect" : "callback" };
  if (isBranch(kept) && Object.keys(kept).join() === "current") return { kind: "ref", value: kept.current };
  if (hasArguments) return { kind: "memo", value: kept };
  return Array.isArray(kept) && kept.length === 2 ? { kind: "state", value: kept[0] } : { kind: "other", value: kept };
}

/** Name and state of a component. @param {(value: unknown) => unknown} shown */
function preactState({ type, __c: instance }, shown) {
  const component = type.displayName || type.name;
  if (hasMethods(type.prototype, "render")) return { component, state: shown(instance.state) };
  const list = isBranch(instance.__H) && Array.isArray(instance.__H.__) ? instance.__H.__ : [];
  return { component, ...toldHooks(list.map(preactHook), shown) };
}
