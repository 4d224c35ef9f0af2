/*
 * How elements look, read once for each while many are looked at in one turn: what is around a thousand rows is the same.
 * Only for work in which no code of the app runs.
 */

/** @type {Map<Element, object> | null} what was read in this turn; null outside of one */
let looksKnown = null;

/** Do work in which each element's style is read once. */
function lookingOnce(work) {
  if (looksKnown) return work();
  looksKnown = new Map();
  try {
    return work();
  } finally {
    looksKnown = null;
  }
}

/** What is asked of nearly every element; the rest is asked of the style itself. */
const LOOK_PROPERTIES = ["display", "opacity", "visibility", "contentVisibility", "position", "overflowX", "overflowY", "clipPath"];

/** An element's looks: these properties, and whatever is worked out from them; null in a document that is not shown. */
function lookOf(element) {
  const known = looksKnown ? looksKnown.get(element) : undefined;
  if (known) return known;
  const style = styleOf(element);
  if (!style || !looksKnown) return style;
  const look = { whole: style };
  for (const name of LOOK_PROPERTIES) look[name] = style[name];
  looksKnown.set(element, look);
  return look;
}

/** The style that looks were read from, with every property. */
function wholeStyle(look) {
  return look.whole || look;
}

/** Something about an element that is worked out once in a turn. */
function onceLooked(element, name, work) {
  if (!looksKnown) return work();
  const look = lookOf(element);
  if (!look) return work();
  if (!(name in look)) look[name] = work();
  return look[name];
}
