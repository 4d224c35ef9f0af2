/*
 * Looking without touching: the commands `query` and `match`, and the questions that `read` puts (reads.js).
 */

/** What the page has instead, when a query found nothing. */
function emptyHint() {
  attempt("virtualized", lookForVirtualized);
  const regions = [];
  const testids = [];
  let emptyState = false;
  for (const element of elementsIn(document)) {
    const testid = testidOf(element);
    if (testid && testids.length < 12 && !testids.includes(testid)) testids.push(testid);
    const role = roleOf(element);
    if (regions.length < 10 && REGION_ROLES.has(role)) regions.push(regionHint(element, role));
    if (!element.firstElementChild && /^\s*(no|nothing|empty)\b/i.test(element.textContent)) emptyState = true;
  }
  return { route: currentRoute(), presentRegions: regions, presentTestids: testids, knownEmptyState: emptyState };
}

const REGION_ROLES = new Set([
  "main", "navigation", "banner", "contentinfo", "complementary", "region", "form", "search", "dialog", "alertdialog",
  "table", "list", "tablist", "alert", "status",
]);

function regionHint(element, role) {
  const sample = [];
  for (const inner of elementsIn(element)) {
    if (sample.length >= 3) break;
    const innerRole = roleOf(inner);
    if (INTERACTIVE_ROLES.has(innerRole) || innerRole === "heading") {
      sample.push(`${innerRole}[${clip(scrub(nameOf(inner)), 40)}]`);
    }
  }
  const hint = { role, childCount: element.childElementCount, sample };
  const name = clip(scrub(nameOf(element)), LIMIT.NAME_CHARS);
  if (name) hint.name = name;
  return hint;
}

/** The `query` command: an element query with `limit`, `count_only` and `attrs` (a list of attributes to report). */
function runQuery(args) {
  const query = parseQuery(args, ["limit", "count_only"]);
  const attributes = Array.isArray(args.attrs) ? args.attrs.map(String) : [];
  const wanted = Number.isFinite(args.limit) && args.limit >= 0 ? Math.floor(args.limit) : LIMIT.QUERY_ELEMENTS;
  const limit = Math.min(wanted, LIMIT.QUERY_ELEMENTS);
  const { elements, scopeMissing } = findElements(query);
  const result = { elements: [], count: elements.length };
  if (!args.count_only) result.elements = elements.slice(0, limit).map((element) => describe(element, attributes));
  if (!args.count_only && elements.length > limit) result.truncated = true;
  if (scopeMissing) result.scopeMissing = true;
  if (elements.length === 0) result.hint = emptyHint();
  return result;
}

/**
 * The `match` command and question: how many elements satisfy a query, and a state besides; whether anybody meets one of
 * these, and if not, why nobody sees the first of all.
 */
function runMatch(args) {
  allowOnly(args, ["query", "state", "style", "kind"], "match");
  const states = [args.state ?? []].flat();
  const properties = stylesAsked(args.style);
  const { elements, scopeMissing } = findElements(parseQuery(args.query));
  const { matching, met } = lookingOnce(() => {
    const fitting = elements.filter((element) => states.every((state) => hasState(element, state)));
    return { matching: fitting, met: fitting.find(isMet) };
  });
  const shown = [...new Set([...(met ? [met] : []), ...matching, ...elements])];
  const result = {
    matched: matching.length > 0,
    count: matching.length,
    candidates: elements.length,
    perceivable: met !== undefined,
    elements: shown.slice(0, LIMIT.MATCH_ELEMENTS).map((element) => withStyles(element, properties)),
  };
  const wanted = foldCase(args.query.by === "text" ? args.query.value : args.query.text);
  if (wanted !== "" && matching.length > 0) {
    const told = wholeFirst(matching.map((element) => ({ element })), wanted, foldCase).slice(0, 5);
    result.texts = told.map(({ element }) => clip(scrub(fold(searchedText(element))), LIMIT.TEXT_CHARS));
  }
  const why = met || elements.length === 0 ? "" : unmetReason(matching[0] ?? elements[0]);
  if (why) Object.assign(result, { unseen: why }, hiddenBy(matching[0] ?? elements[0], why));
  if (states.length > 0 && elements.length === 0) states.forEach((state) => requireState(state));
  if (elements.length === 0 && endsInNumber(args.query) && findElements(parseQuery(args.query, [], hasText)).elements.length > 0) {
    result.partly = true;
  }
  if (scopeMissing) result.scopeMissing = true;
  if (elements.length === 0) result.hint = emptyHint();
  return result;
}

/** Why nobody meets an element: it is not seen, or something opaque lies over it for good. */
function unmetReason(element) {
  const why = unseenReason(element);
  if (why !== "" || !hasLayout()) return why;
  const cover = coverOfText(element, boxesOf(element));
  return cover ? `is covered by ${spoken(cover)}` : "";
}

/** Whether anybody meets an element: as it is seen, or as it is read out. */
function isMet(element) {
  return isPerceivable(element) && (!isSeen(element) || unmetReason(element) === "");
}

/** Whether a text that is looked for may be met as a part of another number. */
function endsInNumber(query) {
  return [query.value, ...LOCATORS.map((locator) => query[locator])].some((text) => /^\p{Nd}|\p{Nd}$/u.test(fold(text)));
}

/** The rule that hides an element that nobody sees, to be spread into what is told of it. */
function hiddenBy(element, why) {
  const rule = attempt("rule", () => ruleThatHides(element, why));
  return rule ? { unseenBy: rule } : {};
}

/** The style properties that are asked for; refused where the browser knows one of them not. */
function stylesAsked(given) {
  if (given === undefined || given === null) return [];
  const known = styleOf(document.documentElement);
  if (!Array.isArray(given) || given.some((name) => typeof name !== "string")) throw badArguments("style is a list of properties.");
  for (const name of given) {
    if (name.startsWith("--") || known.getPropertyValue(name) !== "") continue;
    throw badArguments(`There is no style property ${clip(name, 60)} in this browser.`);
  }
  return given;
}

/** A descriptor with computed styles as the browser writes them. */
function withStyles(element, properties) {
  const described = describe(element);
  if (properties.length === 0) return described;
  const style = styleOf(element);
  const told = Object.fromEntries(properties.map((name) => [name, clip(scrub(style.getPropertyValue(name).trim()), LIMIT.TEXT_CHARS)]));
  return { ...described, style: told };
}

/** Refuse a state that there is not, also when no element was found to try it on. */
function requireState(state) {
  if (!STATES.includes(state)) hasState(document.documentElement, state);
}

/** Whether a text goes on before or behind a part of it, as another number, another word or with a minus would. */
function goesOn(part, before, after) {
  if (/^\p{Nd}/u.test(part) ? /\p{Nd}$/u.test(before) : /^\p{L}/u.test(part) && /\p{L}$/u.test(before)) return true;
  if (/^\P{L}?\p{Nd}/u.test(part) && /[-\u2212\u2013]\p{Sc}?$/u.test(before)) return true;
  return /\p{Nd}$/u.test(part) && /^[.,'\u2019\s]?\p{Nd}/u.test(after);
}

/**
 * Of the elements that have a text those first that have it whole: "Order 1" before "Order 12", "saved" before "unsaved".
 * Whoever gets the first few can then tell whether there is one at all.
 */
function wholeFirst(found, wanted, folding = fold) {
  const isWhole = ({ element }) => {
    const text = folding(searchedText(element));
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
      const end = at + wanted.length;
      if (!goesOn(wanted, text.slice(Math.max(at - 3, 0), at), text.slice(end, end + 2))) return true;
    }
    return false;
  };
  const [whole, part] = [[], []];
  for (const one of found) (isWhole(one) ? whole : part).push(one);
  return [...whole, ...part];
}

/**
 * The `text` question: where a text stands in the page; with `exact` where it is all that an element says, and else what
 * the elements say that have it in them.
 */
function runText(args) {
  allowOnly(args, ["kind", "contains", "visible", "exact", "scope"], "text");
  if (typeof args.contains !== "string" || fold(args.contains) === "") throw badArguments("contains must be a text.");
  const scope = resolveScope(args.scope);
  if (!scope) return { matched: false, count: 0, visibleCount: 0, samples: [], scopeMissing: true };
  const wanted = fold(args.contains);
  const holding = findText(scope, wanted, fold);
  const found = args.exact === true ? holding.filter((element) => saysOnly(element, wanted)) : holding;
  const seen = lookingOnce(() => found.map((element) => ({ element, ...sightOfText(element, wanted) })));
  const visibleCount = seen.filter((entry) => entry.sight === SIGHT.SEEN).length;
  const perceivableCount = seen.filter((entry) => entry.sight !== SIGHT.NONE).length;
  if (found.length === 0) {
    attempt("virtualized", lookForVirtualized);
    attempt("canvas", lookForCanvases);
  }
  const count = found.length; // wherever it stands: who asks for what shows has to know that there is more
  const matching = args.visible === true ? visibleCount : args.visible === false ? count - visibleCount : count;
  const samples = wholeFirst(seen, wanted).slice(0, 5).map((entry) => ({
    ref: refs.of(entry.element),
    text: clip(scrub(fold(searchedText(entry.element))), LIMIT.TEXT_CHARS),
    visible: entry.sight === SIGHT.SEEN,
    ...(entry.why ? { unseen: entry.why, ...hiddenBy(entry.element, entry.why) } : {}),
  }));
  const result = { matched: matching > 0, count, visibleCount, perceivableCount, samples };
  if (holding.length > found.length) {
    const others = holding.filter((element) => !found.includes(element)).slice(0, 5);
    result.holding = others.map((element) => clip(scrub(fold(searchedText(element))), LIMIT.TEXT_CHARS));
  }
  return result;
}

/** Whether a text is all that an element says: all of it, or all that is drawn. */
function saysOnly(element, text) {
  return fold(searchedText(element)) === text || fold(shownText(element)) === text;
}

/** How a text in an element is met; one that is only whole with parts that are not drawn is not. */
function sightOfText(element, text) {
  const found = sightOf(element, true);
  if (found.sight === SIGHT.NONE || isField(element) || fold(shownText(element)).includes(text)) {
    return styleOf(element).contentVisibility === "hidden" ? { sight: SIGHT.NONE, why: "has content that is hidden" } : found;
  }
  return { sight: SIGHT.NONE, why: "is partly hidden" };
}

/** The `route` question. */
function runRoute() {
  const { pathname, search, hash, href } = window.location;
  return {
    url: redactUrl(href),
    pathname: redactUrl(pathname),
    search: redactUrl(search),
    hash: redactUrl(hash),
  };
}
