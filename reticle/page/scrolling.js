/*
 * The `scroll` command: by a distance or to a share of the way, in the scroller that an element lies in.
 */

/** Whether an element scrolls up and down now. */
function isScroller(element) {
  if (element.scrollHeight <= element.clientHeight + 1) return false;
  const style = styleOf(element);
  return Boolean(style) && /^(auto|scroll|overlay)$/.test(style.overflowY);
}

/** The document's own scroller. */
function pageScroller(owner) {
  return owner.scrollingElement || owner.documentElement;
}

/** The nearest scroller at or around an element, else the document. */
function scrollerOf(element) {
  const root = pageScroller(element.ownerDocument);
  return composedClosest(element, (node) => node !== root && node !== element.ownerDocument.body && isScroller(node)) || root;
}

/** The same-origin document of a frame scrolls without a style that says so. */
function isFrameScroller(element) {
  const owner = element.ownerDocument;
  return owner !== document && element === pageScroller(owner) && element.scrollHeight > element.clientHeight + 1;
}

/** Scrollers of the page that could have been meant, tallest content first; at most 5, and whether there are more. */
function likelyScrollers(besides) {
  const found = [];
  for (const element of elementsIn(document)) {
    if (element !== besides && (isScroller(element) || isFrameScroller(element)) && isVisible(element)) found.push(element);
    if (found.length >= 50) break;
  }
  const containers = found
    .sort((a, b) => b.scrollHeight - a.scrollHeight)
    .slice(0, LIMIT.CANDIDATES)
    .map((element) => ({ ...coverOf(element), scrollHeight: element.scrollHeight, clientHeight: element.clientHeight, ...missingIn(element) }));
  return { containers, ...(found.length > containers.length ? { moreContainers: true } : {}) };
}

/** `{unmounted}`: about how many rows of a scroller are not in the page (virtualized.js); nothing when all are. */
function missingIn(scroller) {
  const unmounted = hasLayout() ? unmountedRows(scroller) : 0;
  return unmounted > 0 ? { unmounted } : {};
}

function requireNumber(args, key, low, high) {
  const value = args[key];
  if (value === undefined || value === null) return;
  if (typeof value !== "number" || !(value >= low && value <= high)) throw badArguments(`${key} is a number from ${low} to ${high}.`);
}

/** The `scroll` command; without `dy` and `fraction` most of a screen further down. */
async function runScroll(args) {
  allowOnly(args, ["ref", "dy", "fraction"], "scroll");
  requireNumber(args, "fraction", 0, 1);
  requireNumber(args, "dy", -10000000, 10000000);
  if (args.ref !== undefined && args.ref !== null && !isRef(args.ref)) throw badArguments("ref looks like e12.");
  const scroller = args.ref ? scrollerOf(elementOfRef(args.ref)) : pageScroller(document);
  const before = scroller.scrollTop;
  const way = scroller.scrollHeight - scroller.clientHeight;
  const top = typeof args.fraction === "number" ? args.fraction * way : before + (args.dy ?? (Math.round(scroller.clientHeight * 0.8) || 400));
  if (typeof scroller.scrollTo === "function") scroller.scrollTo({ top, behavior: "instant" });
  else scroller.scrollTop = top;
  await nextFrame();
  const scrolled = Math.round(scroller.scrollTop) !== Math.round(before);
  const result = {
    scrolled,
    scrollTop: Math.round(scroller.scrollTop),
    scrollHeight: scroller.scrollHeight,
    clientHeight: scroller.clientHeight,
    atEnd: scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 1,
  };
  if (scroller !== pageScroller(document)) result.container = coverOf(scroller);
  if (!scrolled) Object.assign(result, missingIn(scroller), likelyScrollers(scroller));
  return result;
}
