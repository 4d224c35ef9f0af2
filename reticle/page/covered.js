/*
 * Whether something opaque lies over a text wherever one scrolls: an overlay that stayed, a dialog as large as the window.
 * Only where that is certain: a plain opaque colour over every place that was tried, which does not scroll away.
 */

/** How far along a line of text it is looked at what is drawn there. */
const ALONG = [0.1, 0.5, 0.9];

/** How many boxes of a text are tried. */
const BOXES_TRIED = 8;

/** What part of the window a cover that stands still has to take, so that nothing can be scrolled out from under it. */
const WHOLE_WINDOW = 0.9;

/** Whether an element and all around it are drawn as they are: not half transparent, blended, cut to a shape or moving. */
function isDrawnPlain(element) {
  return composedClosest(element, (node) => {
    const style = styleOf(node);
    return (
      !style || Number(style.opacity) < 1 || (style.mixBlendMode || "normal") !== "normal" || (style.filter || "none") !== "none" ||
      (style.clipPath || "none") !== "none" || (style.maskImage || style.webkitMaskImage || "none") !== "none" || isInMotion(node)
    );
  }) === null;
}

/** The element from a hit outwards, up to what holds the text too, that paints an opaque colour over a point; null for none. */
function opaqueAt(hit, element, point) {
  for (let node = hit; node && !composedContains(node, element); node = composedParent(node)) {
    const colour = rgbaOf(styleOf(node)?.backgroundColor);
    const box = node.getBoundingClientRect();
    const under = point.x > box.left && point.x < box.right && point.y > box.top && point.y < box.bottom;
    if (colour && colour[3] === 1 && under && isDrawnPlain(node)) return node;
  }
  return null;
}

/** Whether a text cannot be scrolled out from under a cover. */
function staysOver(cover) {
  const still = composedClosest(cover, (node) => /^(fixed|sticky)$/.test(styleOf(node)?.position || "") || isOnTop(node));
  if (!still) return true;
  const view = cover.ownerDocument.defaultView;
  const { width, height } = cover.getBoundingClientRect();
  return width * height >= WHOLE_WINDOW * view.innerWidth * view.innerHeight;
}

/** What lies over a point of a text for good; null where the text shows there, or where that is not certain. */
function coverAt(element, point) {
  const hit = elementAt(element.ownerDocument, point);
  if (!hit || reaches(element, hit) || composedContains(hit, element)) return null;
  const cover = opaqueAt(hit, element, point);
  return cover && staysOver(cover) ? cover : null;
}

/**
 * What covers a text whole; null where some of it shows, lies outside of the window, or where that is not certain.
 * @param {Element} element
 * @param {Rect[]} boxes of the text
 */
function coverOfText(element, boxes) {
  const view = element.ownerDocument.defaultView;
  let cover = null;
  for (const box of boxes.slice(0, BOXES_TRIED)) {
    for (const along of ALONG) {
      const point = { x: box.left + (box.right - box.left) * along, y: (box.top + box.bottom) / 2 };
      if (point.x < 0 || point.y < 0 || point.x >= view.innerWidth || point.y >= view.innerHeight) return null;
      cover = coverAt(element, point);
      if (!cover) return null;
    }
  }
  return cover;
}
