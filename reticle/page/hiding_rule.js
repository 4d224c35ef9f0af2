/*
 * Which rule of a style sheet hides an element that nobody sees: where whoever mends it has to look.
 */

/** How many rules are looked at for one element. */
const HIDING_RULES_READ = 5000;

/**
 * By why an element is not seen the properties that make it so, and of which values; those that are tried first come first.
 * @type {[RegExp, [string[], RegExp][]][]}
 */
const HIDING = [
  [/not displayed/, [[["display"], /^none$/]]],
  [/opacity 0/, [[["opacity"], /^0(\.0*)?%?$/], [["animation", "animation-name"], /./]]],
  [/visibility hidden/, [[["visibility"], /^(hidden|collapse)$/]]],
  [/content (that )?is hidden/, [[["content-visibility"], /^hidden$/]]],
  [/colour of its background/, [[["color"], /./], [["background-color", "background", "background-image"], /./]]],
  [
    /./,
    [
      [["clip-path", "clip"], /^(?!none|auto)/],
      [["height", "max-height", "width", "max-width", "font-size", "scale"], /^0(\D|$)/],
      [["text-indent", "left", "top", "right", "bottom", "inset", "transform", "translate", "margin-left", "margin-top"], /-|\d{3,}|scale/],
      [["overflow", "overflow-x", "overflow-y"], /^(hidden|clip)/],
    ],
  ],
];

/** Every rule that applies to elements now, in their order; rules of another origin's sheets are not to be read. */
function* rulesOf(root) {
  let left = HIDING_RULES_READ;
  function* inside(list, sheet) {
    for (const rule of list) {
      left -= 1;
      if (left < 0) return;
      if (rule.media && !window.matchMedia?.(rule.media.mediaText).matches) continue;
      if (rule.selectorText) yield { rule, sheet };
      if (rule.cssRules && rule.cssRules.length > 0) yield* inside(rule.cssRules, sheet);
      if (rule.styleSheet) yield* inside(rule.styleSheet.cssRules, rule.styleSheet);
    }
  }
  for (const sheet of root.styleSheets || []) {
    try {
      if (!sheet.disabled) yield* inside(sheet.cssRules, sheet);
    } catch {
      // of another origin
    }
  }
}

/** The last rule for an element that gives one of these properties such a value. */
function ruleGiving(element, rules, properties, value) {
  let found;
  for (const { rule, sheet } of rules) {
    const property = properties.find((name) => {
      const given = rule.style.getPropertyValue(name).trim();
      return given !== "" && value.test(given);
    });
    if (property && attempt("selector", () => element.matches(rule.selectorText), false)) found = { rule, sheet, property };
  }
  return found;
}

/**
 * The rule that hides an element or what is around it; undefined where none is found, as where a script did it, or where
 * it stands in the document itself.
 * @param {Element} element
 * @param {string} why it is not seen, as `unseenReason` says it
 * @returns {{selector: string, property: string, sheet: string} | undefined}
 */
function ruleThatHides(element, why) {
  const rules = [...rulesOf(element.ownerDocument)];
  const [, ways] = HIDING.find(([said]) => said.test(why));
  for (const [properties, value] of ways) {
    for (let node = element; node; node = composedParent(node)) {
      const found = ruleGiving(node, rules, properties, value);
      if (!found) continue;
      if (!found.sheet.href) return undefined;
      return { selector: clip(found.rule.selectorText, LIMIT.TEXT_CHARS), property: found.property, sheet: redactUrl(found.sheet.href) };
    }
  }
  return undefined;
}
