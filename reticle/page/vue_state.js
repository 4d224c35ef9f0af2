/*
 * The state of Vue 3 components. A development build notes in each element whose it is; in a production build the tree
 * is walked from the element that the app was mounted in.
 */

const VUE_NODES = 20000;

/** The component instance of an element that Vue made, or null. */
function vueInstance(element) {
  if (element.__vueParentComponent) return element.__vueParentComponent;
  const container = composedClosest(element, (node) => isBranch(node._vnode) && Boolean(node.__vue_app__));
  const waiting = container && container !== element ? [{ node: container._vnode, instance: null }] : [];
  for (let seen = 0; waiting.length > 0 && seen < VUE_NODES; seen += 1) {
    const { node, instance } = waiting.pop();
    if (node.el === element && typeof node.type === "string") return instance;
    const inner = node.component && node.component.subTree;
    if (isBranch(inner)) waiting.push({ node: inner, instance: node.component });
    const branch = node.suspense && node.suspense.activeBranch;
    if (isBranch(branch)) waiting.push({ node: branch, instance });
    for (const child of Array.isArray(node.children) ? node.children : []) if (isBranch(child)) waiting.push({ node: child, instance });
  }
  return null;
}

/** What a Vue component holds: its data, computed values and what `setup` gave out, functions left out. */
function vueHeld({ data, setupState, type, proxy }) {
  const readers = new Map();
  const add = (owner, names) => {
    for (const name of names) if (!readers.has(name)) readers.set(name, () => owner[name]);
  };
  if (isBranch(data)) add(data, Object.keys(data));
  if (type && isBranch(type.computed) && proxy) add(proxy, Object.keys(type.computed));
  // a development build also lists what a module imported
  if (isBranch(setupState)) add(setupState, Object.keys(setupState).filter((name) => !isVueCode(setupState, name)));
  return readers.size > 0 ? lazyView(readers.keys(), (name) => readers.get(name)()) : null;
}

/** Whether a name of `setup` is code and no value: a function or a component. */
function isVueCode(setupState, name) {
  try {
    const value = setupState[name];
    return typeof value === "function" || (isBranch(value) && (hasMethods(value, "render") || hasMethods(value, "setup")));
  } catch {
    return false;
  }
}
