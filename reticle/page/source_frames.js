/*
 * Places in running scripts: the frames of a stack, as text for people and as facts from which the daemon finds the
 * place in the file that a person wrote (source maps).
 */

/**
 * @typedef {object} Frame
 * @property {{address: string, short: string, isInline: boolean, isLibrary: boolean}} script as the page loaded it and
 *   as people read it, both without credentials; whether it is in the document itself, and whether it is a library's
 * @property {number} line
 * @property {number} column
 */

/**
 * @typedef {object} Written
 * @property {string} source a place, `file[:line[:column]]`
 * @property {[string, number, number, number?][]} [frames] where this is a place in a running script, which a build
 *   may have moved: address, line, column, and the script's bytes where the browser tells them; the likeliest first
 */

/** A frame of a Chromium, Firefox or WebKit stack: the address, line and column at its end. */
const FRAME = /(?:\(|@|\bat\s+(?:async\s+)?)?((?:https?|file|webpack|webpack-internal|app):[^\s()]+?):(\d+):(\d+)\)?\s*$/;

/** Frames that are a library's, not the user's: React's JSX runtime and pre-bundled dependencies. */
const LIBRARY_FRAME = /node_modules|\/\.vite\/|\/@vite\/|react(?:-dom)?[.-](?:development|production)|jsx-(?:dev-)?runtime|\/umd\/react/;

/** Frames that are told of one place: what lies around it may be a library's as soon as the build is undone. */
const FRAMES_TOLD = 6;

/** Our own script as it stands in stacks. */
const ownAddress = (() => {
  if (LAUNCH) return LAUNCH.source || "";
  const tag = document.currentScript;
  return tag && tag.src ? tag.src : "";
})();

/** This document, as its inline scripts are called in stacks: by the address at which it was loaded. */
const documentAddress = window.location.href.replace(/#.*$/, "");

/** An address as people write it: of this origin without the origin, without query. */
function shortAddress(address) {
  const bare = address.replace(/[?#].*$/, "").replace(/^webpack(?:-internal)?:\/\/\/?(?:[^/]*\/)?\.?\/?/, "");
  const origin = `${window.location.origin}/`;
  return redactUrl(bare.startsWith(origin) ? bare.slice(origin.length - 1) : bare);
}

/** What is told of the scripts that stood in stacks, so that each is looked at once. @type {Map<string, object>} */
const scriptsSeen = new Map();

function scriptAt(address) {
  let seen = scriptsSeen.get(address);
  if (!seen) {
    const isInline = address.replace(/#.*$/, "") === documentAddress;
    seen = { address: redactUrl(address), short: shortAddress(address), isInline, isLibrary: LIBRARY_FRAME.test(address) };
    if (scriptsSeen.size >= 1000) scriptsSeen.clear();
    scriptsSeen.set(address, seen);
  }
  return seen;
}

/** @returns {Frame} */
function frameAt(address, line, column) {
  return { script: scriptAt(address), line, column };
}

/** The frames of a stack that are not ours. @returns {Frame[]} */
function foreignFrames(stack) {
  const frames = [];
  for (const line of String(stack || "").split("\n")) {
    const found = FRAME.exec(line.trim());
    if (!found || (ownAddress && found[1] === ownAddress)) continue;
    frames.push(frameAt(found[1], Number(found[2]), Number(found[3])));
  }
  return frames;
}

/** Those that look like the user's, by their address; all of them where none does. */
function likelyFrames(frames) {
  const users = frames.filter((frame) => !frame.script.isLibrary);
  return users.length > 0 ? users : frames;
}

/** How long the scripts of this document are that the browser told of. @type {Map<string, number>} */
const scriptBytes = new Map();

/** A script's length as it ran, by which the daemon sees whether it still reads the same one; undefined if not told. */
function bytesOf(address) {
  if (!scriptBytes.has(address)) {
    const entries = window.performance.getEntriesByName ? window.performance.getEntriesByName(address, "resource") : [];
    const entry = entries[entries.length - 1];
    if (!entry || !entry.decodedBodySize) return undefined;
    if (scriptBytes.size >= 1000) scriptBytes.clear();
    scriptBytes.set(address, entry.decodedBodySize);
  }
  return scriptBytes.get(address);
}

/**
 * The likeliest of frames as a place. One in the document itself is where a person wrote it, and the daemon never has
 * to ask for the document again.
 * @returns {Written | undefined}
 */
function writtenInFrames(frames) {
  const likely = likelyFrames(frames);
  if (likely.length === 0) return undefined;
  const [first] = likely;
  const source = `${first.script.short}:${first.line}:${first.column}`;
  if (first.script.isInline) return { source };
  const told = likely.filter((frame) => !frame.script.isInline).slice(0, FRAMES_TOLD);
  return {
    source,
    frames: told.map(({ script: { address }, line, column }) => {
      const bytes = attempt("source", () => bytesOf(address));
      return bytes === undefined ? [address, line, column] : [address, line, column, bytes];
    }),
  };
}

/** The place that a stack names; undefined without one. @returns {Written | undefined} */
function writtenInStack(stack) {
  return writtenInFrames(foreignFrames(stack));
}

/** A stack without our frames, bounded and redacted. */
function cleanStack(stack) {
  const lines = String(stack || "").split("\n").filter((line) => !(ownAddress && line.includes(ownAddress)));
  return clip(scrubLoose(lines.join("\n")), LIMIT.STACK_CHARS);
}

/** Where the app is right now: the caller of whatever we wrapped. @returns {Written | undefined} */
function callerWritten() {
  const limit = Error.stackTraceLimit;
  try {
    Error.stackTraceLimit = 25;
    return writtenInStack(new Error().stack);
  } finally {
    Error.stackTraceLimit = limit;
  }
}
