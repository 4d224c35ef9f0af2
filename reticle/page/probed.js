/*
 * What the page and a probe in the app's server tell each other: ids of requests one way, the action that the daemon
 * watches the other. In a document that no probe served nothing is looked for and nothing is sent.
 */

/**
 * A header of our own would have the browser ask another origin for leave where the app's server sends a write on to one,
 * and the write would fail because we looked. This one belongs to those for which nobody is asked, in these characters; the
 * probe takes it from the request before the app sees it.
 */
const ACTION_HEADER = "Content-Language";
const ACTION_MARK = "x-reticle-";
const UNASKED = /^[0-9A-Za-z*,\-.;= ]{1,128}$/;
const RID_METRIC = /(?:^|,)\s*reticle\s*;\s*desc="?([0-9a-f]{32})"?/;
const RID = /^[0-9a-f]{32}$/;

/** Methods that change nothing: what becomes of them is seen in the page. */
const UNMARKED = new Set(["GET", "HEAD"]);

/** The id in a `Server-Timing` header. @param {string | null | undefined} header */
function ridIn(header) {
  const found = typeof header === "string" ? RID_METRIC.exec(header) : null;
  return found ? found[1] : undefined;
}

/** As `ridIn`; asking for a header that cannot be read would be told in the console, so it is looked for among all. */
function ridOfXhr(xhr) {
  const all = xhr.getAllResponseHeaders();
  const found = /^server-timing:(.*)$/im.exec(all || "");
  return found ? ridIn(found[1]) : undefined;
}

const probed = {
  action: "",
  untilMs: 0,
  rid: undefined,

  /** The daemon watches this action from now on. @param {string} action */
  watch(action) {
    this.action = action;
    this.untilMs = native.now() + LIMIT.ACTION_MS;
  },

  /** The id of this document, by its tag or its own answer. @returns {string | undefined} */
  documentRid() {
    if (this.rid === undefined) this.rid = this.findRid();
    return this.rid;
  },

  findRid() {
    const tag = document.querySelector("script[data-rid]");
    const written = tag && tag.getAttribute("data-rid");
    if (written && RID.test(written)) return written;
    const [entry] = (window.performance && window.performance.getEntriesByType && window.performance.getEntriesByType("navigation")) || [];
    const metric = entry && entry.serverTiming && [...entry.serverTiming].find((one) => one.name === "reticle");
    return metric && RID.test(metric.description) ? metric.description : undefined;
  },

  /** What a request is marked with, if it may be. @returns {string | undefined} */
  markOf(method, url) {
    if (!this.action || native.now() > this.untilMs || UNMARKED.has(String(method).toUpperCase())) return undefined;
    if (!this.documentRid() || new URL(url, document.baseURI).origin !== window.location.origin) return undefined;
    const mark = `${ACTION_MARK}${identity.sessionId}.${this.action}`;
    return UNASKED.test(mark) ? mark : undefined;
  },

  /**
   * What fetch is called with in place of its arguments, if anything: the request that it would make of them itself, with
   * one header more. What cannot be made of them is fetch's own to refuse. A frame's request is left alone: ours would be
   * made with this window's address as its base.
   */
  marked(view, input, init) {
    if (view !== window || !native.Request || !this.action) return undefined;
    const method = methodOfFetch(input, init) || "GET";
    const mark = this.markOf(method, isRequest(input) ? input.url : String(input));
    if (!mark) return undefined;
    let request;
    try {
      request = new native.Request(input, init);
    } catch {
      return undefined;
    }
    // from here on it has to be this one: a body that the app handed over is in it, and can be handed over once
    attempt("probed", () => {
      const said = request.headers.get(ACTION_HEADER);
      const word = said ? `${said}, ${mark}` : mark;
      if (UNASKED.test(word)) request.headers.set(ACTION_HEADER, word);
    });
    return request;
  },

  /** Mark what an XMLHttpRequest is about to send; the browser puts it behind what the app may have said there. */
  mark(xhr, method, url) {
    const mark = this.markOf(method, url);
    if (mark) xhr.setRequestHeader(ACTION_HEADER, mark);
  },
};
