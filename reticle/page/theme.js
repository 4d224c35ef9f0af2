/*
 * Colours of an element against the theme: custom properties of the page whose value is a colour.
 */

/** Names of all custom properties that readable style sheets set, at most LIMIT.TOKENS. */
function tokenNames(owner) {
  const names = new Set();
  let left = LIMIT.STYLE_RULES;
  const visit = (rule) => {
    left -= 1;
    if (left < 0 || names.size >= LIMIT.TOKENS) return;
    if (rule.style) for (const name of rule.style) if (name.startsWith("--")) names.add(name);
    if (rule.cssRules) for (const inner of rule.cssRules) visit(inner);
  };
  for (const sheet of owner.styleSheets) {
    try {
      for (const rule of sheet.cssRules) visit(rule);
    } catch {
      // another origin's style sheet cannot be read
    }
  }
  for (const name of owner.documentElement.style) if (name.startsWith("--")) names.add(name);
  return [...names];
}

let brush;
/** One spelling for each colour; undefined for what is no colour, and where there is no canvas. */
function colourOf(text) {
  if (brush === undefined) {
    brush = typeof window.OffscreenCanvas === "function" ? new window.OffscreenCanvas(1, 1).getContext("2d") : null;
  }
  if (!brush || !text) return undefined;
  const spelled = ["#010203", "#040506"].map((before) => {
    brush.fillStyle = before;
    brush.fillStyle = text;
    return brush.fillStyle;
  });
  return spelled[0] === spelled[1] ? spelled[0] : undefined;
}

const CLEAR_COLOURS = new Set(["rgba(0, 0, 0, 0)", "transparent"]);

/**
 * Which tokens an element's colours are.
 * @returns {{colorToken: string | null, backgroundToken: string | null, offTheme: boolean, tokenCount: number,
 *   colorTokens?: string[], backgroundTokens?: string[]} | undefined} undefined: the page has no colour tokens
 */
function themeOf(element) {
  const style = styleOf(element);
  const tokens = new Map();
  let count = 0;
  for (const name of tokenNames(element.ownerDocument)) {
    const colour = colourOf(style.getPropertyValue(name).trim());
    if (colour === undefined) continue;
    count += 1;
    tokens.set(colour, [...(tokens.get(colour) || []), name]);
  }
  if (count === 0) return undefined;
  const named = (colour) => tokens.get(colourOf(colour)) || [];
  const [front, back] = [named(style.color), named(style.backgroundColor)];
  const only = (names) => (names.length === 1 ? names[0] : null);
  const theme = {
    colorToken: only(front),
    backgroundToken: only(back),
    offTheme: front.length === 0 || (back.length === 0 && !CLEAR_COLOURS.has(style.backgroundColor)),
    tokenCount: count,
  };
  if (front.length > 1) theme.colorTokens = front.slice(0, 10);
  if (back.length > 1) theme.backgroundTokens = back.slice(0, 10);
  return theme;
}
