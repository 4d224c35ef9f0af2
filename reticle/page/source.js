/*
 * Where in the user's code something comes from, as `file:line[:column]`: stamped attributes, React's own debug
 * facts, Vue's component file, JS stack frames.
 */

/** A frame of a Chromium, Firefox or WebKit stack: the address, line and column at its end. */
const FRAME = /(?:\(|@|\bat\s+(?:async\s+)?)?((?:https?|file|webpack|webpack-internal|app):[^\s()]+?):(\d+):(\d+)\)?\s*$/;

/** Frames that are a library's, not the user's: React's JSX runtime and pre-bundled dependencies. */
const LIBRARY_FRAME = /node_modules|\/\.vite\/|react(?:-dom)?[.-](?:development|production|jsx)|jsx-(?:dev-)?runtime|\/umd\/react/;

/** Our own script as it stands in stacks. */
const ownAddress = (() => {
  if (LAUNCH) return LAUNCH.source || "";
  const tag = document.currentScript;
  return tag && tag.src ? tag.src : "";
})();

/** An address as people write it: of this origin without the origin, without query. */
function shortAddress(address) {
  const bare = address.replace(/[?#].*$/, "").replace(/^webpack(?:-internal)?:\/\/\/?(?:[^/]*\/)?\.?\/?/, "");
  const origin = `${window.location.origin}/`;
  return redactUrl(bare.startsWith(origin) ? bare.slice(origin.length - 1) : bare);
}

/** The frames of a stack that are not ours, as `address:line:column`. */
function foreignFrames(stack) {
  const frames = [];
  for (const line of String(stack || "").split("\n")) {
    const found = FRAME.exec(line.trim());
    if (!found || (ownAddress && found[1] === ownAddress)) continue;
    frames.push({ address: found[1], text: `${shortAddress(found[1])}:${found[2]}:${found[3]}` });
  }
  return frames;
}

/** The first frame that is the user's, else the first that is not ours; undefined without one. */
function sourceOfStack(stack) {
  const frames = foreignFrames(stack);
  const users = frames.find((frame) => !LIBRARY_FRAME.test(frame.address));
  const chosen = users || frames[0];
  return chosen && chosen.text;
}

/** A stack without our frames, bounded and redacted. */
function cleanStack(stack) {
  const lines = String(stack || "").split("\n").filter((line) => !(ownAddress && line.includes(ownAddress)));
  return clip(scrubLoose(lines.join("\n")), LIMIT.STACK_CHARS);
}

/** Where the app is right now: the caller of whatever we wrapped. */
function callerSource() {
  const limit = Error.stackTraceLimit;
  try {
    Error.stackTraceLimit = 25;
    return sourceOfStack(new Error().stack);
  } finally {
    Error.stackTraceLimit = limit;
  }
}

/** React's internal node of an element. */
function fiberOf(element) {
  const key = Object.keys(element).find(
    (name) => name.startsWith("__reactFiber$") || name.startsWith("__reactInternalInstance$"),
  );
  return key && element[key];
}

function fiberSource(fiber) {
  let depth = 0;
  for (let node = fiber; node && depth < 40; node = node.return, depth += 1) {
    const noted = node._debugSource;
    if (noted && noted.fileName) {
      return `${shortAddress(String(noted.fileName))}:${noted.lineNumber}${noted.columnNumber ? `:${noted.columnNumber}` : ""}`;
    }
    const stack = node._debugStack && node._debugStack.stack;
    const frames = stack ? foreignFrames(stack).filter((frame) => !LIBRARY_FRAME.test(frame.address)) : [];
    if (frames.length > 0) return frames[0].text;
  }
  return undefined;
}

function vueSource(element) {
  const node = element.__vueParentComponent;
  const file = node && node.type && node.type.__file;
  return file ? String(file) : undefined;
}

/** Where an element is written, if anything on it or around it says so. */
function sourceOf(element) {
  const stamped = composedClosest(element, (node) => node.hasAttribute("data-reticle-source"));
  if (stamped) return clip(stamped.getAttribute("data-reticle-source"), LIMIT.TEXT_CHARS);
  const holder = composedClosest(element, (node) => Boolean(fiberOf(node) || node.__vueParentComponent));
  if (!holder) return undefined;
  return attempt("source", () => fiberSource(fiberOf(holder)) || vueSource(holder));
}

/** The name of the nearest component that has one. */
function componentOf(element) {
  return attempt("component", () => {
    const holder = composedClosest(element, (node) => Boolean(fiberOf(node) || node.__vueParentComponent));
    if (!holder) return undefined;
    for (let node = fiberOf(holder), depth = 0; node && depth < 60; node = node.return, depth += 1) {
      const type = node.type && (node.type.render || node.type.type || node.type);
      const name = typeof type === "function" ? type.displayName || type.name : undefined;
      if (name) return String(name);
    }
    const vue = holder.__vueParentComponent;
    const type = vue && vue.type;
    return type ? type.name || type.__name : undefined;
  });
}
