/*
 * The ways from a page to the daemon: its own WebSocket, and where a policy of the app, its protocol or its host forbids
 * that, what a probe in the app's server relays: a WebSocket of the app's own origin, or posts to it.
 */

/** Characters of one post, if no single message is longer. */
const RELAY_CHARS = 1048576;

/** As much of a WebSocket as connection.js uses, over posts that the probe answers when the daemon has a command. */
class PollSocket {
  #url;
  #listeners = { __proto__: null };
  #outbox = [];
  #isPosting = false;
  #id = "";

  constructor(url) {
    this.#url = url;
    this.closed = false;
    this.bufferedAmount = 0;
    this.#post({ open: true }, (answer) => {
      this.#id = answer.id;
      this.#tell("open", {});
      this.#listen();
      this.#pump();
    });
  }

  /** Hear one kind of event; `listener` never throws. */
  hear(type, listener) {
    this.#listeners[type] = listener;
  }

  send(text) {
    if (this.closed) return;
    this.#outbox.push(text);
    this.bufferedAmount += text.length;
    this.#pump();
  }

  close() {
    if (this.closed) return;
    const rest = this.#outbox.splice(0);
    if (this.#id) this.#fetch({ id: this.#id, send: rest, close: true }, true).catch(() => {});
    this.#end(1000, "");
  }

  /** Ask for commands, again and again; a server that cannot wait says how long to pause. */
  #listen() {
    this.#post({ id: this.#id, hold: true }, (answer) => {
      for (const text of answer.messages) this.#tell("message", { data: text });
      if (answer.closed) this.#end(answer.closed.code, answer.closed.reason);
      else if (answer.pauseMs) native.setTimeout(() => attempt("relay", () => this.closed || this.#listen()), answer.pauseMs);
      else this.#listen();
    });
  }

  /** One post after the other, so that what the page says arrives in its order. */
  #pump() {
    if (this.#isPosting || this.#outbox.length === 0 || !this.#id || this.closed) return;
    this.#isPosting = true;
    let chars = 0;
    let count = 0;
    while (count < this.#outbox.length && (count === 0 || chars + this.#outbox[count].length <= RELAY_CHARS)) {
      chars += this.#outbox[count].length;
      count += 1;
    }
    this.#post({ id: this.#id, send: this.#outbox.splice(0, count) }, () => {
      this.bufferedAmount -= chars;
      this.#isPosting = false;
      this.#pump();
    });
  }

  #post(question, then) {
    this.#fetch(question, false).then(
      (answer) => attempt("relay", () => this.closed || then(answer)),
      () => attempt("relay", () => this.#end(1006, "")),
    );
  }

  async #fetch(question, isLast) {
    const answer = await native.fetch.call(window, this.#url, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: native.stringify(question),
      cache: "no-store",
      keepalive: isLast,
    });
    if (answer.status !== 200) throw new Error(`status ${answer.status}`);
    return native.parse(await answer.text());
  }

  #end(code, reason) {
    if (this.closed) return;
    this.closed = true;
    this.#tell("close", { code, reason });
  }

  #tell(type, event) {
    const listener = this.#listeners[type];
    if (listener) listener(event);
  }
}

/**
 * The addresses to try, in order; none where the page may not dial at all.
 * @param {{url: string | null, relay?: string, isDirect: boolean}} who
 * @returns {{kind: "direct" | "relay" | "poll", url: string}[]}
 */
function waysOf(who) {
  const ways = [];
  if (who.url && who.isDirect && native.WebSocket) ways.push({ kind: "direct", url: who.url });
  if (!who.relay) return ways;
  const beside = (name) => new URL(name, who.relayBase);
  if (who.relay === "ws" && native.WebSocket) {
    const url = beside("ws");
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    ways.push({ kind: "relay", url: url.href });
  }
  if (native.fetch) ways.push({ kind: "poll", url: beside("poll").href });
  return ways;
}

/** Which way is tried; one that did not open makes place for the next. */
class Ways {
  constructor(list) {
    this.list = list;
    this.at = 0;
  }

  /** A socket of the present way; may throw as WebSocket does. */
  dial() {
    const { kind, url } = this.list[this.at];
    return kind === "poll" ? new PollSocket(url) : new native.WebSocket(url);
  }

  failed() {
    this.at = (this.at + 1) % Math.max(1, this.list.length);
  }
}
