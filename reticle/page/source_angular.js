/*
 * What Angular's development build tells through its global `ng`: the component that an element belongs to, and the
 * file and line of that component's class. Where in the template the element stands it tells only by an attribute,
 * if its compiler was asked for it (`source_stamps.js`).
 */

/** The component whose template an element is of: itself, if it is one's host. */
function angularComponent(element) {
  const { ng } = window;
  if (!ng || typeof ng.getOwningComponent !== "function") return null;
  return ng.getComponent(element) || ng.getOwningComponent(element);
}

/** What the compiler noted of a component's class. */
function angularFacts(component) {
  const definition = component.constructor.ɵcmp;
  return (definition && definition.debugInfo) || {};
}

/** @returns {Written | undefined} */
function angularWritten(element) {
  const { filePath, lineNumber } = angularFacts(angularComponent(element));
  if (!filePath) return undefined;
  return { source: Number.isInteger(lineNumber) ? `${filePath}:${lineNumber}` : String(filePath) };
}

/** @type {Framework} */
const ANGULAR = {
  knows: (element) => Boolean(angularComponent(element)),
  written: angularWritten,
  *names(element) {
    for (let node = element, last = null; node; node = composedParent(node)) {
      const component = angularComponent(node);
      if (!component) return;
      if (component !== last) yield angularFacts(component).className || component.constructor.name.replace(/^_(?=[A-Z])/, "");
      last = component;
    }
  },
};
