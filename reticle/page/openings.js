/*
 * Windows and tabs that the app opens while an act runs. A script's click is no person's: browsers block most of them,
 * and what did open is a page of its own.
 */

const OPENED_BLOCKED =
  "The browser blocked a window that the app opened: it lets only a person's click open one, unless pop-ups are allowed for the site.";
const OPENED_UNKNOWN =
  "A new tab was asked for and nobody here can tell whether it opened: browsers block that without a person's click. An instrumented one is listed as a page of its own.";

const openings = {
  running: 0,
  found: [],
  begin() {
    this.running += 1;
    this.found = [];
  },
  note(opening) {
    if (this.running > 0 && this.found.length < LIMIT.CANDIDATES) this.found.push(opening);
  },
  /** What was opened, as the act's report has it. */
  end() {
    this.running -= 1;
    const opened = this.found;
    if (opened.length === 0) return {};
    // a browser that the daemon drives tells which windows opened
    const unsure = !LAUNCH && opened.some((one) => one.blocked === undefined);
    const warning = opened.some((one) => one.blocked) ? OPENED_BLOCKED : unsure ? OPENED_UNKNOWN : undefined;
    return { effect: { opened }, warning };
  },
};

/** Names of windows that are there already. */
const THIS_WINDOW = /^_(self|parent|top|unfencedtop)$/i;

/** The whole address of what is opened; an object's own conversion is left to the browser and not run twice. */
function openedUrl(url) {
  if (url === undefined || url === "") return "about:blank";
  if (typeof url !== "string" && kindOf(url) !== "URL") return "";
  return attempt("open", () => redactUrl(new URL(String(url), document.baseURI).href), "");
}

/** Whether a window is a frame in a page: opening something there opens no tab. */
function isFramed(view) {
  return view.parent !== view;
}

function observeWindowOpen(self, [url, name, features]) {
  if (typeof name === "string" && THIS_WINDOW.test(name)) return undefined;
  const opening = { url: openedUrl(url) };
  return {
    returned(opened) {
      if (opened && (isFramed(opened) || opened === self || opened === window)) return opened;
      // it may call and tell this one at any time
      if (opened) unseenWays.note("window");
      // a window that may not know its opener is not handed out: then nobody can tell
      const silent = !opened && typeof features === "string" && /\bno(opener|referrer)\b/i.test(features);
      openings.note(silent ? opening : { ...opening, blocked: !opened });
      return opened;
    },
  };
}

/** A link that was clicked, and whose target is a new tab. */
function noteOpeningLink(element) {
  const link = composedClosest(element, (node) => /^(a|area)$/.test(tagOf(node)) && node.hasAttribute("href"));
  const target = link && (link.target || attempt("base", () => document.querySelector("base[target]")?.target));
  if (!target || THIS_WINDOW.test(target) || !/^https?:/.test(link.href)) return;
  if ([...document.getElementsByTagName("iframe")].some((frame) => frame.name === target)) return;
  openings.note({ url: redactUrl(link.href) });
}

/** @param {Window} [view] this window, or that of a frame of this origin */
function startOpeningWatch(view = window) {
  replaceFunction(view, "open", "window.open", observeWindowOpen);
}
