/*
 * Element queries: one locator chooses, every further field must hold too.
 */

const LOCATORS = ["role", "text", "label", "placeholder", "testid", "alt", "component"];
const QUERY_FIELDS = ["by", "name", "value", "attrs", "source", "scope", "self", ...LOCATORS];

/**
 * @typedef {object} Query
 * @property {[string, string] | null} locator kind and wanted text; null with `self` and with a place alone
 * @property {Place | null} source where in the code the elements are written
 * @property {Array<(element: Element) => boolean>} conditions
 * @property {unknown} scope
 * @property {(text: string, part: string) => boolean} holds when a text has the wanted one in it
 * @property {boolean} self
 */

/**
 * Read an element query. Refuses what nobody could check.
 * @param {(text: string, part: string) => boolean} [holds] when a text has the wanted one in it
 * @returns {Query}
 */
function parseQuery(given, moreFields = [], holds = hasPart) {
  if (!given || typeof given !== "object" || Array.isArray(given)) throw badArguments("An element query is an object.");
  allowOnly(given, [...QUERY_FIELDS, ...moreFields], "An element query");
  const fields = { __proto__: null, ...given };
  for (const key of ["by", "name", ...LOCATORS]) requireText(fields, key);
  let locator = null;
  if (fields.by !== undefined) {
    if (!LOCATORS.includes(fields.by)) {
      throw badArguments(`Elements are not found by ${clip(fields.by, 40)}; by is one of ${LOCATORS.join(", ")}.`);
    }
    requireText(fields, "value");
    if (fields.value === undefined) throw badArguments(`by: ${quoted(fields.by)} needs a value.`);
    locator = [fields.by, fields.value];
    delete fields.value;
  } else {
    // a text finds the innermost element that holds it; beside another locator it only says what that element holds
    const kind = LOCATORS.find((name) => name !== "text" && fields[name] !== undefined) || (fields.text !== undefined && "text");
    if (kind) locator = [kind, fields[kind]];
  }
  if (!locator && fields.name !== undefined) locator = ["name", fields.name];
  const source = placeIn(fields.source);
  if (!locator && !fields.self && !source) {
    throw badArguments(`An element query needs one of ${LOCATORS.join(", ")}, source, name, by with value, or self.`);
  }
  return { locator, source, holds, conditions: conditionsOf(fields, locator, holds), scope: fields.scope, self: fields.self === true };
}

function requireText(fields, key) {
  if (fields[key] !== undefined && fields[key] !== null && typeof fields[key] !== "string") {
    throw badArguments(`${key} must be text.`);
  }
  if (fields[key] === null) delete fields[key];
}

function conditionsOf(fields, locator, holds) {
  const conditions = [];
  for (const kind of [...LOCATORS, "name"]) {
    if (fields[kind] !== undefined && !(locator && locator[0] === kind && locator[1] === fields[kind])) {
      conditions.push(kind === "text" ? textTest(fields.text, holds) : locatorTest(kind, fields[kind], holds));
    }
  }
  if (fields.value !== undefined && fields.value !== null) {
    const wanted = fold(fields.value);
    conditions.push((element) => fold(valueOf(element)) === wanted);
  }
  if (fields.attrs && typeof fields.attrs === "object" && !Array.isArray(fields.attrs)) {
    for (const [name, value] of Object.entries(fields.attrs)) {
      conditions.push((element) => element.getAttribute(name) === (value === null ? null : String(value)));
    }
  }
  return conditions;
}

/** Whether a text stands in an element, however deep. */
function textTest(text, holds) {
  const part = foldCase(text);
  return (element) => holds(foldCase(searchedText(element)), part);
}

/** Whether a name is the wanted one, in full or as we show it: without its secrets, cut with an ellipsis. */
function nameMatches(element, wanted) {
  const full = nameOf(element);
  if (full === wanted) return true;
  const name = wanted.includes(REDACTED) ? fold(scrub(full)) : full;
  if (name === wanted) return true;
  return wanted.length > 20 && wanted.endsWith("…") && name.startsWith(wanted.slice(0, -1));
}

/** The test of one locator. Role, name and testid are exact, the others substrings without case. */
function locatorTest(kind, text, holds = hasPart) {
  const exact = fold(text);
  const part = foldCase(text);
  switch (kind) {
    case "role":
      return (element) => roleOf(element) === exact.toLowerCase();
    case "name":
      return (element) => nameMatches(element, exact);
    case "testid":
      return (element) => fold(element.getAttribute("data-testid")) === exact && exact !== "";
    case "text":
      return (element) => holdsText(element, part, holds);
    case "label":
      return (element) => holds(foldCase(labelOf(element)), part);
    case "placeholder":
      return (element) => holds(foldCase(element.getAttribute("placeholder")), part);
    case "alt":
      return (element) => holds(foldCase(element.getAttribute("alt")), part);
    default:
      return (element) => isComponentRoot(element, part);
  }
}

/** Whether an element is the outermost one of a component whose name holds a text. */
function isComponentRoot(element, part) {
  const name = componentOf(element);
  if (part === "" || name === undefined || !foldCase(name).includes(part)) return false;
  const around = composedParent(element);
  return !around || componentOf(around) !== name;
}

/** What labels a field: its labels, or the ARIA attributes that stand for one. */
function labelOf(element) {
  const labelled = labelledByName(element) || fold(element.getAttribute("aria-label") || "");
  return `${LABELABLE.has(tagOf(element)) ? labelText(element) : ""} ${labelled}`;
}

/**
 * The text in which `text` locators look: content, or the label that a button-like input shows.
 * @param {Element} element
 * @param {Map<Element, string>} [known] what was read in this turn, so that an element inside others is read once
 */
function searchedText(element, known) {
  const before = known && known.get(element);
  if (before !== undefined) return before;
  const text = readSearchedText(element, known);
  if (known) known.set(element, text);
  return text;
}

function readSearchedText(element, known) {
  if (tagOf(element) === "input" && String(element.type).toLowerCase() in BUTTON_INPUTS) return nativeName(element);
  if (isField(element) || isSecretText(element)) return "";
  let text = "";
  for (const node of composedChildren(element)) {
    if (node.nodeType === 3) text += node.data;
    else if (isElement(node) && !SKIPPED_TAGS.has(tagOf(node))) {
      const inner = tagOf(node) === "br" ? " " : searchedText(node, known);
      text += isInlineTag(node) ? inner : ` ${inner} `;
    }
  }
  return text;
}

/** Whether an element is the innermost one that holds a text. */
function holdsText(element, part, holds) {
  if (!holds(foldCase(searchedText(element)), part)) return false;
  for (const child of composedChildren(element)) {
    if (isElement(child) && !SKIPPED_TAGS.has(tagOf(child)) && holds(foldCase(searchedText(child)), part)) return false;
  }
  return true;
}

/** The innermost elements that hold a text; `part` is folded by `folding` already. */
function findText(scope, part, folding = foldCase, holds = hasText) {
  const found = [];
  const known = new Map();
  const visit = (element) => {
    if (!holds(folding(searchedText(element, known)), part)) return false;
    let deeper = false;
    for (const child of composedChildren(element)) {
      if (isElement(child) && !SKIPPED_TAGS.has(tagOf(child)) && visit(child)) deeper = true;
    }
    if (!deeper) found.push(element);
    return true;
  };
  visit(scope);
  return found;
}

/** Ways to skip most of a page: the elements that a locator can concern at all. */
function candidatesFor(scope, { locator, holds }) {
  if (locator && locator[0] === "text") return findText(scope, foldCase(locator[1]), foldCase, holds);
  return elementsIn(scope);
}

/** The test of a query's locator; a place alone is tested with the rest of the query. */
function candidateTest({ locator, holds }) {
  return locator && locator[0] !== "text" ? locatorTest(locator[0], locator[1], holds) : () => true;
}

/**
 * All elements a query means, in document order.
 * @returns {{elements: Element[], scopeMissing: boolean}}
 */
function findElements(query) {
  return readingNames(() => search(query));
}

function search(query) {
  const scope = resolveScope(query.scope);
  if (!scope) return { elements: [], scopeMissing: true };
  const { locator, source } = query;
  const places = source && placesOf(source);
  const holds = (element) => query.conditions.every((condition) => condition(element));
  const stands = (element) => !places || (locator || query.self ? places.holds(element) : places.begins(element));
  if (query.self) {
    const fits = !locator || locatorTest(locator[0], locator[1], query.holds)(scope);
    const elements = fits && holds(scope) && stands(scope) ? [scope] : [];
    if (places && elements.length === 0) places.requireKnown();
    return { elements, scopeMissing: false };
  }
  const test = candidateTest(query);
  const elements = [];
  for (const element of candidatesFor(scope, query)) {
    if (element !== scope || (locator && locator[0] === "text")) {
      if (test(element) && holds(element) && stands(element)) elements.push(element);
    }
  }
  if (places && elements.length === 0) places.requireKnown();
  return { elements, scopeMissing: false };
}
