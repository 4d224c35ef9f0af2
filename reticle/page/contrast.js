/*
 * Whether a text has the colour of what is behind it. Only where that is certain: plain colours and gradients, no picture,
 * shadow, outline or blending, and nothing that moves.
 */

/** Below this contrast (WCAG 2, 1.4.3: 1 is none) nobody tells a text from its background. */
const NO_CONTRAST = 1.05;

/** A border that is broader than so many pixels may be what lies behind a text. */
const BROAD_PX = 8;

/** Ink that covers less than this is none. */
const FAINT = 0.02;

/** How many elements are asked whether they lie behind a text. */
const BEHIND_ELEMENTS = 2000;

/** Colours of other spaces than sRGB (`oklch()`, `color()`), as the browser paints them. @type {Map<string, number[] | null>} */
const painted = new Map();

/** How many such colours are kept. */
const PAINTED_COLOURS = 500;

/** A colour as a canvas that is in no document shows it; null where there is none. */
function paintedColour(text) {
  if (!/^(?:color|color-mix|oklch|oklab|lch|lab|hsl|hwb)\(/.test(text) || typeof OffscreenCanvas !== "function") return null;
  if (painted.has(text)) return painted.get(text);
  if (painted.size >= PAINTED_COLOURS) painted.clear();
  const read = attempt("colour", () => {
    const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    if (!context) return null;
    context.fillStyle = text;
    context.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  });
  painted.set(text, read || null);
  return read || null;
}

/** A computed colour as `[red, green, blue, alpha]`; null for what is written in another way. */
function rgbaOf(text) {
  const parts = /^rgba?\(([^)]*)\)$/.exec(text || "");
  if (!parts) return paintedColour(text || "");
  const numbers = parts[1].split(/[\s,/]+/).map(Number);
  const [red, green, blue, alpha = 1] = numbers;
  return numbers.length >= 3 && numbers.every(Number.isFinite) ? [red, green, blue, alpha] : null;
}

/** Relative luminance (WCAG 2). */
function luminance([red, green, blue]) {
  const linear = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** Contrast, with the hue counted too: red on green of the same lightness can be told apart. */
function isAlike(one, other) {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  const near = one.slice(0, 3).every((value, index) => Math.abs(value - other[index]) <= 12);
  return near && (light + 0.05) / (dark + 0.05) < NO_CONTRAST;
}

/** Whether a style draws into its own box beside the background: a shadow or an outline inwards, a picture as border. */
function paintsInwards(style) {
  return /inset/.test(style.boxShadow) || (reachOfOutline(style) > 0 && Number.parseFloat(style.outlineOffset) < 0) || (style.borderImageSource || "none") !== "none";
}

function reachOfOutline(style) {
  const width = (style.outlineStyle || "none") === "none" ? 0 : Number.parseFloat(style.outlineWidth);
  return width > 0 ? width + Math.abs(Number.parseFloat(style.outlineOffset)) : 0;
}

/** How far at most a style draws out of its box: shadows and outlines; the lengths of a shadow add up to more than it reaches. */
function reachOf(style) {
  const lengths = (style.boxShadow || "none") === "none" ? [] : style.boxShadow.match(/-?[\d.]+px/g) || [];
  return lengths.reduce((sum, one) => sum + Math.abs(Number.parseFloat(one)), reachOfOutline(style));
}

/** Whether a style draws a border so broad that a text fits on it. */
function hasBroadBorder(style) {
  return ["Top", "Right", "Bottom", "Left"].some((side) => Number.parseFloat(style[`border${side}Width`]) > BROAD_PX);
}

/** Whether a style draws something else than a background, or in a way that changes what is behind. */
function paintsOtherwise(style) {
  return (
    (style.mixBlendMode || "normal") !== "normal" || (style.filter || "none") !== "none" ||
    (style.backdropFilter || "none") !== "none" || paintsInwards(style)
  );
}

/** Whether a style draws more than a plain colour behind its element, or in a way that changes it. */
function paintsBehind(style) {
  return style.backgroundImage !== "none" || paintsOtherwise(style) || /text/.test(style.backgroundClip) || /text/.test(style.webkitBackgroundClip);
}

/** What `::before` and `::after` draw, each by its style. */
function pseudosOf(element) {
  const styles = ["::before", "::after"].map((name) => element.ownerDocument.defaultView.getComputedStyle(element, name));
  return styles.filter((style) => style && style.content !== "none" && style.content !== "normal" && style.display !== "none");
}

/** Whether something is drawn by `::before` or `::after` that may lie behind the text. */
function hasPaintedPseudo(element) {
  return pseudosOf(element).some((style) => {
    const colour = rgbaOf(style.backgroundColor);
    return style.backgroundImage !== "none" || !colour || colour[3] > 0 || reachOf(style) > 0 || paintsInwards(style) || hasBroadBorder(style);
  });
}

/**
 * The plain opaque colour behind an element, and the parts from the element to who has it; null where there is another
 * sort of background.
 */
function behindOf(element) {
  const parts = [];
  for (let node = element; node; node = composedParent(node)) {
    if (node.ownerDocument !== element.ownerDocument) return null;
    const colour = onceLooked(node, "ground", () => groundOf(node));
    if (!colour) return null;
    parts.push(node);
    if (colour[3] === 1) return { colour, parts };
  }
  return isLightCanvas(element.ownerDocument) ? { colour: [255, 255, 255, 1], parts } : null;
}

/** An element's own background where that is nothing or a plain opaque colour; else null. */
function groundOf(element) {
  const style = styleOf(element);
  const colour = style && !paintsBehind(style) && !hasBroadBorder(style) ? rgbaOf(style.backgroundColor) : null;
  return colour && (colour[3] === 0 || colour[3] === 1) ? colour : null;
}

/** Whether what is behind a page without a background is white: not where it says that it has a dark scheme. */
function isLightCanvas(page) {
  const { colorScheme } = styleOf(page.documentElement);
  return /^(normal|light)?$/.test(colorScheme || "") && !page.querySelector("meta[name=color-scheme]");
}

/** Whether an animation or transition of an element runs. */
function isInMotion(element) {
  const running = typeof element.getAnimations === "function" ? attempt("animations", () => element.getAnimations()) : null;
  return Boolean(running) && running.some((one) => one.playState === "running");
}

const PICTURES = new Set(["img", "picture", "video", "canvas", "svg", "object", "embed", "iframe", "image"]);

/** What part of a text has to lie on something's edge to be read by it: the ring of a focused neighbour covers less. */
const MUCH = 0.15;

/** Whether what is drawn around a box, as a shadow or an outline is, takes enough of a text's box. */
function isMuchCovered(text, box) {
  const part = common(text, box);
  const area = ({ left, top, right, bottom }) => (right - left) * (bottom - top);
  return part !== null && area(part) >= MUCH * area(text);
}

/** Whether something else that is drawn may lie behind these boxes, inside of who has the background. */
function liesOverPaint(element, boxes, holder) {
  let asked = 0;
  for (const other of elementsIn(holder)) {
    asked += 1;
    if (asked > BEHIND_ELEMENTS) return true;
    if (other === element || composedContains(other, element) || composedContains(element, other)) continue;
    const style = styleOf(other);
    const colour = style && rgbaOf(style.backgroundColor);
    const reach = style ? reachOf(style) : 0;
    const paints = PICTURES.has(tagOf(other)) || (style && (reach > 0 || paintsInwards(style) || hasBroadBorder(style) || style.backgroundImage !== "none" || !colour || colour[3] > 0));
    if (!paints && !(style && style.position !== "static" && hasPaintedPseudo(other))) continue;
    const { left, top, right, bottom } = other.getBoundingClientRect();
    const box = { left: left - reach, top: top - reach, right: right + reach, bottom: bottom + reach };
    if (boxes.some((one) => common(one, { left, top, right, bottom }) || isMuchCovered(one, box))) return true;
  }
  return false;
}

/** Whether its first line or letter is written in another colour. */
function hasFirstLine(element, style) {
  return ["::first-line", "::first-letter"].some((part) => {
    const other = styleOf(element, part);
    return Boolean(other) && other.color !== style.color;
  });
}

/** The colour in which an element's text is filled; null where it is drawn in another way besides. */
function inkOf(style) {
  if ((style.textShadow || "none") !== "none" || Number.parseFloat(style.webkitTextStrokeWidth) > 0) return null;
  return rgbaOf(style.webkitTextFillColor || style.color);
}

/** The elements inside of one, itself too, in which a text is written that shows. */
function writtenIn(element, found = []) {
  for (const node of composedChildren(element)) {
    if (node.nodeType === 3 && node.data.trim()) {
      if (found[found.length - 1] !== element) found.push(element);
    } else if (isElement(node) && !SKIPPED_TAGS.has(tagOf(node)) && !isUndrawn(node)) writtenIn(node, found);
  }
  return found;
}

/** Whether an element shows by something else than its text: a picture, a field, a list's own drawing. */
function showsMore(element) {
  if (isField(element) || PICTURES.has(tagOf(element))) return true;
  return [...elementsIn(element)].some((inner) => isField(inner) || PICTURES.has(tagOf(inner)));
}

/** Whether a text certainly has the colour of what is behind it. */
function isWrittenInkless(element, boxes) {
  if (!mayBeInkless(element)) return false;
  const style = styleOf(element);
  const ink = inkOf(style);
  if (!ink || hasFirstLine(element, style)) return false;
  const behind = drawnBehind(element, ink);
  if (!behind || !areAllAlike(behind.inks, behind.grounds)) return false;
  if (pseudosOf(element).length > 0 || behind.parts.some((part) => isInMotion(part) || hasPaintedPseudo(part))) return false;
  return !liesOverPaint(element, boxes, behind.parts[behind.parts.length - 1]);
}

/** Whether all text of an element has the colour of what is behind it, and the element shows by nothing else. */
function isInkless(element, boxes) {
  const written = writtenIn(element);
  return written.length > 0 && written.every((one) => isWrittenInkless(one, boxes)) && !showsMore(element);
}
