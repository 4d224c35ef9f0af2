/*
 * fetch and sendBeacon: seen, never changed. The app gets the same answers, the same errors, the same objects.
 */

let requestsMade = 0;
/** Those of the last act that are not answered yet, or whose body is still read. */
const openRequests = new Set();

/** What an act asks is told from what was asked before. */
function forgetRequests() {
  openRequests.clear();
}

/** A new id for a request of this document. */
function nextRequestId() {
  requestsMade += 1;
  return `n${requestsMade}`;
}

/** The facts of a started request, and its `net.pending`. */
function startRequest(initiator, method, url) {
  const request = { id: nextRequestId(), method: String(method || "GET").toUpperCase(), url: redactUrl(url), initiator };
  openRequests.add(request.id);
  emit(EVENT.NET_PENDING, request);
  return { ...request, startedMs: native.now(), written: callerWritten(), address: String(url), carried: causes.carry() };
}

/** The app has the answer, or will have it in a moment: what it says from now on comes after it, though its body is still read. */
function noteAnswered(request) {
  request.answeredAt ??= queue.nextSeq;
}

/** Report how a request ended. `outcome` holds status, ok, bodies and so on. */
function endRequest(request, outcome) {
  const { startedMs, written, address, answeredAt, carried, ...facts } = request;
  openRequests.delete(request.id);
  changed();
  const fields = { ...facts, durationMs: Math.round(native.now() - startedMs), ...outcome, ...written };
  attempt("words", () => lostWords.ended(request, outcome));
  if (answeredAt < queue.nextSeq) fields.behind = queue.nextSeq - answeredAt;
  Object.assign(fields, attempt("served", () => servedFrom(address, startedMs)));
  for (const [key, value] of Object.entries(fields)) if (value === undefined) delete fields[key];
  emitRequest(fields, carried ? carried.cause.id : null);
}

/** Bodies are redacted already, as what they are; as plain text they must only stay well-formed. */
function emitRequest(fields, cause = null) {
  const { requestBody, responseBody, ...others } = fields;
  const shown = plain(others);
  if (requestBody !== undefined) shown.requestBody = requestBody;
  if (responseBody !== undefined) shown.responseBody = responseBody;
  queue.add(EVENT.NET_REQUEST, shown, undefined, cause);
}

function methodOfFetch(input, init) {
  if (init && init.method !== undefined) return init.method;
  return isRequest(input) ? input.method : "GET";
}

function isRequest(input) {
  return kindOf(input) === "Request" && typeof input.clone === "function"; // also one of a frame's window
}

/** A promise of the request body's text; a Request object's is read from a copy, when it says that it is text. */
function bodyOfFetch(input, init) {
  if (init && init.body !== undefined && init.body !== null) return requestBodyText(init.body);
  if (!isRequest(input) || !input.body || input.bodyUsed || !isReadableType(input.headers.get("content-type"))) {
    return undefined;
  }
  return readResponse(input.clone()).then((body) => body && body.text);
}

/** What a response says without its body. */
function responseFacts(response) {
  if (response.type === "opaque" || response.type === "opaqueredirect") return { ok: true };
  const headers = response.headers;
  const length = headers && headers.get("content-length");
  return {
    status: response.status,
    ok: response.ok,
    statusText: response.statusText,
    contentType: (headers && headers.get("content-type")) || undefined,
    responseSize: length && /^\d+$/.test(length) ? Number(length) : undefined,
    rid: ridIn(headers && headers.get("server-timing")),
    redirected: response.redirected || undefined,
  };
}

async function reportResponse(request, response, copy, requestBody) {
  const outcome = responseFacts(response);
  if (copy) {
    const body = await readResponse(copy, isStreamed(outcome.contentType) ? LIMIT.BODY_WAIT_MS : Infinity);
    if (body) {
      outcome.responseBody = body.text;
      if (body.truncated) outcome.bodyTruncated = true;
      if (body.broken) outcome.bodyBroken = true;
      if (body.aborted) outcome.aborted = true;
    } else outcome.bodyTruncated = true;
  }
  outcome.requestBody = await requestBody;
  attempt("fetch", () => endRequest(request, outcome));
}

/** A failed or aborted request's outcome. */
function failure(error) {
  const name = error && error.name;
  return {
    status: 0,
    ok: false,
    error: clip(scrubLoose(String((error && error.message) || error)), LIMIT.TEXT_CHARS),
    aborted: name === "AbortError" || undefined,
  };
}

/** @param {Window} view whose fetch it is */
function observeFetch(view, [input, init]) {
  const url = isRequest(input) ? input.url : String(input);
  const requestBody = native.Promise.resolve(attempt("fetch body", () => bodyOfFetch(input, init))).catch(() => undefined);
  const request = startRequest("fetch", methodOfFetch(input, init), url);
  const refused = (error) => {
    noteAnswered(request);
    requestBody.then((text) => attempt("fetch", () => endRequest(request, { ...failure(error), requestBody: text })));
  };
  const marked = attempt("probed", () => probed.marked(view, input, init));
  return {
    threw: refused,
    ...(marked && { args: [marked] }),
    returned(promise) {
      return promise.then(
        (response) => {
          causes.resume(request.carried);
          noteAnswered(request);
          const readable = !response.bodyUsed && isReadableType(response.headers && response.headers.get("content-type"));
          const copy = readable ? attempt("fetch clone", () => response.clone()) : undefined;
          attempt("fetch body", () => followBody(request, response));
          reportResponse(request, response, copy, requestBody).catch((error) => reportFailure("fetch", error));
          return response;
        },
        (error) => {
          // what is given up is so within the task of who gave it up
          if (!error || error.name !== "AbortError") causes.resume(request.carried);
          attempt("fetch", () => refused(error));
          throw error;
        },
      );
    },
  };
}

function observeBeacon(self, [url, body]) {
  const request = startRequest("beacon", "POST", String(url));
  const requestBody = requestBodyText(body);
  return {
    returned(queued) {
      // whether it arrives nobody can know
      endRequest(request, queued ? { requestBody } : { status: 0, ok: false, error: "not queued", requestBody });
      return queued;
    },
  };
}

/** @param {Window} [view] this window, or that of a frame of this origin */
function startFetchWatch(view = window) {
  replaceFunction(view, "fetch", "fetch", (self, args) => observeFetch(view, args));
  if (view.Navigator) replaceFunction(view.Navigator.prototype, "sendBeacon", "beacon", observeBeacon);
}
