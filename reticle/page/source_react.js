/*
 * What React's development build knows of an element: up to React 18 the place that the JSX transform noted, from
 * React 19 on the stack of the call that made it.
 */

/** React's internal node of an element. */
function fiberOf(element) {
  const key = Object.keys(element).find(
    (name) => name.startsWith("__reactFiber$") || name.startsWith("__reactInternalInstance$"),
  );
  return key && element[key];
}

/**
 * The frames of the component that made an element: React's own call above them and its scheduler below are told by
 * the names that React gives them (its owner stacks).
 */
function ownerFrames(stack) {
  let lines = String(stack).split("\n");
  const bottom = lines.findIndex((line) => /react[-_]stack[-_]bottom[-_]frame/.test(line));
  if (bottom >= 0) lines = lines.slice(0, bottom);
  const isMarked = /react-stack-top-frame/.test(lines[0]);
  if (isMarked) lines.shift();
  // the JSX runtime's own function is the first frame, wherever a bundle put it
  if (isMarked || /\b(?:jsxs?|jsxDEV|createElement)\b/.test(lines[0] || "")) lines.shift();
  return foreignFrames(lines.join("\n")).filter((frame) => !frame.script.isLibrary);
}

/** @returns {Written | undefined} */
function fiberWritten(fiber) {
  const frames = [];
  let depth = 0;
  for (let node = fiber; node && depth < 40 && frames.length < FRAMES_TOLD; node = node.return, depth += 1) {
    const noted = node._debugSource;
    if (noted && noted.fileName) {
      const column = noted.columnNumber ? `:${noted.columnNumber}` : "";
      return { source: `${shortAddress(String(noted.fileName))}:${noted.lineNumber}${column}` };
    }
    const stack = node._debugStack && node._debugStack.stack;
    if (stack) frames.push(...ownerFrames(stack));
  }
  return frames.length > 0 ? writtenInFrames(frames) : undefined;
}

/** What a component is called, through memo and forwardRef. */
function reactName(type) {
  const inner = type && (type.render || type.type || type);
  const named = typeof inner === "function" ? inner.displayName || inner.name : undefined;
  return (type && typeof type === "object" && type.displayName) || named;
}

/** @type {Framework} */
const REACT = {
  knows: (element) => Boolean(fiberOf(element)),
  written: (element) => fiberWritten(fiberOf(element)),
  *names(element) {
    for (let node = fiberOf(element), depth = 0; node && depth < 300; node = node.return, depth += 1) yield reactName(node.type);
  },
};
