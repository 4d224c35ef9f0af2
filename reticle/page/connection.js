/*
 * The one WebSocket to the daemon: dial, retry, park, end. With the daemon away it stays quiet, and nothing here
 * can reach the app.
 *
 * state: parked (prerendered or in the back/forward cache) · waiting (a retry is due) · dialling · open ·
 *        ended (the daemon said 1008, or we may not dial at all)
 */

/** Close what may be no real socket. */
function closeQuietly(socket) {
  try {
    socket?.close();
  } catch {
    // it cannot be closed, and nobody listens to it
  }
}

class Connection {
  /** @param {(text: string, answer: (message: object) => void) => void} receive what to do with a message */
  constructor(receive) {
    this.receive = receive;
    this.state = "parked";
    this.socket = null;
    this.timer = undefined;
    this.delayMs = LIMIT.RETRY_FIRST_MS;
    this.failures = 0;
    this.noticed = false;
    this.hasCapabilities = false;
    this.lastSaid = "";
    this.ways = new Ways(LAUNCH ? [] : waysOf(identity));
  }

  /** Say one thing in the console, once in this document. */
  notice(text) {
    if (this.noticed) return;
    this.noticed = true;
    attempt("notice", () => native.info(`[reticle] ${text}`));
  }

  /** Dial now, whatever the timer says; nothing when a socket is there or this ended. */
  dial() {
    if (this.state === "open" || this.state === "dialling" || this.state === "ended") return;
    native.clearTimeout(this.timer);
    this.state = "dialling";
    let socket = null;
    try {
      socket = LAUNCH ? new DrivenSocket(LAUNCH.channel) : this.ways.dial();
      this.watch(socket);
    } catch {
      // mixed content, a policy, or something in the place of WebSocket that is none: as a refused connection
      closeQuietly(socket);
      this.ways.failed();
      this.lost(null, 0, "");
      return;
    }
    this.socket = socket;
  }

  /** Hear of what becomes of a socket; throws where it is no real one. */
  watch(socket) {
    let openedAt = 0;
    const hear = (type, listener) => {
      if (LAUNCH || socket instanceof PollSocket) socket.hear(type, (event) => attempt(type, () => listener(event)));
      else listen(socket, type, type, listener);
    };
    hear("open", () => {
      openedAt = native.now();
      this.opened(socket);
    });
    hear("message", (event) => {
      if (socket !== this.socket || typeof event.data !== "string") return;
      this.delayMs = LIMIT.RETRY_FIRST_MS;
      this.receive(event.data, (message) => this.answer(socket, message));
    });
    hear("error", () => {
      // Chromium ends a socket that a policy forbids with this event alone; where a close follows, it changes nothing
      if (!openedAt) this.refused(socket, 1006, "");
    });
    hear("close", (event) => {
      if (openedAt && native.now() - openedAt >= LIMIT.RETRY_RESET_MS) this.delayMs = LIMIT.RETRY_FIRST_MS;
      if (openedAt) this.lost(socket, event.code, event.reason);
      else this.refused(socket, event.code, event.reason);
    });
  }

  /** A socket never opened: the next try goes another way, where a probe in the app's server offers one. */
  refused(socket, code, reason) {
    if (socket === this.socket) this.ways.failed();
    this.lost(socket, code, reason);
  }

  opened(socket) {
    if (socket !== this.socket) return;
    this.state = "open";
    this.failures = 0;
    this.hello();
    this.flush();
  }

  /** Say who we are, again when something of it changed. */
  hello() {
    if (this.state !== "open") return;
    this.lastSaid = native.stringify(helloMessage(this.hasCapabilities));
    this.socket.send(this.lastSaid);
  }

  /** Say hello again when title, URL or frameworks are others by now (the load and each heartbeat ask). */
  helloIfChanged() {
    if (native.stringify(helloMessage(this.hasCapabilities)) !== this.lastSaid) this.hello();
  }

  lost(socket, code, reason) {
    if (socket !== this.socket && socket !== null) return;
    this.socket = null;
    if (this.state === "parked" || this.state === "ended") return;
    if (code === 1008) {
      this.end(`the daemon at ${identity.url} refused this page: ${reason || "no reason given"}`);
      return;
    }
    this.state = "waiting";
    this.failures += 1;
    if (this.failures === 3) {
      this.notice(
        `no connection to ${identity.url} after 3 attempts; trying on quietly. No daemon there, a Content-Security-` +
          "Policy without it in connect-src, or an https page with a ws: address: these look alike from here.",
      );
    }
    const delay = this.delayMs;
    this.delayMs = Math.min(this.delayMs * 2, LIMIT.RETRY_MAX_MS);
    this.timer = native.setTimeout(() => attempt("redial", () => this.dial()), delay);
  }

  /** Never dial again in this document. */
  end(why) {
    this.state = "ended";
    this.notice(why);
  }

  /** The page goes to sleep: close, so that the browser may keep the page and the daemon knows. */
  park() {
    if (this.state === "ended") return;
    native.clearTimeout(this.timer);
    const socket = this.socket;
    this.state = "parked";
    this.socket = null;
    if (socket) socket.close(1000, "page parked");
  }

  /** The page is looked at again: do not wait for the timer. */
  hurry() {
    if (this.state !== "waiting") return;
    this.delayMs = LIMIT.RETRY_FIRST_MS;
    this.dial();
  }

  /** Send what waits, as far as the socket takes it; the rest stays in the capped queue. */
  flush() {
    for (const work of beforeFlush) attempt("observe", work);
    if (this.state !== "open") {
      queue.awake = false;
      return;
    }
    if (this.socket.bufferedAmount > LIMIT.SOCKET_BYTES) {
      native.setTimeout(() => attempt("flush", () => this.flush()), 100);
      return;
    }
    for (const message of queue.drain()) this.socket.send(message);
  }

  /** Answer a command on the socket it came from; the evidence goes first. */
  answer(socket, message) {
    attempt("answer", () => {
      if (socket !== this.socket || this.state !== "open") return;
      for (const work of beforeFlush) work({ answers: true });
      for (const batch of queue.drain()) socket.send(batch);
      const text = native.stringify(message);
      const fits = text.length <= LIMIT.RESULT_CHARS;
      socket.send(fits ? text : native.stringify(failureMessage(message.id, tooLarge(text.length))));
    });
  }
}

/** A result that one message cannot hold. */
function tooLarge(chars) {
  return new Refused(REFUSAL.PAGE_ERROR, `The result has ${chars} characters.`, "Ask for less: a scope, a path, a limit.");
}

const connection = new Connection((text, answer) => receiveCommand(text, answer));

/** Dial once the page is really shown, and follow it into and out of the back/forward cache. */
function connect() {
  if (identity.blocked || !(LAUNCH || connection.ways.list.length)) {
    connection.end(`not connecting: ${identity.blocked || "this browser has no WebSocket"}`);
    return;
  }
  listen(window, "pagehide", "pagehide", (event) => {
    leaving.announce();
    connection.flush();
    if (event.persisted) afterMicrotasks(30, () => attempt("park", () => connection.park()));
  });
  if (LAUNCH) listen(window, "beforeunload", "beforeunload", () => leaveDriven());
  listen(window, "pageshow", "pageshow", (event) => {
    if (event.persisted) attempt("restore", () => connection.dial());
  });
  listen(document, "visibilitychange", "visibility", () => {
    if (!document.hidden) connection.hurry();
  });
  if (document.prerendering) {
    listen(document, "prerenderingchange", "prerender", () => connection.dial(), { once: true });
  } else {
    connection.dial();
  }
}

/** Run `work` some microtasks later: long enough for an act in flight to be answered, but before the page sleeps. */
function afterMicrotasks(count, work) {
  if (count === 0) work();
  else native.Promise.resolve().then(() => afterMicrotasks(count - 1, work));
}

/** Tells whoever waits for the page to settle that it is going away. */
const leaving = {
  listeners: new Set(),
  announce() {
    for (const listener of [...this.listeners]) attempt("leaving", listener);
  },
};
