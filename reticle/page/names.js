/*
 * Accessible names: aria-labelledby → aria-label → what HTML gives → content → title (the accname order).
 * The only name function there is: snapshot, query, events and act reports all use it.
 */

/** Roles whose content is their name. `alert` and `status` are ours: what they say is how they are told apart. */
const NAMED_BY_CONTENT = new Set([
  "alert", "button", "caption", "cell", "checkbox", "columnheader", "gridcell", "heading", "label", "link",
  "menuitem", "menuitemcheckbox", "menuitemradio", "option", "radio", "row", "rowheader", "status", "switch",
  "tab", "tooltip", "treeitem",
]);

const LABELABLE = new Set(["button", "input", "meter", "output", "progress", "select", "textarea"]);
const BUTTON_INPUTS = { submit: "Submit", reset: "Reset", button: "", image: "Submit" };

/** The accessible name, folded; empty when there is none. */
function nameOf(element) {
  const written = authorName(element);
  if (written) return written;
  const role = roleOf(element);
  if (NAMED_BY_CONTENT.has(role)) {
    const content = fold(contentText(element, { depth: 0, labelFor: null }));
    if (content) return content;
  }
  return fold(element.getAttribute("title") || "");
}

/** A name by attribute, label or child element: everything before the content. */
function authorName(element) {
  return labelledByName(element) || fold(element.getAttribute("aria-label") || "") || nativeName(element);
}

function labelledByName(element) {
  const ids = (element.getAttribute("aria-labelledby") || "").trim();
  if (!ids) return "";
  const scope = element.getRootNode();
  const parts = ids.split(/\s+/).map((id) => {
    const part = typeof scope.getElementById === "function" ? scope.getElementById(id) : null;
    return part ? labelPart(part) : "";
  });
  return fold(parts.join(" "));
}

/** The text of an element that another one names as its label; it may itself be hidden. */
function labelPart(part) {
  return fold(part.getAttribute("aria-label") || "") || nativeName(part) || contentText(part, { depth: 0, even: part });
}

/** What HTML itself says the name is. */
function nativeName(element) {
  const tag = tagOf(element);
  if (tag === "img" || tag === "area") return fold(element.getAttribute("alt") || "");
  if (tag === "input") {
    const type = String(element.getAttribute("type") || "").toLowerCase();
    if (type === "hidden") return "";
    if (type in BUTTON_INPUTS) return labelText(element) || buttonInputName(element, type);
  }
  if (LABELABLE.has(tag)) {
    const label = labelText(element);
    if (label) return label;
    if (tag === "input" || tag === "textarea") {
      return fold(element.getAttribute("title") || "") || fold(element.getAttribute("placeholder") || "");
    }
  }
  return childName(element, tag);
}

function buttonInputName(input, type) {
  const alt = type === "image" ? input.getAttribute("alt") || "" : "";
  return fold(alt || input.getAttribute("value") || input.getAttribute("title") || BUTTON_INPUTS[type]);
}

const NAMING_CHILD = { fieldset: "legend", figure: "figcaption", table: "caption", svg: "title", details: "summary" };

/** `<legend>`, `<figcaption>`, `<caption>`, an image's `<title>`, `<summary>`. */
function childName(element, tag) {
  if (tag === "optgroup" || tag === "option") return fold(element.getAttribute("label") || "");
  const wanted = NAMING_CHILD[tag];
  if (!wanted) return "";
  const child = [...element.children].find((candidate) => tagOf(candidate) === wanted);
  return child ? fold(tag === "svg" ? child.textContent : contentText(child, { depth: 0 })) : "";
}

/** The texts of a form field's labels, without the field's own value inside them. */
function labelText(field) {
  const labels = field.labels ? [...field.labels] : [];
  return fold(labels.map((label) => contentText(label, { depth: 0, labelFor: field })).join(" "));
}

/**
 * The text of an element's content as its name: hidden parts left out, images by their alt, fields by value.
 * @param {Element} element
 * @param {{depth: number, labelFor?: Element | null, even?: Element}} trip `even`: taken although hidden
 */
function contentText(element, trip) {
  if (trip.depth > 60) return "";
  let text = "";
  for (const node of composedChildren(element)) {
    if (node.nodeType === 3) text += node.data;
    else if (isElement(node) && node !== trip.labelFor) text += partText(node, trip);
  }
  return generated(element, "::before") + text + generated(element, "::after");
}

function partText(node, trip) {
  const tag = tagOf(node);
  if (SKIPPED_TAGS.has(tag) || tag === "br") return " ";
  if (node.getAttribute("aria-hidden") === "true") return "";
  const style = styleOf(node);
  if (style && (style.display === "none" || (style.visibility !== "visible" && style.visibility !== ""))) return "";
  const named = labelledByName(node) || fold(node.getAttribute("aria-label") || "");
  const text = named || embeddedText(node, tag, trip);
  return style && flowsInline(node, style) ? text : ` ${text} `;
}

/** A part's own contribution: alternative text, the value of a field inside a label, else its content. */
function embeddedText(node, tag, trip) {
  if (tag === "img" || tag === "svg") return nativeName(node) || fold(node.getAttribute("title") || "");
  if (tag === "select") {
    return [...node.options].filter((option) => option.selected).map((option) => option.text).join(" ");
  }
  if (tag === "input" || tag === "textarea") {
    const type = String(node.getAttribute("type") || "").toLowerCase();
    if (type in BUTTON_INPUTS) return nativeName(node);
    return ["checkbox", "radio", "hidden", "file"].includes(type) || isSecretField(node) ? "" : node.value;
  }
  return contentText(node, { ...trip, depth: trip.depth + 1 });
}

/** Text that a style sheet puts before or after an element's content. */
function generated(element, which) {
  const style = styleOf(element, which);
  const content = style && style.content;
  if (!content || content === "none" || content === "normal") return "";
  const text = [...content.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map((part) => part[1].replace(/\\(.)/g, "$1"));
  return text.join("");
}

/** Computed style, or null where the document is not shown (a frame that left). */
function styleOf(element, pseudo) {
  const view = element.ownerDocument && element.ownerDocument.defaultView;
  if (!view) return null;
  if (pseudo && /jsdom/i.test(view.navigator.userAgent)) return null;
  return view.getComputedStyle(element, pseudo);
}
