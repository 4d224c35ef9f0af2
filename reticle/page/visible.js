/*
 * Whether a person could see an element, from layout and ancestors; whether the tab itself is in front plays no part.
 */

/** The element that makes this one inert, or null. */
function inertAncestor(element) {
  return composedClosest(element, (node) => node.hasAttribute("inert"));
}

/** Why an element is not visible, as the end of a sentence; empty when it is. */
function hiddenReason(element) {
  if (tagOf(element) === "area") {
    const picture = pictureOfArea(element);
    return picture ? hiddenReason(picture) : "belongs to a map that no picture uses";
  }
  for (let node = element; node; node = composedParent(node)) {
    const style = lookOf(node);
    if (!style) return "belongs to a document that is not shown";
    if (style.display === "none") return node === element ? "is not displayed" : "is inside a part that is not displayed";
    if (Number(style.opacity) === 0 && style.opacity !== "" && style.display !== "contents") {
      return node === element ? "has opacity 0" : "is inside a part with opacity 0";
    }
    if (isShutDetails(node, element)) return "is inside a closed <details>";
    if (node !== element && style.contentVisibility === "hidden") return "is inside a part whose content is hidden";
  }
  const { visibility } = lookOf(element);
  if (visibility === "hidden" || visibility === "collapse") return "has visibility hidden";
  return hasNoBox(element) ? "has no size" : "";
}

/** The picture on which an area of an image map lies; browsers do not display the area itself (HTML, rendering, hidden elements). */
function pictureOfArea(area) {
  const map = composedClosest(area, (node) => tagOf(node) === "map");
  const name = map && map.getAttribute("name");
  if (!name) return null;
  return [...area.getRootNode().querySelectorAll("img[usemap]")].find((image) => image.getAttribute("usemap").slice(1) === name) || null;
}

/** Whether an element itself is not displayed; an area shows through its picture. */
function isUndisplayed(element, style) {
  return style.display === "none" && !(tagOf(element) === "area" && isVisible(element));
}

/** A closed <details> hides all but its summary. */
function isShutDetails(node, element) {
  if (tagOf(node) !== "details" || node.hasAttribute("open") || node === element) return false;
  const summary = [...node.children].find((child) => tagOf(child) === "summary");
  return !(summary && composedContains(summary, element));
}

/** No box with a size, and no child with one. Where there is no layout at all (tests) boxes are not asked. */
function hasNoBox(element) {
  if (!hasLayout()) return false;
  const tag = tagOf(element);
  if (tag === "option" || tag === "optgroup") return false;
  return boxesOf(element).length === 0;
}

let layoutKnown;
/** Whether this browser lays pages out: the root element of any rendered page has a box. */
function hasLayout() {
  if (layoutKnown === undefined) layoutKnown = document.documentElement.getClientRects().length > 0;
  return layoutKnown;
}

/** Whether an element flows in its line of text. */
function flowsInline(element, style) {
  return hasLayout() ? /^(inline|contents)/.test(style.display) : isInlineTag(element);
}

/** Boxes of an element with a size; those of its children where it has none itself. */
function boxesOf(element, depth = 0) {
  const own = [...element.getClientRects()].filter((box) => box.width > 0 && box.height > 0);
  if (own.length > 0 || depth > 3) return own;
  if (clipsContent(element)) return [];
  for (const child of composedChildren(element)) {
    if (isElement(child)) {
      const boxes = boxesOf(child, depth + 1);
      if (boxes.length > 0) return boxes;
    } else if (child.nodeType === 3 && child.data.trim()) {
      const range = child.ownerDocument.createRange();
      range.selectNodeContents(child);
      const boxes = [...range.getClientRects()].filter((box) => box.width > 0 && box.height > 0);
      if (boxes.length > 0) return boxes;
    }
  }
  return [];
}

function clipsContent(element) {
  const style = styleOf(element);
  const box = element.getBoundingClientRect();
  return Boolean(style) && box.width * box.height === 0 && style.overflow !== "visible" && style.display !== "contents";
}

/** Whether a person could see the element after scrolling to it. */
function isVisible(element) {
  return hiddenReason(element) === "";
}

/** Whether some of an element shows: in the window, and in every scroll panel and frame around it. */
function isInViewport(element) {
  const view = element.ownerDocument.defaultView;
  const windows = [{ top: 0, left: 0, bottom: view.innerHeight, right: view.innerWidth }];
  let position = styleOf(element).position;
  for (let node = composedParent(element); node && position !== "fixed"; node = composedParent(node)) {
    if (node.ownerDocument !== element.ownerDocument) return showsIn(element, windows) && isInViewport(node);
    const style = styleOf(node);
    // what is positioned absolutely is cut only by ancestors that are positioned themselves
    if (position === "absolute" && style.position === "static") continue;
    if (style.overflow !== "visible" && node.parentElement && tagOf(node) !== "body") windows.push(node.getBoundingClientRect());
    position = style.position;
  }
  return showsIn(element, windows);
}

/** Whether one of an element's boxes has a part in all of these. */
function showsIn(element, windows) {
  return boxesOf(element).some((box) => {
    const top = Math.max(box.top, ...windows.map((one) => one.top));
    const left = Math.max(box.left, ...windows.map((one) => one.left));
    const bottom = Math.min(box.bottom, ...windows.map((one) => one.bottom));
    const right = Math.min(box.right, ...windows.map((one) => one.right));
    return bottom > top && right > left;
  });
}
