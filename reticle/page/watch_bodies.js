/*
 * Bodies of fetch that the app reads as streams, reported as `net.stream`. The app's own reads are what is seen: nothing
 * is copied or split for it and no lock is taken, so that a body is as fast and as long as without us.
 */

/** Stream → the body that it is, or that it is made of by a transform or a tee. @type {WeakMap<ReadableStream, Body>} */
const bodyStreams = new WeakMap();
/** Reader or iterator → the stream that it reads. */
const bodyReaders = new WeakMap();
let bodiesRead = 0;

/** Whether a body of this type comes in parts that mean something; whole answers and binary data do not. */
function isStreamed(contentType) {
  return !contentType || STREAM_TYPE.test(contentType) || /^text\/plain\b/i.test(contentType);
}

/**
 * @typedef {object} Body
 * @property {{transport: "fetch", id: string, request: string, url: string}} told
 * @property {boolean} text whether bytes can be shown as text
 * @property {object | null} source which of its streams is reported: of two branches only the first that is read
 * @property {boolean} over
 */

/** Follow an answer's body from when the app reads it as a stream. */
function followBody(request, response) {
  const type = response.headers && response.headers.get("content-type");
  if (response.bodyUsed || !isStreamed(type) || !response.body) return;
  const told = { transport: "fetch", id: "", request: request.id, url: request.url };
  bodyStreams.set(response.body, { told, text: Boolean(type) && !/grpc|multipart/i.test(type), source: null, over: false });
}

function tellBody(body, fields) {
  if (body.over) return;
  if (!body.told.id) {
    bodiesRead += 1;
    body.told.id = `f${bodiesRead}`;
    emitRated(EVENT.NET_STREAM, { ...body.told, direction: "open" });
  }
  if (fields) emitRated(EVENT.NET_STREAM, { ...body.told, ...fields });
  if (fields && fields.direction === "close") body.over = true;
}

/** What one chunk says: bytes, text, or what a transform made of them. */
function chunkFacts(body, value) {
  if (value && typeof value.byteLength === "number") {
    if (!body.text || !ArrayBuffer.isView(value)) return { bytes: value.byteLength };
    const start = new Uint8Array(value.buffer, value.byteOffset, Math.min(value.byteLength, 4 * LIMIT.PREVIEW_CHARS));
    return { ...messageFacts(new TextDecoder().decode(start)), bytes: value.byteLength };
  }
  if (typeof value === "string") return messageFacts(value);
  const shown = native.stringify(plain(value));
  return { preview: clip(scrubLoose(String(shown)), LIMIT.PREVIEW_CHARS) };
}

/** One read's outcome, told if it is of the branch that is reported. */
function noteRead(reader, result, broken) {
  const stream = bodyReaders.get(reader);
  const body = bodyStreams.get(stream);
  body.source ||= stream;
  if (body.source !== stream) return;
  tellBody(body, result.done ? { direction: "close", ...(broken && { broken }) } : { direction: "in", ...chunkFacts(body, result.value) });
}

/** What a read gives goes to the app as it is, also the error of a body that broke off. */
function observeRead(reader) {
  if (!bodyReaders.has(reader)) return undefined;
  return {
    returned: (promise) =>
      promise.then(
        (result) => {
          attempt("stream", () => noteRead(reader, result));
          return result;
        },
        (error) => {
          // an app that aborts wanted no more of it
          attempt("stream", () => noteRead(reader, { done: true }, !(error && error.name === "AbortError")));
          throw error;
        },
      ),
  };
}

/** The app begins to read: what it reads with stands for the stream. */
function observeReader(stream) {
  // of what is read by hand only the chunks of text bodies are told
  unseenWays.note("stream");
  const body = bodyStreams.get(stream);
  if (!body) return undefined;
  return {
    returned(reader) {
      tellBody(body);
      bodyReaders.set(reader, stream);
      return reader;
    },
  };
}

/** What a transform or a tee makes of a body is that body still. */
function observeMade(stream) {
  const body = bodyStreams.get(stream);
  if (!body) return undefined;
  return {
    returned(made) {
      tellBody(body);
      for (const each of Array.isArray(made) ? made : [made]) bodyStreams.set(each, body);
      return made;
    },
  };
}

/** A body that goes into a sink is read unseen: what was in it is a loss. */
function observePipe(stream) {
  const body = bodyStreams.get(stream);
  if (!body) return undefined;
  tellBody(body);
  emit(EVENT.TRUNCATED, { channel: EVENT.NET_STREAM, dropped: 1 });
  body.over = true;
  return undefined;
}

function observeCancel(self) {
  const stream = bodyStreams.has(self) ? self : bodyReaders.get(self);
  const body = stream && bodyStreams.get(stream);
  if (body && (body.source || stream) === stream) tellBody(body, { direction: "close" });
}

/** The prototype that iterators of streams share, which has no name. */
function iteratorPrototype(view) {
  return attempt("stream", () => Object.getPrototypeOf(new view.ReadableStream().values()));
}

/** @param {Window} [view] this window, or that of a frame of this origin */
function startBodyWatch(view = window) {
  if (!view.ReadableStream) return;
  const { prototype } = view.ReadableStream;
  const iterator = prototype.values && iteratorPrototype(view);
  replaceFunction(prototype, "getReader", "stream", observeReader);
  replaceFunction(prototype, "pipeThrough", "stream", observeMade);
  replaceFunction(prototype, "tee", "stream", observeMade);
  replaceFunction(prototype, "pipeTo", "stream", observePipe);
  replaceFunction(prototype, "cancel", "stream", observeCancel);
  for (const Reader of [view.ReadableStreamDefaultReader, view.ReadableStreamBYOBReader]) {
    if (!Reader) continue;
    replaceFunction(Reader.prototype, "read", "stream", observeRead);
    replaceFunction(Reader.prototype, "cancel", "stream", observeCancel);
  }
  if (!iterator || !replaceFunction(prototype, "values", "stream", observeReader)) return;
  // one function under two names, as it was
  const found = Object.getOwnPropertyDescriptor(prototype, Symbol.asyncIterator);
  if (found) Object.defineProperty(prototype, Symbol.asyncIterator, { ...found, value: prototype.values });
  replaceFunction(iterator, "next", "stream", observeRead);
  replaceFunction(iterator, "return", "stream", observeCancel);
}
