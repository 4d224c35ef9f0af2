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

if (isCoveredByParent()) {
  installParentApi();
} else {
  for (const [site, begin] of Object.entries({
    dom: startDomWatch,
    blind: startBlindWatch,
    fetch: startFetchWatch,
    xhr: startXhrWatch,
    streams: startStreamWatch,
    console: startConsoleWatch,
    route: startRouteWatch,
    api: installApi,
    connect,
  })) {
    attempt(site, begin);
  }
}
