/*
 * WebSocket and EventSource: long-lived channels, reported as `net.stream`, never as open requests.
 */

let streamsOpened = 0;
/** How many may still bring something; one that the app closes without a word stays counted. */
let streamsOpen = 0;

/** Bytes and a preview of one message. */
function messageFacts(payload) {
  if (typeof payload === "string") {
    return { bytes: payload.length, preview: clip(scrubLoose(payload.slice(0, 4 * LIMIT.PREVIEW_CHARS)), LIMIT.PREVIEW_CHARS) };
  }
  return { bytes: payload && (payload.size ?? payload.byteLength) };
}

/** Watch one socket or source that the app made. */
function watchStream(stream, transport, url, types) {
  streamsOpened += 1;
  streamsOpen += 1;
  const told = { transport, id: `${transport === "ws" ? "w" : "s"}${streamsOpened}`, url: redactUrl(url) };
  streams.set(stream, told);
  streamUses.set(told, { heard: 0, fed: 0, place: null, closedByApp: false, cause: undefined });
  listen(stream, "open", "stream", causes.boundary);
  listen(stream, "open", "stream", () => emitRated(EVENT.NET_STREAM, { ...told, direction: "open" }));
  for (const type of types) watchMessages(stream, told, type);
  const closing = transport === "ws" ? "close" : "error";
  listen(stream, closing, "stream", () => {
    // an EventSource that comes back by itself reports `error` too: it is closed only in its last state
    if (transport !== "ws" && stream.readyState !== 2) return;
    streamsOpen -= 1;
    tellClosed(told);
  });
}

/** The end of a stream; where the app itself closed it, with how much it had brought. */
function tellClosed(told) {
  const { heard, fed, place, closedByApp, cause } = streamUses.get(told);
  if (!closedByApp) {
    emitRated(EVENT.NET_STREAM, { ...told, direction: "close" });
    return;
  }
  const shows = Boolean(place && place.deref() && place.deref().isConnected);
  queue.add(EVENT.NET_STREAM, { ...told, direction: "close", by: "app", heard, fed: shows ? fed : 0 }, undefined, cause);
}

/** The app closes a stream, unless the call fails: a source then says nothing more, a socket tells its end later. */
function observeStreamClose(stream) {
  const told = streams.get(stream);
  if (!told || stream.readyState > 1) return undefined;
  return {
    returned(result) {
      Object.assign(streamUses.get(told), { closedByApp: true, cause: causes.now() });
      // the counter stays: a page whose stream was just closed is looked at for as long as one whose stream is open
      if (told.transport === "sse") tellClosed(told);
      return result;
    },
  };
}

/** What the stream that brought a message last has changed in the document so soon after it. */
const FED_WITHIN_MS = 50;
let heardLast = { use: null, at: 0 };

/** The document changed at a node: it may be what a message brought. */
function noteFed(node) {
  const { use, at } = heardLast;
  if (!use || elapsedMs() - at > FED_WITHIN_MS) return;
  use.fed += 1;
  use.place = new WeakRef(node);
  heardLast = { use: null, at: 0 };
}

/** stream → what identifies it in events */
const streams = new WeakMap();
/** what identifies it → how many messages came, how many of them the document changed after and where, who closed it */
const streamUses = new WeakMap();
/** EventSource → names of the events that are watched already */
const streamTypes = new WeakMap();

function watchMessages(stream, told, type) {
  const known = streamTypes.get(stream) || new Set();
  streamTypes.set(stream, known);
  if (known.has(type)) return;
  known.add(type);
  listen(stream, type, "stream", (event) => {
    causes.boundary();
    const use = streamUses.get(told);
    use.heard += 1;
    heardLast = { use, at: elapsedMs() };
    emitRated(EVENT.NET_STREAM, { ...told, direction: "in", ...messageFacts(event.data) });
  });
}

function observeSocketSend(socket, [payload]) {
  if (isOldKitSocket(socket)) native.Promise.resolve().then(() => attempt("kit", () => socket.close()));
  const told = streams.get(socket);
  if (told) emitRated(EVENT.NET_STREAM, { ...told, direction: "out", ...messageFacts(payload) });
}

/** Named events of an EventSource are seen when the app listens for them. */
function observeSourceListen(source, [type]) {
  const told = streams.get(source);
  if (told && !["open", "error"].includes(String(type))) watchMessages(source, told, String(type));
}

/** A socket that the app made; one of its development server's, or of the published packages, is none of the app's. */
function observeSocket(view, [url, protocols]) {
  if (isBridge(url)) return { instead: () => adoptKit(view, url) };
  const edits = isEditSocket(protocols);
  return {
    returned(socket) {
      if (edits) watchEditSocket(socket);
      else watchStream(socket, "ws", String(url), ["message"]);
      return socket;
    },
  };
}

function observeSource(target, [url]) {
  return {
    returned(source) {
      watchStream(source, "sse", String(url), ["message"]);
      return source;
    },
  };
}

/** @param {Window} [view] this window, or that of a frame of this origin */
function startStreamWatch(view = window) {
  if (view.WebSocket) {
    replaceFunction(view.WebSocket.prototype, "send", "ws.send", observeSocketSend);
    replaceFunction(view.WebSocket.prototype, "close", "ws.close", observeStreamClose);
    replaceFunction(view, "WebSocket", "WebSocket", (target, args) => observeSocket(view, args), true);
  }
  if (view.EventSource) {
    replaceFunction(view.EventSource.prototype, "close", "sse.close", observeStreamClose);
    observeInherited(view.EventSource.prototype, view.EventTarget.prototype, "addEventListener", "sse.listen", observeSourceListen);
    replaceFunction(view, "EventSource", "EventSource", observeSource, true);
  }
}
