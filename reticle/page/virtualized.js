/*
 * Lists that keep only the rows in the page that can be seen: what is not found may be a row that is not there yet.
 * Looked for when a question found nothing, and declared as `virtualized-unmounted` before the answer.
 */

/** From here on the rows of a scroller do not fill it: height of the content against the window it scrolls in. */
const SCROLL_RATIO = 1.2;
/** The share of a list that is missing, from which on it counts. */
const MISSING_SHARE = 0.25;

/** How many rows a list says it has, by ARIA; 0 when it does not say. */
function declaredRows(scroller) {
  const grid = composedClosest(scroller, (node) => node.hasAttribute("aria-rowcount")) || scroller.querySelector("[aria-rowcount]");
  const item = scroller.querySelector("[aria-setsize]");
  return Math.max(Number(grid && grid.getAttribute("aria-rowcount")) || 0, Number(item && item.getAttribute("aria-setsize")) || 0);
}

/** Whether an element holds nothing: what keeps the place of others. */
function isBlank(element) {
  return !element.firstElementChild && fold(element.textContent) === "";
}

/** The children that make up most of a scroller's height: the largest group of brothers of one tag with something in them. */
function mountedRows(scroller) {
  let best = [];
  for (const parent of [scroller, ...scroller.querySelectorAll("ul, ol, tbody, div, [role=list], [role=rowgroup], [role=grid], [role=listbox]")].slice(0, 200)) {
    const groups = new Map();
    for (const child of parent.children) {
      if (isBlank(child)) continue;
      if (!groups.has(child.localName)) groups.set(child.localName, []);
      groups.get(child.localName).push(child);
    }
    for (const group of groups.values()) if (group.length > best.length) best = group;
  }
  return best;
}

/** Rows of one scroller that are not in the page; 0 when they all are. */
function unmountedRows(scroller) {
  if (scroller.scrollHeight < SCROLL_RATIO * scroller.clientHeight) return 0;
  const rows = mountedRows(scroller);
  if (rows.length < 3) return 0;
  const told = declaredRows(scroller);
  if (told > rows.length) return (told - rows.length) / told >= MISSING_SHARE ? told - rows.length : 0;
  const height = rows.reduce((sum, row) => sum + row.getBoundingClientRect().height, 0);
  const missing = scroller.scrollHeight - height;
  if (height === 0 || missing / scroller.scrollHeight < MISSING_SHARE) return 0;
  if (keptPlace(scroller, rows, height) < missing / 2) return 0;
  // beside the rows there may be other content: only what nothing fills is missing
  return isFilled(scroller, rows) ? 0 : Math.round(missing / (height / rows.length));
}

/** Pixels of empty elements that may stand for rows before and after those that are there. */
function spacersIn(parent, tag) {
  const spacers = [...parent.children].filter((child) => (child.localName === tag || child.localName === "div") && isBlank(child));
  return spacers.reduce((sum, spacer) => sum + spacer.getBoundingClientRect().height, 0);
}

/**
 * How many pixels are kept for rows that are not there: by padding, by empty elements, by a wrapper with a written
 * height. A page that is merely long has none.
 */
function keptPlace(scroller, rows, height) {
  let kept = spacersIn(rows[0].parentElement, rows[0].localName);
  for (let node = rows[0].parentElement; node && scroller.contains(node); node = node.parentElement) {
    const style = styleOf(node);
    const padding = (Number.parseFloat(style.paddingTop) || 0) + (Number.parseFloat(style.paddingBottom) || 0);
    const written = node === scroller ? 0 : (Number.parseFloat(node.style.height) || 0) - height;
    kept = Math.max(kept + padding, written);
  }
  return kept;
}

/** Whether the rest of a scroller's height is taken by other things with something in them. */
function isFilled(scroller, rows) {
  const taken = new Set(rows);
  let height = 0;
  for (const element of elementsIn(scroller, (node) => !taken.has(node))) {
    if (!taken.has(element) && !element.firstElementChild && !isBlank(element)) height += element.getBoundingClientRect().height;
    if (height > scroller.clientHeight) return true;
  }
  return false;
}

/** Look for such lists and declare what they hold back; the page itself may be the scroller. */
function lookForVirtualized() {
  if (!hasLayout()) return;
  let count = 0;
  let looked = 0;
  for (const element of [pageScroller(document), ...elementsIn(document)]) {
    if (element !== pageScroller(document) && !isScroller(element)) continue;
    count += unmountedRows(element);
    looked += 1;
    if (looked >= 20) break;
  }
  declareBlind("virtualized-unmounted", count);
}
