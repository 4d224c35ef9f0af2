/*
 * Where in the user's code an element is written, and which components it is in: by the nearest of the element and
 * what is around it that anything tells of. Nothing is told rather than a wrong line.
 */

/**
 * @typedef {object} Framework
 * @property {(element: Element) => boolean} knows whether the framework made this element
 * @property {(element: Element) => Written | undefined} written where it is written, of an element that it knows
 * @property {(element: Element) => Iterable<string | undefined>} names of the components around it, innermost first
 */

/** @type {Framework[]} */
const FRAMEWORKS = [REACT, VUE, SVELTE, PREACT, ANGULAR];

/** A file's name without folders and ending. */
function fileStem(path) {
  return String(path).split(/[\\/]/).pop().replace(/[?#].*$/, "").replace(/\.\w+$/, "");
}

/** The framework that made an element. @returns {Framework | undefined} */
function frameworkOf(element) {
  return FRAMEWORKS.find((framework) => attempt("source", () => framework.knows(element), false));
}

/** Whether any framework tells of an element or what is around it. */
function isInFramework(element) {
  return Boolean(composedClosest(element, frameworkOf));
}

/**
 * Places in running scripts and those in files that they were built from, as the daemon read it in source maps; null
 * where it could not tell. Filled by the `places` command, so that elements can be found by them.
 * @type {Map<string, string | null>}
 */
const knownPlaces = new Map();

/** What tells one place in running scripts from another. */
function placeKey(frames) {
  return frames.map((frame) => frame.slice(0, 3).join(":")).join(" ");
}

/** @returns {Written | undefined} */
function writtenOn(element) {
  const stamp = stampOn(element);
  if (stamp) return { source: stamp };
  const framework = frameworkOf(element);
  return framework && framework.written(element);
}

/**
 * Where an element is written, if anything on it or around it says so; to be spread into what is told of it.
 * @returns {Written | undefined}
 */
function writtenOf(element) {
  let written;
  composedClosest(element, (node) => {
    written = attempt("source", () => writtenOn(node));
    return Boolean(written);
  });
  if (!written) return undefined;
  const known = written.frames && knownPlaces.get(placeKey(written.frames));
  return known ? { source: known } : { ...written, source: clip(written.source, LIMIT.TEXT_CHARS) };
}

/** The same, where it is a place in a file that a person wrote: not one in a running script. */
function sourceOf(element) {
  const written = writtenOf(element);
  return written && !written.frames ? written.source : undefined;
}

/** Whether an element is one that the app itself defined, whose name is its tag. */
function isCustom(element) {
  return tagOf(element).includes("-") && Boolean(window.customElements && window.customElements.get(tagOf(element)));
}

/** Names of the components around an element, innermost first; at most 12. */
function componentStack(element, most = 12) {
  const names = [];
  for (let node = element; node && names.length < most; node = composedParent(node)) {
    if (isCustom(node)) names.push(tagOf(node));
    const framework = frameworkOf(node);
    if (!framework) continue;
    for (const name of framework.names(node)) {
      if (name) names.push(String(name));
      if (names.length >= most) break;
    }
    break;
  }
  return names.slice(0, most);
}

/** The name of the nearest component that has one. */
function componentOf(element) {
  return attempt("component", () => componentStack(element, 1)[0]);
}
