/*
 * Which answers a service worker gave, by the browser's own record of each load: such an answer says nothing of what the
 * server has. Only looked at while a service worker controls the page; frames keep records of their own and are not told.
 */

/** The newest records that were not matched with a request yet. @type {PerformanceResourceTiming[]} */
let servedEntries = [];
let servedObserver = null;

/**
 * What a record says of an answer: `from` where the worker gave it and did not let the browser ask (no protocol was spoken
 * then), `cached` where it is known to have lain in its cache.
 * @param {PerformanceResourceTiming} entry
 */
function servedFacts(entry) {
  if (!(entry.workerStart > 0 && entry.nextHopProtocol === "")) return {};
  return { from: "service-worker", cached: entry.deliveryType === "cache-storage" || undefined };
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

/** What is known of the answer to a request that was asked at `startedMs`: its record comes before its end is told. */
function servedFrom(url, startedMs) {
  if (!servedObserver) return {};
  keepServed(servedObserver.takeRecords());
  const address = recordedAddress(url);
  const at = servedEntries.findIndex((entry) => entry.startTime >= startedMs - 1 && entry.name.split("#")[0] === address);
  if (at < 0) return {};
  const [entry] = servedEntries.splice(at, 1);
  return servedFacts(entry);
}

/** Begin when a service worker comes to control the page. */
function watchServed() {
  if (servedObserver || !native.PerformanceObserver || !native.PerformanceObserver.supportedEntryTypes?.includes("resource")) return;
  servedObserver = new native.PerformanceObserver((list) => attempt("served", () => keepServed(list.getEntries())));
  servedObserver.observe({ type: "resource", buffered: false });
}
