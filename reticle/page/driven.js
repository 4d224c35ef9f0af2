/*
 * The daemon's connection in a page that the daemon opened itself: the browser's own debugging connection stands where
 * other pages have a WebSocket. No policy of the page and nothing that replaced `WebSocket` is in its way, and the
 * daemon knows from it which tab is speaking. LAUNCH (prelude.js) is null in every other page.
 */

/** How long after `beforeunload` an act may be answered by itself before it is answered as it is. */
const LEAVE_MS = 10;
/** A deeper frame's name is cut: a name has 128 characters at most. */
const FRAME_PATH_CHARS = 60;

/** As much of a WebSocket as connection.js uses. No EventTarget: the app may have replaced what that one has. */
class DrivenSocket {
  #channel;
  #listeners = { __proto__: null };

  constructor(channel) {
    this.#channel = channel;
    this.closed = false;
    /** The browser takes everything at once. */
    this.bufferedAmount = 0;
    channel.receive = (text, code, reason) => {
      if (code === undefined) this.#tell("message", { data: text });
      else this.end(code, reason);
    };
    channel.again = () => attempt("replaced", () => documentReplaced());
    channel.send("open");
    // after whoever made it had time to listen, and before the app's first script
    native.Promise.resolve().then(() => {
      if (!this.closed) this.#tell("open", {});
    });
  }

  /** Hear one kind of event; `listener` never throws. */
  hear(type, listener) {
    this.#listeners[type] = listener;
  }

  send(text) {
    if (!this.closed) this.#channel.send(text);
  }

  close() {
    if (this.closed) return;
    this.#channel.send("bye");
    this.end(1000, "");
  }

  /** It is over, whoever said so. */
  end(code, reason) {
    if (this.closed) return;
    this.closed = true;
    this.#tell("close", { code, reason });
  }

  #tell(type, event) {
    const listener = this.#listeners[type];
    if (listener) listener(event);
  }
}

/** A frame's place in its tab, such as `.0.2`; empty for the tab itself. */
function framePath() {
  let path = "";
  for (let view = window; view.parent !== view && path.length < FRAME_PATH_CHARS; view = view.parent) {
    let index = 0;
    while (index < view.parent.length && view.parent[index] !== view) index += 1;
    path = `.${index}${path}`;
  }
  return path;
}

/**
 * The document that a window began with was used, and the page that follows has come in the same window: the app's
 * functions are wrapped there already, the document is another.
 */
function documentReplaced() {
  connection.flush();
  identity.documentId = randomName(8);
  queue.nextSeq = 1;
  for (const watch of [watchDocument, () => watchFocusIn(document), () => watchMotionIn(document)]) {
    attempt("replaced", () => watch());
  }
  connection.hello();
}

/** Who a page is that the daemon opened. */
function launchedIdentity() {
  return {
    url: LAUNCH.url,
    projectId: LAUNCH.project ?? undefined,
    sessionId: LAUNCH.session + framePath(),
    documentId: randomName(8),
  };
}

/**
 * The last moment of a page that the daemon opened: when another site's document takes its place, the debugging
 * connection goes over to that one before `pagehide`.
 */
function leaveDriven() {
  connection.flush();
  native.setTimeout(() => attempt("leaving", () => leaving.announce()), LEAVE_MS);
}
