/*
 * Who this page is: where its daemon listens, the tab's name, the document's name.
 */

const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";

/** `length` random characters of [0-9a-z]. */
function randomName(length) {
  const bytes = new Uint8Array(length);
  if (window.crypto && window.crypto.getRandomValues) window.crypto.getRandomValues(bytes);
  else for (let index = 0; index < length; index += 1) bytes[index] = Math.floor(Math.random() * 256);
  return Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join("");
}

/** sessionStorage that may be missing, full or forbidden. */
const tabMemory = {
  get(key) {
    try {
      return window.sessionStorage.getItem(key);
    } catch {
      return null;
    }
  },
  set(key, value) {
    try {
      window.sessionStorage.setItem(key, value);
    } catch {
      // a sandboxed page has no storage: the tab is then a new one after each load
    }
  },
  remove(key) {
    try {
      window.sessionStorage.removeItem(key);
    } catch {
      // as above
    }
  },
};

/** Whether a host name is this machine. */
function isLoopback(host) {
  const name = host.replace(/^\[|\]$/g, "").toLowerCase();
  return (
    name === "localhost" || name.endsWith(".localhost") || name === "::1" || /^127(?:\.\d{1,3}){3}$/.test(name)
  );
}

/** The daemon's WebSocket address for a script address or an explicit `data-url`. */
function daemonUrl(scriptUrl, explicit) {
  const url = new URL(explicit || scriptUrl || "http://127.0.0.1:4400/", window.location.href);
  url.protocol = { "http:": "ws:", "https:": "wss:" }[url.protocol] || url.protocol;
  if (!explicit || url.pathname === "/") url.pathname = "/reticle";
  if (!explicit) url.search = "";
  url.hash = "";
  return url;
}

/**
 * What the script tag says.
 * @param {HTMLScriptElement | null} tag
 * @returns {{url: string | null, token?: string, projectId?: string, sessionId: string, documentId: string,
 *   isDirect: boolean, relay?: string, relayBase?: string, blocked?: string}} `relay` is what a probe in the app's server
 *   offers, beside `relayBase`; `isDirect` is false where it knows that the page cannot dial the daemon itself
 */
function readIdentity(tag) {
  const said = (name) => (tag && tag.getAttribute ? tag.getAttribute(name) || undefined : undefined);
  const sessionId = said("data-session") || tabMemory.get("__reticle_session") || `s${randomName(10)}`;
  tabMemory.set("__reticle_session", sessionId);
  const who = {
    url: null,
    token: said("data-token"),
    projectId: said("data-project"),
    sessionId,
    documentId: randomName(8),
    isDirect: said("data-direct") !== "no",
    relay: tag && String(tag.src).startsWith(`${window.location.origin}/`) ? said("data-relay") : undefined,
    relayBase: tag ? tag.src : undefined,
  };
  const url = attempt("identity", () => daemonUrl(tag && tag.src, said("data-url")));
  const pageHost = window.location.hostname;
  const localPage = ["file:", "about:"].includes(window.location.protocol) || isLoopback(pageHost);
  if (!url || !/^wss?:$/.test(url.protocol)) {
    who.blocked = "the daemon's address is not a ws: or wss: URL";
  } else if (!(localPage && isLoopback(url.hostname)) && !(tag && tag.hasAttribute("data-allow-remote"))) {
    who.isDirect = false;
    // where a probe relays, it has let the host of this page in
    if (who.relay) who.url = url.href;
    else who.blocked = `page ${pageHost} and daemon ${url.hostname} are not both on this machine (data-allow-remote)`;
  } else {
    who.url = url.href;
  }
  return who;
}

/** The script's own tag, known only while it first runs. */
const scriptTag = document.currentScript;
const identity = LAUNCH ? launchedIdentity() : readIdentity(scriptTag);

/** Framework names found in the document, for `hello.adapters`. */
function adapters() {
  const found = new Set();
  const roots = document.body ? [document.body, ...document.body.children] : [];
  for (const element of roots) {
    for (const candidate of [element, element.firstElementChild]) {
      if (!candidate) continue;
      const keys = Object.keys(candidate);
      if (keys.some((key) => /^__react(?:Container|Fiber)\$|^_reactRootContainer$/.test(key))) found.add("react");
      if (keys.some((key) => key === "__vue_app__" || key === "__vue__")) found.add("vue");
      if (keys.some((key) => key.startsWith("__svelte"))) found.add("svelte");
    }
  }
  return [...found];
}

/** How many windows are around this one, and the origins of those that may be pages of their own, nearest first. */
function framing() {
  const told = window.location.ancestorOrigins;
  const ancestors = [];
  let frameDepth = 0;
  for (let view = window; view.parent !== view; view = view.parent) {
    let origin = told && told[frameDepth] !== undefined ? told[frameDepth] : "";
    let isPage = true;
    try {
      origin ||= view.parent.location.origin;
      // a window that we see into and that has no script of ours is no page of its own
      isPage = Object.hasOwn(view.parent, "__reticle__");
    } catch {
      // another origin's
    }
    frameDepth += 1;
    if (isPage && ancestors.length < LIMIT.ANCESTORS) ancestors.push(origin);
  }
  return frameDepth > 0 ? { frameDepth, ancestors } : {};
}

/** The hello message of page-wire.md; the URL without its credentials. */
function helloMessage(hasCapabilities) {
  return {
    kind: "hello",
    protocolVersion: 1,
    script: "reticle",
    sdkVersion: SCRIPT_VERSION,
    contract: SCRIPT_HASH,
    sessionId: identity.sessionId,
    documentId: identity.documentId,
    projectId: identity.projectId,
    url: redactUrl(window.location.href),
    title: scrub(clip(wellFormed(document.title || ""), 512)),
    adapters: attempt("adapters", adapters, []),
    hasCapabilities,
    ...attempt("framing", framing, {}),
    ...attempt("invariants", invariantsTold, {}),
    token: identity.token,
  };
}
