/*
 * What is left of an element's boxes once everything around it has cut them: what no user can come to see, however far they
 * scroll. What lies outside of the window and can be scrolled to is not cut.
 */

/** What shows on no more than this in either direction is one of the ways to hide a text from everybody who sees. */
const SPECK_PX = 1.5;

/**
 * @typedef {object} Rect
 * @property {number} left
 * @property {number} top
 * @property {number} right
 * @property {number} bottom
 */

function rectOf({ left, top, right, bottom }) {
  return { left, top, right, bottom };
}

/** The part that two rectangles have in common, or null. */
function common(one, other) {
  const left = Math.max(one.left, other.left);
  const top = Math.max(one.top, other.top);
  const right = Math.min(one.right, other.right);
  const bottom = Math.min(one.bottom, other.bottom);
  return right > left && bottom > top ? { left, top, right, bottom } : null;
}

/** Whether an element is the frame of what is fixed inside of it (CSS Transforms 1 §2, CSS Containment 2 §3). */
function holdsFixed(look) {
  const style = wholeStyle(look);
  return (
    [style.transform, style.perspective, style.filter].some((one) => one && one !== "none") ||
    /transform|perspective|filter/.test(style.willChange) || /paint|layout|strict|content/.test(style.contain)
  );
}

/** Whether an element is drawn above all others and cut by none: an open modal dialog or popover. */
function isOnTop(element) {
  const modal = tagOf(element) === "dialog" && attempt("modal", () => element.matches(":modal"));
  return Boolean(modal || (element.hasAttribute("popover") && attempt("popover", () => element.matches(":popover-open"))));
}

/** Lengths of a clip shape as parts of a box of this size; null for what is not understood. */
function shapeLength(text, size) {
  const number = Number.parseFloat(text);
  if (!Number.isFinite(number)) return null;
  if (text.endsWith("%")) return (number / 100) * size;
  return text.endsWith("px") || number === 0 ? number : null;
}

/** Whether `clip-path` leaves nothing of a box. Shapes that are not plain are taken to leave something. */
function isShapedAway(shape, box) {
  const inset = /^inset\(([^)]*?)(?: round [^)]*)?\)/.exec(shape);
  if (inset) {
    const [top, right = top, bottom = top, left = right] = inset[1].trim().split(/\s+/);
    const width = [left, right].map((one) => shapeLength(one, box.width));
    const height = [top, bottom].map((one) => shapeLength(one, box.height));
    const eats = ([one, other], size) => one !== null && other !== null && one + other >= size - SPECK_PX;
    return eats(width, box.width) || eats(height, box.height);
  }
  if (/^(circle|ellipse)\(0(px|%)?[ )]/.test(shape)) return true;
  const circle = /^circle\((\S+) at (\S+) (\S+)\)$/.exec(shape);
  if (circle) {
    const radius = shapeLength(circle[1], Math.hypot(box.width, box.height) / Math.SQRT2);
    const [x, y] = [shapeLength(circle[2], box.width), shapeLength(circle[3], box.height)];
    if (radius === null || x === null || y === null) return false;
    return x + radius <= 0 || y + radius <= 0 || x - radius >= box.width || y - radius >= box.height;
  }
  const polygon = /^polygon\((?:\w+,)?([^)]*)\)$/.exec(shape);
  if (!polygon) return false;
  const points = polygon[1].split(",").map((point) => point.trim().split(/\s+/).map((one, axis) => shapeLength(one, axis ? box.height : box.width)));
  if (points.some((point) => point.length !== 2 || point.includes(null))) return false;
  // all on one spot or on one straight line: from the first point every other lies in the same direction
  const [[x, y], ...others] = points;
  const [dx, dy] = others.map((point) => [point[0] - x, point[1] - y]).find((way) => way.some((one) => Math.abs(one) > SPECK_PX)) || [0, 0];
  return others.every((point) => Math.abs(dx * (point[1] - y) - dy * (point[0] - x)) <= SPECK_PX);
}

/** Whether an element's own `clip` or `clip-path` leaves nothing of it. */
function isClippedAway(element, style) {
  if (style.clipPath && style.clipPath !== "none" && isShapedAway(style.clipPath, element.getBoundingClientRect())) return true;
  if (style.position !== "absolute" && style.position !== "fixed") return false;
  const clip = /^rect\(([^)]*)\)/.exec(wholeStyle(style).clip || "");
  if (!clip) return false;
  const [top, right, bottom, left] = clip[1].split(/[\s,]+/).map(Number.parseFloat);
  return right - left <= SPECK_PX || bottom - top <= SPECK_PX;
}

/** Whether an element's own shape leaves nothing of it, read once in a turn. */
function clipsAway(element, style) {
  const plain = (!style.clipPath || style.clipPath === "none") && style.position !== "absolute" && style.position !== "fixed";
  return !plain && onceLooked(element, "clipsAway", () => isClippedAway(element, style));
}

/** The rectangle inside of an element's borders and scroll bars, in which its content shows. */
function innerRect(element) {
  return onceLooked(element, "innerRect", () => readInnerRect(element));
}

function readInnerRect(element) {
  const box = element.getBoundingClientRect();
  if (element.offsetWidth === undefined) return rectOf(box); // a drawing
  if (Math.abs(box.width - element.offsetWidth) > 1 || Math.abs(box.height - element.offsetHeight) > 1) return rectOf(box);
  const left = box.left + element.clientLeft;
  const top = box.top + element.clientTop;
  return { left, top, right: left + element.clientWidth, bottom: top + element.clientHeight };
}

/** Whether a panel begins at its far end, so that what lies before its corner can be scrolled to. */
function isReversed(look) {
  const style = wholeStyle(look);
  return style.direction === "rtl" || /reverse/.test(style.flexDirection) || /rl$/.test(style.writingMode);
}

/** What an element lets show of a box inside of it: cut where it hides, brought in where one can scroll; null for nothing. */
function cutBy(outer, style, box) {
  const inner = innerRect(outer);
  const left = { ...box };
  for (const [overflow, from, to, scrolled] of [
    [style.overflowX, "left", "right", outer.scrollLeft],
    [style.overflowY, "top", "bottom", outer.scrollTop],
  ]) {
    if (overflow === "visible") continue;
    const scrolls = overflow === "auto" || overflow === "scroll";
    if (scrolls) {
      if (!isReversed(style) && box[to] - inner[from] + scrolled <= 0) return null;
      left[from] = inner[from];
      left[to] = Math.min(inner[to], inner[from] + Math.max(box[to] - box[from], 1));
    } else {
      left[from] = Math.max(box[from], inner[from]);
      left[to] = Math.min(box[to], inner[to]);
    }
  }
  return left.right > left.left && left.bottom > left.top ? left : null;
}

/** Whether an element cuts what runs over it at all; what `html` and `body` say is about the window, which one scrolls. */
function cuts(element, style) {
  if (style.overflowX === "visible" && style.overflowY === "visible") return false;
  // an svg in a line is a box all the same
  const flows = style.display === "contents" || (style.display === "inline" && tagOf(element) !== "svg");
  return !flows && !/^(html|body)$/.test(tagOf(element));
}

/** Whether the window can be brought to show a box. */
function isOnPage(box, view, fixed) {
  if (view.innerWidth === 0 || view.innerHeight === 0) return true; // a window that is not shown at all
  if (fixed) return common(box, { left: 0, top: 0, right: view.innerWidth, bottom: view.innerHeight }) !== null;
  const page = view.document;
  const reversed = [page.documentElement, page.scrollingElement].some((root) => root && isReversed(lookOf(root)));
  return (reversed || box.right + view.scrollX > 0) && box.bottom + view.scrollY > 0;
}

/**
 * Why nothing shows of these boxes, as the end of a sentence; empty when something does.
 * @param {Element} element whose boxes they are
 * @param {Rect[]} boxes in its window's coordinates
 * @param {boolean} [inside] whether they are those of its content, which it may cut itself
 */
function cutReason(element, boxes, inside = false) {
  let left = boxes.map(rectOf);
  let position = inside ? "static" : lookOf(element).position;
  let fixed = position === "fixed";
  let onTop = false;
  for (let node = element, inner = inside ? null : element; node; inner = node, node = composedParent(node)) {
    if (inner && inner.ownerDocument !== node.ownerDocument) {
      if (!left.some((box) => isOnPage(box, inner.ownerDocument.defaultView, fixed))) return "lies where nobody can scroll to";
      left = [rectOf(node.getBoundingClientRect())];
      position = lookOf(node).position;
      fixed = position === "fixed";
      onTop = false;
      continue;
    }
    if (onTop) continue; // of what lies above all others nothing around it is the frame
    const style = lookOf(node);
    if (clipsAway(node, style)) return node === element ? "is clipped to nothing" : "is inside a part that is clipped to nothing";
    if (inner === node || (fixed && !holdsFixed(style))) continue;
    if (position === "absolute" && style.position === "static" && !holdsFixed(style)) continue;
    if (cuts(node, style)) {
      left = left.map((box) => cutBy(node, style, box)).filter(Boolean);
      if (left.length === 0) return node === element ? "cuts off what is in it" : `is cut off by ${spoken(node)} around it`;
    }
    onTop = isOnTop(node);
    position = onTop ? "fixed" : style.position;
    fixed = position === "fixed";
  }
  if (!left.some((box) => isOnPage(box, element.ownerDocument.defaultView, fixed))) return "lies where nobody can scroll to";
  const speck = ({ left: from, right: to, top, bottom }) => to - from <= SPECK_PX && bottom - top <= SPECK_PX;
  return left.every(speck) ? "shows on a single pixel" : "";
}
