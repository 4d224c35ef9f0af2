/*
 * Where the page is: route changes without a new document, document loads with their status, health.
 */

let lastHref = window.location.href;

/** Report the URL if it is another one than at the last look. */
function noteRoute() {
  const { href, pathname, search, hash } = window.location;
  if (href === lastHref) return;
  const from = lastHref;
  lastHref = href;
  emit(EVENT.ROUTE_CHANGE, {
    from: redactUrl(from),
    to: redactUrl(href),
    pathname: redactUrl(pathname),
    search: redactUrl(search),
    hash: redactUrl(hash),
  });
  connection.hello();
}

const SUBMIT_KEY = "__reticle_submit";
/** How old a remembered form submission may be to be the one that loaded this document. */
const SUBMIT_MS = 30000;

/** A submitted form; whether the browser sends it is known when every listener has run. */
function observeSubmit(event) {
  const form = event.target;
  const { submitter } = event;
  if (isElement(form) && tagOf(form) === "form") {
    const carried = causes.carry();
    soon(() => {
      causes.resume(carried);
      if (!event.defaultPrevented) reportSubmit(form, submitter);
    });
  }
}

/** A form that the browser itself sends: a request whose end only the next document can see. */
function reportSubmit(form, submitter) {
  const written = (name) => (submitter && submitter.getAttribute(`form${name}`)) || form.getAttribute(name);
  const method = String(written("method") || "get").toUpperCase();
  const target = written("target");
  const elsewhere = Boolean(target) && !/^_(self|top|parent)$/.test(target);
  if (method === "DIALOG" || (elsewhere && method !== "POST")) return;
  const url = new URL(written("action") || window.location.href, document.baseURI).href;
  if (elsewhere) {
    // a frame or another tab is answered; how, this document does not see
    const sent = startRequest("form", method, url);
    sent.written = writtenOf(submitter || form) || sent.written;
    endRequest(sent, { requestBody: attempt("submit", () => formElementsText(form, submitter)) });
    return;
  }
  const request = startRequest("document", method, url);
  request.written = writtenOf(submitter || form) || request.written;
  const requestBody = method === "POST" ? attempt("submit", () => formElementsText(form, submitter)) : undefined;
  tabMemory.set(
    SUBMIT_KEY,
    native.stringify({ method, url: request.url, requestBody, written: request.written, at: Date.now() }),
  );
}

/** The load of this document as a request that has ended, with the status that the browser tells. */
function reportLoad() {
  const entry = window.performance && window.performance.getEntriesByType && window.performance.getEntriesByType("navigation")[0];
  const remembered = attempt("submit", () => native.parse(tabMemory.get(SUBMIT_KEY) || "null"));
  tabMemory.remove(SUBMIT_KEY);
  if (!entry) return;
  const sent = remembered && entry.type === "navigate" && Date.now() - remembered.at < SUBMIT_MS ? remembered : null;
  const status = entry.responseStatus || undefined;
  const fields = {
    id: nextRequestId(),
    method: sent ? sent.method : "GET",
    url: sent ? sent.url : redactUrl(window.location.href),
    initiator: "document",
    status,
    ok: status === undefined ? undefined : status < 400,
    durationMs: Math.round(Math.max(0, entry.responseEnd - entry.startTime)),
    responseSize: entry.encodedBodySize || undefined,
    contentType: document.contentType,
    requestBody: sent ? sent.requestBody : undefined,
    ...(sent ? sent.written : undefined),
    redirected: entry.redirectCount > 0 || undefined,
    rid: attempt("probed", () => probed.documentRid()),
    ...servedFacts(entry),
  };
  for (const [key, value] of Object.entries(fields)) if (value === undefined) delete fields[key];
  emitRequest(fields);
}

function reportHealth(reason) {
  emit(EVENT.PAGE_HEALTH, { hidden: Boolean(document.hidden), focused: document.hasFocus(), reason });
}

function startRouteWatch() {
  const after = () => ({
    returned(result) {
      noteRoute();
      return result;
    },
  });
  replaceFunction(window.History.prototype, "pushState", "route", after);
  replaceFunction(window.History.prototype, "replaceState", "route", after);
  for (const type of ["popstate", "hashchange"]) listen(window, type, "route", noteRoute);
  listen(window, "submit", "submit", observeSubmit);
  // a script that sends a form fires no event
  replaceFunction(window.HTMLFormElement.prototype, "submit", "submit", (form) => ({
    returned(result) {
      if (form.isConnected) reportSubmit(form, null);
      return result;
    },
  }));
  const loaded = () => {
    reportLoad();
    connection.hello();
  };
  if (document.readyState === "loading") listen(document, "DOMContentLoaded", "load", loaded);
  else loaded();
  listen(window, "load", "load", (event) => {
    if (event.target === document) connection.helloIfChanged();
  });
  reportHealth("initial");
  listen(document, "visibilitychange", "health", () => reportHealth("visibilitychange"));
  for (const type of ["focus", "blur"]) {
    listen(window, type, "health", (event) => {
      if (event.target === window) reportHealth(type);
    });
  }
  native.setInterval(() => attempt("health", () => {
    reportHealth("heartbeat");
    connection.helloIfChanged();
  }), LIMIT.HEARTBEAT_MS);
}
