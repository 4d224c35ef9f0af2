/*
 * What one element shows, and what one key of the storage holds: the questions `content` and `stored`, by which claims
 * compare the page with another channel.
 */

/** Whether an element takes no part in what is drawn, or draws nothing of its own. */
function isUndrawn(element) {
  const style = lookOf(element);
  return Boolean(style) && (style.display === "none" || style.visibility === "hidden" || style.visibility === "collapse");
}

/** Whether an element is transparent and stays so. */
function isFaded(element) {
  const style = lookOf(element);
  return Boolean(style) && style.opacity === "0" && style.display !== "contents" && !isAppearing(element) && !isShownByPointing(element);
}

/** What of an element's content can show: of a closed <details> its summary alone. */
function shownChildren(element) {
  const children = [...composedChildren(element)];
  if (tagOf(element) !== "details" || element.hasAttribute("open")) return children;
  return children.filter((node) => isElement(node) && tagOf(node) === "summary").slice(0, 1);
}

/** The text of an element without the parts that are hidden; what a credential is written into is not told. */
function shownText(element) {
  if (isSecretText(element)) return REDACTED;
  if (tagOf(element) === "input" && String(element.type).toLowerCase() in BUTTON_INPUTS) return nativeName(element);
  if (isField(element)) return "";
  let text = "";
  for (const node of shownChildren(element)) {
    if (node.nodeType === 3) text += node.data;
    else if (isElement(node) && !SKIPPED_TAGS.has(tagOf(node)) && !isUndrawn(node) && !isFaded(node)) {
      const inner = tagOf(node) === "br" ? " " : shownText(node);
      text += isInlineTag(node) ? inner : ` ${inner} `;
    }
  }
  return text;
}

/** A text and whether it was cut, under that name. */
function whole(name, text) {
  const told = clip(wellFormed(scrub(text)), LIMIT.STORAGE_CHARS);
  return text.length > LIMIT.STORAGE_CHARS ? { [name]: told, cut: true } : { [name]: told };
}

/**
 * The `content` question: how many elements there are, and how many of them a person can see; of the one that is meant
 * (the only one, else the only one that shows) its text, or its value where it has one. `all: true` asks for the numbers,
 * which rows of a list that are not in the page would make wrong.
 */
function runContent(args) {
  allowOnly(args, ["kind", "query", "all"], "content");
  const { elements, scopeMissing } = findElements(parseQuery(args.query));
  if (scopeMissing) return { count: 0, visibleCount: 0, scopeMissing: true };
  const seen = lookingOnce(() => elements.filter(isSeen));
  const result = { count: elements.length, visibleCount: seen.length };
  if (elements.length === 0) result.hint = emptyHint();
  else if (args.all === true) attempt("virtualized", lookForVirtualized);
  const one = seen.length === 1 ? seen[0] : elements.length === 1 ? elements[0] : null;
  if (!one || args.all === true) return result;
  Object.assign(result, { ref: refs.of(one), visible: seen.length === 1 }, whole("text", fold(shownText(one))));
  const hasValue = isField(one) || valueOf(one) !== "";
  return hasValue ? { ...result, ...whole("value", String(valueOf(one))) } : result;
}

/** The `stored` question: what one key of local or session storage or a cookie holds now. */
function runStored(args) {
  allowOnly(args, ["kind", "key", "area"], "stored");
  if (typeof args.key !== "string" || args.key === "") throw badArguments("key must be a text.");
  if (args.area !== undefined && !AREAS.includes(args.area)) throw badArguments(`area is one of ${AREAS.join(", ")}.`);
  return readStoredKey(args.area === undefined ? AREAS : [args.area], args.key);
}
