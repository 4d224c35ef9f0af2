/*
 * Which answers a service worker gave, by the browser's own record of each load: such an answer says nothing of what the
 * server has. Only looked at while a service worker controls the page; frames keep records of their own and are not told.
 */

/** The newest records that were not matched with a request yet. @type {PerformanceResourceTiming[]} */
let servedEntries = [];
let servedObserver = null;

/** Whether the worker answered by itself and did not let the browser ask: then no protocol was spoken. */
function isServed(entry) {
  return entry.workerStart > 0 && entry.nextHopProtocol === "";
}

function keepServed(entries) {
  servedEntries = [...servedEntries, ...entries].slice(-LIMIT.RESOURCES);
}

/** @returns {string | undefined} an absolute address without its fragment, as records have it */
function recordedAddress(url) {
  const address = new URL(url, document.baseURI);
  address.hash = "";
  return address.href;
}

/** What `from` of a request says that was asked at `startedMs`: its record comes before its end is told. */
function servedFrom(url, startedMs) {
  if (!servedObserver) return undefined;
  keepServed(servedObserver.takeRecords());
  const address = recordedAddress(url);
  const at = servedEntries.findIndex((entry) => entry.startTime >= startedMs - 1 && entry.name.split("#")[0] === address);
  if (at < 0) return undefined;
  const [entry] = servedEntries.splice(at, 1);
  return isServed(entry) ? "service-worker" : undefined;
}

/** Begin when a service worker comes to control the page. */
function watchServed() {
  if (servedObserver || !native.PerformanceObserver || !native.PerformanceObserver.supportedEntryTypes?.includes("resource")) return;
  servedObserver = new native.PerformanceObserver((list) => attempt("served", () => keepServed(list.getEntries())));
  servedObserver.observe({ type: "resource", buffered: false });
}
