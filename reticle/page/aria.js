/*
 * What an element says of itself in ARIA: by its attributes, else by the internals that a custom element has given
 * itself, which nobody else can ask for: so they are kept when they are made.
 */

/** Custom element → its ElementInternals. */
const internalsOf = new WeakMap();
let internalsMet = false;

/** Attribute → the property of ElementInternals that stands for it. */
const INTERNAL_PROPERTY = new Map(
  (
    "ariaChecked ariaDisabled ariaExpanded ariaInvalid ariaLabel ariaLevel ariaPlaceholder ariaPressed ariaReadOnly " +
    "ariaRequired ariaSelected ariaValueMax ariaValueMin ariaValueNow ariaValueText"
  ).split(" ").map((name) => [`aria-${name.slice(4).toLowerCase()}`, name]),
);

function startInternalsWatch(view = window) {
  const owner = view.HTMLElement && view.HTMLElement.prototype;
  replaceFunction(owner, "attachInternals", "internals", (element) => ({
    returned(internals) {
      internalsOf.set(element, internals);
      internalsMet = true;
      return internals;
    },
  }));
}

/** The value of a `role` or `aria-*` attribute, or null where nothing says it. */
function ariaOf(element, attribute) {
  const written = element.getAttribute(attribute);
  if (written !== null || !internalsMet) return written;
  const internals = internalsOf.get(element);
  if (!internals) return null;
  return (attribute === "role" ? internals.role : internals[INTERNAL_PROPERTY.get(attribute)]) ?? null;
}

/** A value of a list of words, which HTML compares without case; empty where nothing says it. */
function ariaWord(element, attribute) {
  return (ariaOf(element, attribute) || "").trim().toLowerCase();
}

/** ARIA that holds for every role: an element that has some of it is more than a way to arrange others. */
const GLOBAL_ARIA = [
  "aria-atomic", "aria-busy", "aria-controls", "aria-current", "aria-describedby", "aria-description", "aria-details",
  "aria-flowto", "aria-keyshortcuts", "aria-label", "aria-labelledby", "aria-live", "aria-owns", "aria-relevant",
  "aria-roledescription",
];

function hasGlobalAria(element) {
  return GLOBAL_ARIA.some((name) => element.hasAttribute(name));
}
