/*
 * Frames of this origin: their documents, and their windows' requests, console, errors and dialogs, seen by the same
 * observers. A window whose scripts may have run before us is declared, and watched from then on.
 */

/** Frame elements that were met, as weak references. */
const framesMet = new Set();
/** Documents whose window we came to too late. */
const lateDocuments = new WeakSet();

/** How a page's own script in a frame finds the script of the page around it. */
const FRAME_HOOK = Symbol.for("reticle.frame");

/** Whether the functions of a window are ours already. */
function isInstrumented(view) {
  return replacements.has(view.fetch) || (view.XMLHttpRequest && replacements.has(view.XMLHttpRequest.prototype.send));
}

/** Watch what a window's scripts do. Its storage and cookies are this window's too. */
function instrument(view) {
  if (isInstrumented(view)) return;
  for (const [site, begin] of Object.entries({
    internals: startInternalsWatch,
    pending: startPendingWatch,
    fetch: startFetchWatch,
    xhr: startXhrWatch,
    streams: startStreamWatch,
    workers: startWorkerWatch,
    messages: startMessageWatch,
    causes: startCauseWatch,
    indexeddb: startDatabaseWatch,
    bodies: startBodyWatch,
    openings: startOpeningWatch,
    aim: startAimWatch,
    console: startConsoleWatch,
    dialogs: startDialogWatch,
  })) {
    attempt(site, () => begin(view));
  }
}

/** Whether scripts may have run in a frame's document already. */
function mayHaveRun(inner) {
  return inner.scripts.length > 0 || inner.readyState !== "complete" || inner.URL !== "about:blank";
}

/** Watch a frame's document and window, if they can be entered. */
function watchFrame(frame) {
  if (![...framesMet].some((held) => held.deref() === frame)) framesMet.add(new WeakRef(frame));
  const inner = frameDocument(frame);
  if (inner && inner.defaultView) {
    if (!isInstrumented(inner.defaultView)) {
      if (mayHaveRun(inner)) lateDocuments.add(inner);
      // the window of the empty document that a frame begins with becomes that of the page which it then loads
      instrument(inner.defaultView);
    }
    if (!watchedRoots.has(inner)) {
      watchFocusIn(inner);
      watchMotionIn(inner);
    }
    watchRoot(inner);
    if (inner.documentElement) watchInside(inner.documentElement);
  }
  countFrames();
}

/** What a frame's document tells its user: news where an act may have led to it, else what stood there before any. */
function meetRegions(inner) {
  if (!inner || !inner.documentElement) return;
  if (acted || activity.running > 0) watchRegions([inner.documentElement]);
  else baselineRegions(inner);
}

/** Frames that are another origin's, and frames with scripts whose requests we may not have seen. */
function countFrames() {
  let foreign = 0;
  let unseen = 0;
  for (const held of framesMet) {
    const frame = held.deref();
    if (!frame) framesMet.delete(held);
    if (!frame || !frame.isConnected) continue;
    const inner = frameDocument(frame);
    if (!inner) foreign += 1;
    else if (lateDocuments.has(inner) && inner.scripts.length > 0) unseen += 1;
  }
  declareBlind("cross-origin-iframe", foreign);
  declareBlind("uninstrumented-frame", unseen);
}

/** Frames among nodes that the parser just put in: their windows are still empty. */
function meetFrames(records) {
  for (const record of records) {
    for (const node of record.addedNodes) {
      if (!isElement(node)) continue;
      if (isFrame(node)) watchFrame(node);
      else if (node.firstElementChild) for (const frame of node.querySelectorAll("iframe, frame")) watchFrame(frame);
    }
  }
}

function startFrameWatch() {
  listen(document, "load", "frame", (event) => {
    if (!isElement(event.target) || !isFrame(event.target)) return;
    watchFrame(event.target);
    meetRegions(frameDocument(event.target));
  });
  beforeFlush.push(countFrames);
  // a frame's own copy of this script calls before anything else runs there
  Object.defineProperty(window, FRAME_HOOK, { value: (view) => attempt("frame", () => instrument(view)) });
}
