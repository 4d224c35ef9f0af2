/*
 * XMLHttpRequest: its prototype's `open` and `send` are seen; subclasses inherit that.
 */

/** XMLHttpRequest → what `open` was told. */
const opened = new WeakMap();

function observeOpen(xhr, [method, url]) {
  // before the app's own listeners, as far as it adds them later
  if (!opened.has(xhr)) {
    native.listen.call(xhr, "readystatechange", () => {
      const { request } = opened.get(xhr);
      if (xhr.status !== 0 && request) causes.resume(request.carried);
      if (xhr.readyState === 4 && request) noteAnswered(request);
    });
  }
  opened.set(xhr, { method: String(method), url: String(url), request: undefined });
}

/** Report one send: each has a record of its own, so a reused object is not mislabelled. */
function observeSend(xhr, [body]) {
  const told = opened.get(xhr);
  if (!told) return undefined;
  const requestBody = attempt("xhr body", () => requestBodyText(body));
  const request = startRequest("xhr", told.method, told.url);
  told.request = request;
  let fault;
  const note = (event) => {
    fault = event.type;
  };
  const done = () => attempt("xhr", () => {
    stop();
    endRequest(request, { ...xhrOutcome(xhr, told.url, fault), requestBody });
  });
  const faults = ["error", "abort", "timeout"];
  const stop = () => {
    for (const type of faults) native.unlisten.call(xhr, type, note);
    native.unlisten.call(xhr, "loadend", done);
  };
  for (const type of faults) native.listen.call(xhr, type, note);
  native.listen.call(xhr, "loadend", done);
  attempt("probed", () => probed.mark(xhr, told.method, told.url));
  return {
    threw(error) {
      stop();
      endRequest(request, { ...failure(error), requestBody });
    },
  };
}

/** Whether the answer came from elsewhere than was asked. */
function wasSentOn(xhr, url) {
  if (!xhr.responseURL) return false;
  const asked = new URL(url, document.baseURI);
  asked.hash = "";
  return asked.href !== xhr.responseURL;
}

function xhrOutcome(xhr, url, fault) {
  if (fault) {
    return { status: 0, ok: false, error: fault === "error" ? "network error" : fault, aborted: fault === "abort" || undefined };
  }
  const contentType = xhr.getResponseHeader("content-type") || undefined;
  const outcome = {
    status: xhr.status,
    ok: xhr.status >= 200 && xhr.status < 300,
    statusText: xhr.statusText,
    contentType,
    rid: attempt("probed", () => ridOfXhr(xhr)),
    redirected: attempt("xhr", () => wasSentOn(xhr, url)) || undefined,
  };
  const text = xhrText(xhr, contentType);
  if (text === undefined) return outcome;
  const body = boundBody(text);
  return { ...outcome, responseSize: text.length, responseBody: body.text, bodyTruncated: body.truncated || undefined };
}

/** The response as text, where it is one. */
function xhrText(xhr, contentType) {
  if (xhr.responseType === "" || xhr.responseType === "text") {
    return isReadableType(contentType) || !contentType ? xhr.responseText : undefined;
  }
  if (xhr.responseType === "json" && xhr.response !== null) return native.stringify(xhr.response);
  return undefined;
}

/** @param {Window} [view] this window, or that of a frame of this origin */
function startXhrWatch(view = window) {
  if (!view.XMLHttpRequest) return;
  replaceFunction(view.XMLHttpRequest.prototype, "open", "xhr.open", observeOpen);
  replaceFunction(view.XMLHttpRequest.prototype, "send", "xhr.send", observeSend);
}
