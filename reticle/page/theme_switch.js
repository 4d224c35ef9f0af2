/*
 * A switch to dark or to light that changed nothing: the document's root says that it is dark now, and every text that can
 * be read for certain is still dark on light, or the other way round.
 */

const SWITCH = Object.freeze({
  /** Texts that are looked at, spread over the document. */
  TEXTS: 200,
  /** Fewer that can be told for certain prove nothing. */
  LEAST: 3,
  /** Relative luminance (WCAG 2) from which on a background is light, and up to which it is dark. */
  LIGHT: 0.5,
  DARK: 0.18,
});

const themeSwitch = (() => {
  /** Attributes by which pages say which scheme they have; not those for a part of the page, or for one scheme's variant. */
  const NAME = /^(?:data-)?(?:[\w-]+-)?(?:theme|mode|scheme|appearance)$/;
  const PART = /code|edit|chart|map|syntax|nav|side|head|foot|print|dark|light/;
  const WORD = /^(?:(?:is|app|ui|theme|mode|scheme|color|colour)[-_]{1,2})*(dark|light)(?:[-_]{1,2}(?:theme|mode|scheme))?$/;

  /** The scheme that a document's root says it has, by an attribute, a class or `color-scheme`; undefined for none, or for two. */
  function schemeSaid() {
    const words = [document.documentElement, document.body].flatMap((element) => [
      ...[...element.attributes].filter(({ name }) => NAME.test(name) && !PART.test(name)).map(({ value }) => value),
      ...element.classList,
      element.style.colorScheme,
    ]);
    const said = new Set(words.map((word) => (WORD.exec(word.trim().toLowerCase()) || [])[1]).filter(Boolean));
    return said.size === 1 ? [...said][0] : undefined;
  }

  function groundLooks() {
    return [document.documentElement, document.body].map((element) => {
      const { color, backgroundColor, backgroundImage, colorScheme } = styleOf(element);
      return [color, backgroundColor, backgroundImage, colorScheme].join();
    }).join();
  }

  /** What was said, and the colours, as the last act began. */
  let before = null;

  function begin() {
    before = document.body ? { said: schemeSaid(), looks: groundLooks() } : null;
  }

  /** The scheme in which an element's text is drawn; undefined where that is not certain. */
  function schemeOf(element) {
    const ink = inkOf(styleOf(element));
    const behind = behindOf(element);
    if (!ink || ink[3] !== 1 || !behind) return undefined;
    const [front, ground] = [luminance(ink), luminance(behind.colour)];
    if (ground >= SWITCH.LIGHT && front < ground) return "light";
    return ground <= SWITCH.DARK && front > ground ? "dark" : undefined;
  }

  /** Texts of the document that show; buttons have colours of their own. */
  function texts() {
    const shown = writtenIn(document.body).filter((element) => !element.closest("button, [role=button], option") && element.getClientRects().length > 0);
    const step = Math.max(1, Math.ceil(shown.length / SWITCH.TEXTS));
    return shown.filter((_, index) => index % step === 0);
  }

  function isUnheeded(said) {
    const looked = texts().map(schemeOf);
    const told = looked.filter((scheme) => scheme !== undefined);
    return told.length >= SWITCH.LEAST && told.length * 2 >= looked.length && !told.includes(said);
  }

  /** The last rule of a style sheet that is for this scheme, for nothing but the root or the body, and does not apply. */
  function ruleFor(said) {
    let found = {};
    for (const { rule, sheet } of rulesOf(document)) {
      const selector = rule.selectorText.trim();
      const isMeant = selector.includes(said) && /^(?:(?:html|body|:root)\b|[[.])[^\s,>+~]*$/.test(selector) && !document.querySelector(selector);
      if (isMeant && sheet.href) found = { selector: clip(selector, LIMIT.TEXT_CHARS), sheet: redactUrl(sheet.href) };
    }
    return found;
  }

  /** The scheme that the page says it has since the act, where nothing has it. */
  function tell() {
    const said = before && document.body ? schemeSaid() : undefined;
    if (!said || said === before.said || groundLooks() !== before.looks) return {};
    if (typeof window.matchMedia === "function" && window.matchMedia("(forced-colors: active)").matches) return {};
    if ([document.documentElement, document.body].some(isInMotion)) return {};
    if (!lookingOnce(() => isUnheeded(said))) return {};
    return { unheeded: { scheme: said, ...attempt("rules", () => ruleFor(said)) } };
  }

  return { begin, tell };
})();
