/*
 * What Vue 3's development build knows of an element: its component and that one's file; the line only through the
 * Vue inspector's plugin, which notes it in the element's properties.
 */

/** What the Vue inspector noted: in the node's properties, or in later versions in a map by them. */
function inspectedPlace(properties) {
  if (!properties) return undefined;
  const store = window.__vue_inspector_store__;
  const known = store && store.vnodeToPos && store.vnodeToPos.get(properties);
  const text = known ? known.join(":") : properties.__v_inspector || properties["data-v-inspector"];
  return typeof text === "string" && PLACE_TEXT.test(text) ? text : undefined;
}

/** @returns {Written | undefined} */
function vueWritten(element) {
  const inspected = inspectedPlace(element.__vnode && element.__vnode.props);
  if (inspected) return { source: inspected };
  const { type } = element.__vueParentComponent;
  return type && type.__file ? { source: String(type.__file) } : undefined;
}

/** A component's name, else its file's. */
function vueName(type) {
  if (!type) return undefined;
  return type.name || type.__name || (type.__file && fileStem(type.__file));
}

/** @type {Framework} */
const VUE = {
  knows: (element) => Boolean(element.__vueParentComponent),
  written: vueWritten,
  *names(element) {
    for (let node = element.__vueParentComponent; node; node = node.parent) yield vueName(node.type);
  },
};
