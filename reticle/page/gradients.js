/*
 * What lies behind a text where backgrounds are gradients, half clear, or drawn in the letters alone (`background-clip`).
 */

/** A background that is made of gradients alone. */
const GRADIENTS_ONLY = /^(?:(?:none|(?:repeating-)?(?:linear|radial|conic)-gradient\((?:[^()]|\([^()]*\))*\))(?:, |$))+$/;
const GRADIENT_COLOUR = /\b(?:rgba?|hsla?|hwb|oklch|oklab|lch|lab|color)\([^()]*\)/g;
/** Between two colours of these spaces lie others that are none of the two. */
const ROUND_THE_HUES = /\bin (?:hsl|hwb|lch|oklch)\b/;

/** The colours of a background's gradients; null where it is a picture or goes through other colours. */
function coloursOfGradients(image) {
  if (!GRADIENTS_ONLY.test(image) || ROUND_THE_HUES.test(image)) return null;
  const colours = (image.match(GRADIENT_COLOUR) || []).map(rgbaOf);
  return colours.length > 0 && colours.every(Boolean) ? colours : null;
}

/** Whether the gradients of a background fill all of its box. */
function fillsItsBox(style) {
  return style.backgroundSize === "auto" && (style.backgroundRepeat === "repeat" || style.backgroundPosition === "0% 0%");
}

/**
 * The colours in which an element's own background is drawn, whether nothing shows through it, and whether it is drawn in
 * the letters alone; null where it is drawn in another way.
 *
 * @returns {{colours: number[][], opaque: boolean, clipped: boolean} | null}
 */
function fillOf(node) {
  const style = styleOf(node);
  const colour = style && rgbaOf(style.backgroundColor);
  const gradients = colour && (style.backgroundImage === "none" ? [] : coloursOfGradients(style.backgroundImage));
  if (!gradients) return null;
  const clip = `${style.backgroundClip} ${style.webkitBackgroundClip}`;
  const clipped = /text/.test(clip);
  if (clipped && /,/.test(clip)) return null;
  const opaque = colour[3] === 1 || (gradients.length > 0 && gradients.every((one) => one[3] === 1) && fillsItsBox(style));
  return { colours: [colour, ...gradients].filter((one) => one[3] > 0), opaque: opaque && !clipped, clipped };
}

/** As `fillOf`, where nothing else is drawn by the element that may make a text readable. */
function layerOf(node) {
  const style = styleOf(node);
  return style && !paintsOtherwise(style) && !hasBroadBorder(style) ? onceLooked(node, "fill", () => fillOf(node)) : null;
}

/** A colour over another, as it is seen. */
function laidOver([red, green, blue, alpha], under) {
  return [red, green, blue].map((value, index) => value * alpha + under[index] * (1 - alpha));
}

/** Whether none of the inks can be told from any of the grounds. */
function areAllAlike(inks, grounds) {
  return inks.every((ink) => grounds.every((ground) => isAlike(laidOver(ink, ground), ground)));
}

/**
 * In which colours a text is drawn and which lie behind it, down to what nothing shows through, with the elements of these;
 * null where that is not certain.
 */
function drawnBehind(element, ink) {
  const inks = [ink];
  const grounds = [];
  const parts = [];
  for (let node = element; node; node = composedParent(node)) {
    if (node.ownerDocument !== element.ownerDocument) return null;
    const layer = onceLooked(node, "layer", () => layerOf(node));
    if (!layer) return null;
    parts.push(node);
    if (!layer.clipped) grounds.push(...layer.colours);
    else if (grounds.length > 0) return null;
    else if (ink[3] < 1) inks.push(...layer.colours);
    if (layer.opaque) return { inks, grounds, parts };
  }
  return isLightCanvas(element.ownerDocument) ? { inks, grounds: [...grounds, [255, 255, 255, 1]], parts } : null;
}

/** Whether a text may have the colour of what is behind it, by the colours alone: most texts certainly have not. */
function mayBeInkless(element) {
  if (/svg$/.test(element.namespaceURI)) return false; // filled, and lying over other shapes, by rules of its own
  const ink = rgbaOf(styleOf(element).webkitTextFillColor || styleOf(element).color);
  if (!ink || ink[3] < FAINT) return ink !== null;
  for (let node = element; node; node = composedParent(node)) {
    const fill = onceLooked(node, "fill", () => fillOf(node));
    if (!fill || (fill.clipped && ink[3] < 1)) return Boolean(fill);
    if (!fill.clipped && !areAllAlike([ink], fill.colours)) return false;
    if (fill.opaque) return true;
  }
  return areAllAlike([ink], [[255, 255, 255, 1]]);
}
