/*
 * Begin: watch first, then say hello.
 */

/** A page around this one, of the same origin, that has our script: it sees into this frame already. */
function isCoveredByParent() {
  try {
    return window.parent !== window && Object.hasOwn(window.parent, "__reticle__");
  } catch {
    return false;
  }
}

/** Inside a covered frame: what happens here is told by the page around it. */
function joinParent() {
  installParentApi();
  const join = (view) => {
    const around = window.parent[FRAME_HOOK];
    if (typeof around === "function") around(view);
  };
  Object.defineProperty(window, FRAME_HOOK, { value: join });
  attempt("frame", () => join(window));
}

if (isCoveredByParent()) {
  joinParent();
} else {
  for (const [site, begin] of Object.entries({
    blind: startBlindWatch,
    internals: startInternalsWatch,
    workers: startWorkerWatch,
    messages: startMessageWatch,
    indexeddb: startDatabaseWatch,
    causes: startCauseWatch,
    pending: startPendingWatch,
    fetch: startFetchWatch,
    xhr: startXhrWatch,
    streams: startStreamWatch,
    bodies: startBodyWatch,
    openings: startOpeningWatch,
    aim: startAimWatch,
    console: startConsoleWatch,
    dialogs: startDialogWatch,
    storage: startStorageWatch,
    downloads: startDownloadWatch,
    motion: startMotionWatch,
    perf: startPerfWatch,
    reveal: startRevealWatch,
    commits: startCommitWatch,
    edits: startEditWatch,
    frames: startFrameWatch,
    dom: startDomWatch,
    unfolded: startUnfoldWatch,
    focus: startFocusWatch,
    route: startRouteWatch,
    sight: startSightWatch,
    api: installApi,
    connect,
    panel: () => startPanel(scriptTag),
  })) {
    attempt(site, () => begin());
  }
}
