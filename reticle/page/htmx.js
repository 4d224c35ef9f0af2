/*
 * htmx: what an element asks for and where the answer goes, by its attributes; and whether htmx is at work, by the
 * classes that it puts on elements while it asks, swaps and settles (htmx 1, 2 and 4 use the same).
 */

const HTMX_VERBS = ["get", "post", "put", "patch", "delete"];
const HTMX_WORKING = "htmx-request,htmx-swapping,htmx-settling".split(",");

/** An attribute of htmx on one element, also in its `data-` spelling. */
function htmxOwn(element, name) {
  return element.getAttribute(`hx-${name}`) ?? element.getAttribute(`data-hx-${name}`);
}

/** Whether attributes are handed down without saying so: htmx 4 does it only where it is told to. */
function htmxHandsDown() {
  const { htmx } = window;
  if (!htmx || typeof htmx.version !== "string") return true;
  return parseInt(htmx.version, 10) < 4 || Boolean(htmx.config && htmx.config.implicitInheritance);
}

/** The value of an attribute on an element or handed down to it; `unset` means none. */
function htmxValue(element, name) {
  let value = htmxOwn(element, name) ?? htmxOwn(element, `${name}:inherited`);
  for (let node = element.parentElement; value === null && node; node = node.parentElement) {
    value = htmxOwn(node, `${name}:inherited`) ?? (htmxHandsDown() ? htmxOwn(node, name) : null);
  }
  return value === "unset" ? null : value;
}

/** The request of an element, from its own attributes, or of a link or form that is boosted. */
function htmxRequest(element) {
  const action = htmxOwn(element, "action");
  if (action !== null) return { verb: (htmxOwn(element, "method") || "get").toUpperCase(), url: action };
  for (const verb of HTMX_VERBS) {
    const url = htmxOwn(element, verb);
    if (url !== null) return { verb: verb.toUpperCase(), url };
  }
  const boost = htmxValue(element, "boost");
  if (boost === null || boost === "false") return null;
  if (tagOf(element) === "a" && element.hasAttribute("href")) return { verb: "GET", url: element.getAttribute("href"), boosted: true };
  if (tagOf(element) !== "form") return null;
  return { verb: (element.getAttribute("method") || "get").toUpperCase(), url: element.getAttribute("action") || "", boosted: true };
}

/** What htmx does for an element, for `inspect`; undefined when nothing. A button that submits does what its form does. */
function htmxOf(element) {
  const form = isSubmitButton(element) ? element.form : null;
  const source = [element, form].find((candidate) => candidate && htmxRequest(candidate));
  if (!source) return undefined;
  const told = { ...htmxRequest(source) };
  told.url = redactUrl(told.url);
  for (const name of ["target", "swap", "trigger", "select", "indicator", "confirm", "sync"]) {
    const value = htmxValue(source, name);
    if (value !== null) told[name] = clip(scrub(value), LIMIT.TEXT_CHARS);
  }
  return told;
}

const htmxWork = (() => {
  /** Elements at which htmx was at work when the last act began, as long as it goes on. */
  let before = new Set();
  /** When an element was first seen at work. */
  let met = new Map();

  /** An element that asks again and again by itself, or the sign of one. */
  function isPolling(element) {
    const trigger = htmxOwn(element, "trigger");
    if (trigger !== null) return /(^|,)\s*every\s/.test(trigger);
    const asks = htmxRequest(element) !== null;
    return !asks && Boolean(document.querySelector('[hx-trigger*="every "], [data-hx-trigger*="every "]'));
  }

  function working() {
    const found = new Set();
    for (const name of HTMX_WORKING) for (const element of document.getElementsByClassName(name)) found.add(element);
    return found;
  }

  return {
    /** What there is now is none of the next act's work. */
    disown() {
      before = working();
      met = new Map();
    },
    /** At how many elements htmx is at work for the last act; one that never ends is given up. */
    count() {
      const now = native.now();
      const current = working();
      before = new Set([...before].filter((element) => current.has(element)));
      met = new Map([...current].map((element) => [element, met.get(element) ?? now]));
      let count = 0;
      for (const [element, since] of met) {
        if (!before.has(element) && now - since <= LIMIT.TIMER_WORK_MS && !isPolling(element)) count += 1;
      }
      return count;
    },
  };
})();
