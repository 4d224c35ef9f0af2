/*
 * Who meets an element: a user who sees, at least after scrolling; or one who is read to, where an app hides a text from
 * the eye alone. What nobody meets proves nothing. `visible.js` says what can be acted on, which is less strict.
 */

/** The ways in which an element is met, best first; `none` is by nobody. */
const SIGHT = Object.freeze({ SEEN: "seen", SPOKEN: "spoken", NONE: "none" });

/** Shapes of SVG that are drawn by their outline, also where that is flat. */
const OUTLINED = new Set(["line", "polyline", "polygon", "path"]);

/** Parts of a drawing that are drawn only where something else uses them (SVG 2 §5.4, §14). */
const DEFINITIONS = new Set(["defs", "symbol", "clippath", "mask", "pattern", "marker"]);

/** Whether an element of a drawing is a definition, which has a place and is not drawn there. */
function isDefinition(element) {
  return /svg$/.test(element.namespaceURI) && composedClosest(element, (node) => DEFINITIONS.has(tagOf(node).toLowerCase())) !== null;
}

/** Whether an element's transforms are told by one matrix, and it is in one space with what is inside (CSS Transforms 2 §4.1). */
function sharesSpace(style) {
  const grouped = style.overflow !== "visible" || style.opacity !== "1" || style.filter !== "none" || style.clipPath !== "none";
  return style.transformStyle === "preserve-3d" && !grouped;
}

/** Whether an element shows its back, which it says is not drawn. */
function isTurnedAway(element) {
  let style = styleOf(element);
  if (!style || style.backfaceVisibility !== "hidden" || typeof DOMMatrix !== "function") return false;
  let turned = new DOMMatrix();
  for (let node = element; node; node = composedParent(node)) {
    style = styleOf(node);
    if (!style || (node !== element && !sharesSpace(style))) break;
    if ((style.rotate || "none") !== "none" || (style.offsetPath || "none") !== "none") return false; // not in the matrix
    if (style.transform !== "none") turned = new DOMMatrix(style.transform).multiply(turned);
  }
  return turned.inverse().m33 < 0;
}

/** The part from an element outwards that is wholly transparent and stays so; null for none. */
function transparentPart(element) {
  return composedClosest(element, (node) => {
    const style = lookOf(node);
    return Boolean(style) && style.opacity !== "" && Number(style.opacity) === 0 && style.display !== "contents" && !isAppearing(node);
  });
}

/** Whether an animation or transition of the opacity runs that ends, or again and again comes by, where it can be seen. */
function isAppearing(element) {
  if (typeof element.getAnimations !== "function") return false;
  const running = attempt("animations", () => element.getAnimations()) || [];
  return running.some((animation) => {
    if (animation.playState !== "running" || !animation.effect || animation.effect.pseudoElement) return false;
    const steps = animation.effect.getKeyframes().filter((step) => step.opacity !== undefined).map((step) => Number(step.opacity));
    if (steps.length === 0) return false;
    return animation.effect.getComputedTiming().endTime === Infinity ? steps.some((one) => one > 0) : steps[steps.length - 1] > 0;
  });
}

/** The boxes of a text inside of an element, or of what the element shows. */
function boxesShown(element, text) {
  if (text && !isField(element) && !PICTURES.has(tagOf(element))) {
    const range = element.ownerDocument.createRange();
    return writtenIn(element).flatMap((one) => [...composedChildren(one)].filter((node) => node.nodeType === 3 && node.data.trim())).flatMap((node) => {
      range.selectNodeContents(node);
      return [...range.getClientRects()].filter((box) => box.width > 0 && box.height > 0);
    });
  }
  const boxes = boxesOf(element);
  if (boxes.length > 0 || !OUTLINED.has(tagOf(element)) || styleOf(element).stroke === "none") return boxes;
  const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
  return width > 0 || height > 0 ? [{ left: left - 1, top: top - 1, right: right + 1, bottom: bottom + 1 }] : [];
}

/**
 * Why nobody could see an element, as the end of a sentence; empty when a user could, after scrolling to it.
 * @param {Element} element
 * @param {boolean} [text] whether it is the text in it that has to be seen
 */
function unseenReason(element, text = false) {
  const hidden = hiddenReason(element);
  if (tagOf(element) === "area") return hidden;
  const transparent = / opacity 0$/.test(hidden) ? transparentPart(element) : null;
  if (transparent) return hidden;
  if (hidden && !/ opacity 0$/.test(hidden) && !(hidden === "has no size" && OUTLINED.has(tagOf(element)))) return hidden;
  if (!hasLayout()) return "";
  if (composedClosest(element, (node) => onceLooked(node, "turned", () => isTurnedAway(node)))) return "is turned away, or inside a part that is";
  if (isDefinition(element)) return "is a definition that is not drawn by itself";
  const tag = tagOf(element);
  if (tag === "option" || tag === "optgroup") return "";
  const inside = text && !isField(element);
  const boxes = boxesShown(element, text);
  if (boxes.length === 0) return inside && writtenIn(element).length === 0 ? "" : "has no size";
  const cut = cutReason(element, boxes, inside) || filteredReason(element) || (isInkless(element, boxes) ? "has the colour of its background" : "");
  if (cut || !text) return cut;
  const cover = coverOfText(element, boxes);
  return cover ? `is covered by ${spoken(cover)}` : "";
}

/** A blur of so much of the size of its letters leaves nothing to read. */
const BLURRED_EM = 0.6;

/** By which filter nothing can be seen of an element, as the end of a sentence; empty for none, and while it changes. */
function filteredReason(element) {
  const faded = composedClosest(element, (node) => {
    const { filter } = styleOf(node) || {};
    return /opacity\((?:0|0?\.0\d*)\)/.test(filter || "") && !isInMotion(node);
  });
  if (faded) return "is made transparent by a filter";
  const letters = Number.parseFloat(styleOf(element).fontSize);
  const blurred = composedClosest(element, (node) => {
    const blur = /blur\(([\d.]+)px\)/.exec(styleOf(node)?.filter || "");
    return Boolean(blur) && Number(blur[1]) >= BLURRED_EM * letters && !isInMotion(node);
  });
  return blurred ? "is blurred beyond reading" : "";
}

/** Whether an element hides what is in it from the eye alone, in one of the ways that are used for it. */
function hidesFromEye(node) {
  const style = styleOf(node);
  if (!style || (style.position !== "absolute" && style.position !== "fixed")) return false;
  if (isClippedAway(node, style)) return true;
  const box = node.getBoundingClientRect();
  if (box.width <= 2 && box.height <= 2 && style.overflow !== "visible") return true;
  return !isOnPage(box, node.ownerDocument.defaultView, style.position === "fixed");
}

/** Whether a field is drawn by something else, which shows: its label, or what an app draws under it. */
function isDrawnByOther(field) {
  if (!isField(field)) return false;
  const type = String(field.type).toLowerCase();
  if (/^(checkbox|radio|file)$/.test(type) && labelsOf(field).some((label) => unseenReason(label) === "")) return true;
  if (transparentPart(field) !== field) return false;
  const around = composedParent(field);
  return Boolean(around) && unseenReason(around) === "" && cutReason(field, boxesOf(field)) === "";
}

/** Pseudo-classes of a user who points or moves the focus, as written in a selector. */
const POINTED = /(?<!\\):(?:hover|focus-within|focus-visible|focus|active)(?![\w-])/g;

/** How many rules of style sheets are read for one that shows a part. */
const RULES_READ = 5000;

/** Whether a style sheet shows a transparent part when a user points at it or at what is around it. */
function isShownByPointing(part) {
  let left = RULES_READ;
  const shows = (rule) => {
    left -= 1;
    if (left < 0) return false;
    if (rule.cssRules && rule.cssRules.length > 0 && [...rule.cssRules].some(shows)) return true;
    if (!rule.selectorText || !(Number(rule.style.opacity) > 0) || !rule.selectorText.match(POINTED)) return false;
    return Boolean(attempt("pointed", () => part.matches(rule.selectorText.replace(POINTED, ""))));
  };
  const root = part.getRootNode();
  return [...(root.styleSheets || []), ...(root.adoptedStyleSheets || [])].some((sheet) => {
    try {
      return [...sheet.cssRules].some(shows); // a sheet of another origin is not to be read
    } catch {
      return false;
    }
  });
}

/** Whether an element that nobody sees as it is now is met all the same: read out, drawn by another, shown by pointing. */
function isMetUnseen(element, text) {
  if (isDrawnByOther(element)) return true;
  if (!isRendered(element)) return false;
  if (composedClosest(element, (node) => node.hasAttribute("inert") || node.getAttribute("aria-hidden") === "true")) return false;
  const transparent = transparentPart(element);
  if (transparent) return isShownByPointing(transparent);
  if (composedClosest(element, hidesFromEye)) return true;
  // a picture in the place of a text that is pushed out of the way
  return text && Number.parseFloat(styleOf(element).textIndent) < -100 && unseenReason(element) === "" && showsPicture(element);
}

/** Whether an element shows by a picture: in it, or as its background. */
function showsPicture(element) {
  const style = styleOf(element);
  if (style.backgroundImage !== "none" || (style.maskImage || style.webkitMaskImage || "none") !== "none") return true;
  const colour = rgbaOf(style.backgroundColor);
  return !colour || colour[3] > 0 || showsMore(element) || pseudosOf(element).length > 0;
}

/**
 * How an element, or the text in it, is met.
 * @returns {{sight: string, why: string}} `why` nobody sees it, empty when a user could
 */
function sightOf(element, text = false) {
  const why = unseenReason(element, text);
  if (why === "") return { sight: SIGHT.SEEN, why };
  return { sight: hasLayout() && isMetUnseen(element, text) ? SIGHT.SPOKEN : SIGHT.NONE, why };
}

/** Whether a user could see an element, after scrolling to it. */
function isSeen(element) {
  return unseenReason(element) === "";
}

/** Whether anybody meets an element. */
function isPerceivable(element) {
  return sightOf(element).sight !== SIGHT.NONE;
}
