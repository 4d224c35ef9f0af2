/*
 * WebSocket and EventSource: long-lived channels, reported as `net.stream`, never as open requests.
 */

let streamsOpened = 0;

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
  const told = { transport, id: `${transport === "ws" ? "w" : "s"}${streamsOpened}`, url: redactUrl(url) };
  streams.set(stream, told);
  listen(stream, "open", "stream", () => emitRated(EVENT.NET_STREAM, { ...told, direction: "open" }));
  for (const type of types) watchMessages(stream, told, type);
  const closing = transport === "ws" ? "close" : "error";
  listen(stream, closing, "stream", () => {
    // an EventSource that comes back by itself reports `error` too: it is closed only in its last state
    if (transport === "ws" || stream.readyState === 2) emitRated(EVENT.NET_STREAM, { ...told, direction: "close" });
  });
}

/** stream → what identifies it in events */
const streams = new WeakMap();
/** EventSource → names of the events that are watched already */
const streamTypes = new WeakMap();

function watchMessages(stream, told, type) {
  const known = streamTypes.get(stream) || new Set();
  streamTypes.set(stream, known);
  if (known.has(type)) return;
  known.add(type);
  listen(stream, type, "stream", (event) => {
    emitRated(EVENT.NET_STREAM, { ...told, direction: "in", ...messageFacts(event.data) });
  });
}

function observeSocketSend(socket, [payload]) {
  const told = streams.get(socket);
  if (told) emitRated(EVENT.NET_STREAM, { ...told, direction: "out", ...messageFacts(payload) });
}

/** Named events of an EventSource are seen when the app listens for them. */
function observeSourceListen(source, [type]) {
  const told = streams.get(source);
  if (told && !["open", "error"].includes(String(type))) watchMessages(source, told, String(type));
}

function startStreamWatch() {
  if (native.WebSocket) {
    replaceFunction(native.WebSocket.prototype, "send", "ws.send", observeSocketSend);
    replaceFunction(window, "WebSocket", "WebSocket", (target, [url]) => ({
      returned(socket) {
        watchStream(socket, "ws", String(url), ["message"]);
        return socket;
      },
    }), true);
  }
  if (native.EventSource) {
    const inherited = window.EventTarget.prototype.addEventListener;
    Object.defineProperty(native.EventSource.prototype, "addEventListener", {
      value: wrapped("sse.listen", inherited, observeSourceListen),
      writable: true,
      configurable: true,
      enumerable: true,
    });
    replaceFunction(window, "EventSource", "EventSource", (target, [url]) => ({
      returned(source) {
        watchStream(source, "sse", String(url), ["message"]);
        return source;
      },
    }), true);
  }
}
