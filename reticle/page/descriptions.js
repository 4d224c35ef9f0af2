/*
 * Accessible descriptions: what is said about an element beside its name (accname 1.2, section 4.3.3).
 */

/** The accessible description, folded; empty when there is none. */
function descriptionOf(element) {
  const referred = fold(describingParts(element).map((part) => labelPart(part, element)).join(" "));
  if (referred) return referred;
  const said = fold(element.getAttribute("aria-description"));
  if (said) return said;
  const name = nameOf(element);
  const title = fold(element.getAttribute("title"));
  return [nativeDescription(element), title].find((text) => text !== "" && text !== name) ?? "";
}

/** What HTML and SVG have for a description: a caption, a drawing's `<desc>`, the words on a button. */
function nativeDescription(element) {
  const tag = tagOf(element);
  if (tag === "input") return inputType(element) in BUTTON_INPUTS ? fold(element.getAttribute("value")) : "";
  if (tag !== "svg") return tag === "table" ? childName(element, tag) : "";
  const told = [...element.children].find((child) => tagOf(child) === "desc");
  return told ? fold(told.textContent) : childName(element, tag);
}

/** The elements that describe another one: the ones that a script gave it, else those whose ids its attribute lists. */
function describingParts(element) {
  if (Array.isArray(element.ariaDescribedByElements)) return element.ariaDescribedByElements;
  const ids = (element.getAttribute("aria-describedby") || "").trim();
  const scope = element.getRootNode();
  if (!ids || typeof scope.getElementById !== "function") return [];
  return ids.split(/\s+/).map((id) => scope.getElementById(id)).filter(Boolean);
}
