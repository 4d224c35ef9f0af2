/*
 * The state of Preact components, in the short names that its releases keep: `__` a node's parent and a hook's value,
 * `__c` a component, `__H` its hooks and a hook's arguments. An element's node is found by source_preact.js.
 */

/** The node of the nearest component around an element that Preact made, or null. */
function preactComponent(element) {
  // what stands at a root is a fragment: a function too, and no component of the app's
  const fragment = preactRoot(element).__k.type;
  for (let node = preactNode(element), depth = 0; node && depth < 300; node = node.__, depth += 1) {
    if (typeof node.type === "function" && node.type !== fragment && isBranch(node.__c)) return node;
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
