/*
 * Accessible names: aria-labelledby → aria-label → what HTML gives → content → title (the accname order).
 * The only name function there is: snapshot, query, events and act reports all use it.
 */

/** Roles whose content is their name. `alert` and `status` are ours: what they say is how they are told apart. */
const NAMED_BY_CONTENT = new Set([
  "alert", "button", "cell", "checkbox", "columnheader", "gridcell", "heading", "label", "link",
  "menuitem", "menuitemcheckbox", "menuitemradio", "option", "radio", "row", "rowheader", "status", "switch",
  "tab", "term", "tooltip", "treeitem",
]);

const LABELABLE = new Set(["button", "input", "meter", "output", "progress", "select", "textarea"]);
const BUTTON_INPUTS = { submit: "Submit", reset: "Reset", button: "", image: "Submit" };

/** The type of an input as it is written. */
function inputType(input) {
  return String(input.getAttribute("type") || "").toLowerCase();
}

/** The accessible name, folded; empty when there is none. */
function nameOf(element) {
  const written = authorName(element);
  if (written) return written;
  const role = roleOf(element);
  if (NAMED_BY_CONTENT.has(role)) {
    const content = fold(contentText(element, { depth: 0, labelFor: null, item: role === "treeitem" }));
    if (content) return content;
  }
  // what is only there to arrange others has no name; its title describes it
  if (role === "generic" && tagOf(element) !== "abbr") return "";
  return fold(element.getAttribute("title")) || (TEXT_ROLES.has(role) ? fold(ariaOf(element, "aria-placeholder")) : "");
}

/** Roles of what takes a text. */
const TEXT_ROLES = new Set(["textbox", "searchbox", "combobox", "spinbutton"]);

/** A name by attribute, label or child element: everything before the content. */
function authorName(element) {
  return labelledByName(element) || fold(ariaOf(element, "aria-label") || "") || nativeName(element);
}

/** The elements that name another one: the ones that a script gave it, else those whose ids its attribute lists. */
function labellingParts(element) {
  const ids = (element.getAttribute("aria-labelledby") || "").trim();
  if (Array.isArray(element.ariaLabelledByElements)) return element.ariaLabelledByElements;
  const scope = element.getRootNode();
  if (!ids || typeof scope.getElementById !== "function") return [];
  return ids.split(/\s+/).map((id) => scope.getElementById(id)).filter(Boolean);
}

function labelledByName(element) {
  if (!element.hasAttribute("aria-labelledby")) return "";
  return fold(labellingParts(element).map((part) => labelPart(part, element)).join(" "));
}

/** The text of an element that another one names as its label; it may itself be hidden, and then its hidden parts count. */
function labelPart(part, element) {
  const trip = { depth: 0, labelling: true, all: !isRendered(part) || part.getAttribute("aria-hidden") === "true" };
  const tag = tagOf(part);
  const value = part === element ? undefined : embeddedValue(part, tag, trip);
  if (value !== undefined) return value;
  return fold(ariaOf(part, "aria-label") || "") || nativeName(part) || contentText(part, trip);
}

/** What HTML itself says the name is. */
function nativeName(element) {
  const tag = tagOf(element);
  if (tag === "img" || tag === "area") return fold(element.getAttribute("alt"));
  if (tag === "input") {
    const type = inputType(element);
    if (type === "hidden") return "";
    if (type in BUTTON_INPUTS) return labelText(element) || buttonInputName(element, type);
  }
  if (LABELABLE.has(tag) || tag.includes("-")) {
    const label = labelText(element);
    if (label) return label;
    if (tag === "textarea" || (tag === "input" && !/^(checkbox|radio|file|range|color)$/.test(inputType(element)))) {
      return fold(element.getAttribute("title")) || fold(element.getAttribute("placeholder"));
    }
  }
  return childName(element, tag);
}

/** What a button-like input shows: its value, also an empty one, else what browsers write on it. */
function buttonInputName(input, type) {
  if (type === "image") {
    return fold(["alt", "value", "title"].map((name) => input.getAttribute(name)).find(Boolean) || BUTTON_INPUTS[type]);
  }
  return fold(input.getAttribute("value") ?? (BUTTON_INPUTS[type] || input.getAttribute("title")));
}

const NAMING_CHILD = { fieldset: "legend", table: "caption" };

/** `<legend>`, `<caption>`, the `<title>` of a drawing and of what is in it, a list's `label`, a table's `summary`. */
function childName(element, tag) {
  if (tag === "optgroup" || tag === "option") return fold(element.getAttribute("label"));
  const drawn = element.namespaceURI === "http://www.w3.org/2000/svg";
  const wanted = drawn ? "title" : NAMING_CHILD[tag];
  const child = wanted && [...element.children].find((candidate) => tagOf(candidate) === wanted);
  if (drawn) return child ? fold(child.textContent) : "";
  const text = child && isRendered(child) ? fold(contentText(child, { depth: 0 })) : "";
  return text || (tag === "table" ? fold(element.getAttribute("summary")) : "");
}

/** The texts of a form field's labels, without the field's own value inside them. */
function labelText(field) {
  const labels = labelsOf(field).filter(isRendered);
  return fold(labels.map((label) => contentText(label, { depth: 0, labelFor: field })).join(" "));
}

/** While many names are read: root → field → its labels. */
let labelsRead = null;

/**
 * Read many names. Browsers go through the whole page for the labels of one field, so here they are looked up once; that
 * is right as long as nothing of the app runs meanwhile.
 */
function readingNames(work) {
  if (labelsRead) return work();
  labelsRead = new Map();
  try {
    return work();
  } finally {
    labelsRead = null;
  }
}

/** The labels of a field; those of a custom element are known to its internals alone. */
function labelsOf(field) {
  if (!field.labels) {
    const internals = internalsMet ? internalsOf.get(field) : undefined;
    return [...((internals && attempt("labels", () => internals.labels)) || [])];
  }
  if (!labelsRead) return [...field.labels];
  const root = field.getRootNode();
  if (!labelsRead.has(root)) labelsRead.set(root, labelsByField(root));
  return labelsRead.get(root).get(field) || [];
}

function labelsByField(root) {
  const labels = new Map();
  for (const label of root.querySelectorAll("label")) {
    const field = label.control;
    if (field) labels.set(field, [...(labels.get(field) || []), label]);
  }
  return labels;
}

/** Whether an element is drawn at all: displayed, not made invisible, in no part that is skipped. */
function isRendered(element) {
  const style = styleOf(element);
  if (!style) return false;
  if (typeof element.checkVisibility === "function" && style.display !== "contents") {
    return element.checkVisibility({ visibilityProperty: true });
  }
  if (style.visibility === "hidden" || style.visibility === "collapse") return false;
  return !composedClosest(element, (node) => styleOf(node)?.display === "none");
}
