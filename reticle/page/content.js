/*
 * The text of an element's content where it makes a name (accname 1.2, steps 2A to 2H): hidden parts left out, fields by
 * their values, pictures by their alternative text.
 */

/**
 * @typedef {object} Trip through a content
 * @property {number} depth
 * @property {Element | null} [labelFor] the field that is named: its own value is no part of its name
 * @property {boolean} [labelling] inside of what `aria-labelledby` refers to: no further reference is followed
 * @property {boolean} [all] inside of what is hidden and referred to: its hidden parts count too
 * @property {boolean} [item] the name of a tree's item: its group is the next level of the tree
 */

/** The text of an element's content as its name. */
function contentText(element, trip) {
  if (trip.depth > 60) return "";
  let text = "";
  for (const node of composedChildren(element)) {
    if (node.nodeType === 3) text += node.data;
    else if (isElement(node) && node !== trip.labelFor) text += partText(node, trip);
  }
  return generated(element, "::before") + text + generated(element, "::after");
}

/** Parts that stand apart from each other whatever their style says. */
const PARTED_ROLES = /^(cell|gridcell|columnheader|rowheader|option|listitem)$/;

function partText(node, trip) {
  const tag = tagOf(node);
  if (SKIPPED_TAGS.has(tag)) return "";
  if (tag === "br") return " ";
  const style = styleOf(node);
  if (!trip.all && isLeftOut(node, style)) return "";
  if (trip.item && node.getAttribute("role") === "group") return "";
  const text = spokenPart(node, tag, trip);
  const flows = style && flowsInText(node, style) && !PARTED_ROLES.test(node.getAttribute("role") || "");
  return flows ? text : ` ${text} `;
}

/** Whether a text runs on into an element's: a slot's content stands for itself, as a picture or an inline block does. */
function flowsInText(node, style) {
  return hasLayout() ? style.display === "inline" || (style.display === "contents" && tagOf(node) !== "slot") : isInlineTag(node);
}

function isLeftOut(node, style) {
  if (node.getAttribute("aria-hidden") === "true") return true;
  return Boolean(style) && (isUndisplayed(node, style) || (style.visibility !== "visible" && style.visibility !== ""));
}

/**
 * A part's own contribution, in the order of accname: reference, value, `aria-label`, what HTML says, content. What was
 * written for it stands as a word of its own.
 */
function spokenPart(node, tag, trip) {
  const referred = trip.labelling ? "" : labelledByName(node);
  if (referred) return ` ${referred} `;
  const value = embeddedValue(node, tag, trip);
  if (value !== undefined) return value;
  const label = fold(ariaOf(node, "aria-label") || "") || (tag === "img" || tag === "svg" ? pictureText(node, tag) : "");
  if (label || tag === "img" || tag === "svg") return label && ` ${label} `;
  if (tag === "input") return inputType(node) in BUTTON_INPUTS ? nativeName(node) : "";
  return contentText(node, { ...trip, depth: trip.depth + 1 });
}

/** An alternative text; an empty one says that there is none. */
function pictureText(node, tag) {
  if (tag === "img" && node.hasAttribute("alt")) return fold(node.getAttribute("alt"));
  return nativeName(node) || fold(node.getAttribute("title"));
}

/** The value of a control inside of a name; undefined for what is no control with a value. */
function embeddedValue(node, tag, trip) {
  if (tag === "select") return [...node.options].filter((option) => option.selected).map((option) => option.text).join(" ");
  if (tag === "textarea") return isSecretField(node) ? "" : node.value;
  if (tag === "input") {
    const type = inputType(node);
    if (type in BUTTON_INPUTS || /^(checkbox|radio|hidden|file)$/.test(type)) return undefined;
    return isSecretField(node) ? "" : node.value;
  }
  if (tag === "progress" || tag === "meter") return node.hasAttribute("value") ? String(node.value) : "";
  switch ((ariaOf(node, "role") || "").trim().toLowerCase()) {
    case "textbox":
    case "searchbox":
    case "combobox":
      return isSecretField(node) ? "" : contentText(node, { ...trip, depth: trip.depth + 1 });
    case "listbox":
      return [...node.querySelectorAll("[role=option][aria-selected=true]")].map((option) => fold(option.textContent)).join(" ");
    case "slider":
    case "spinbutton":
    case "scrollbar":
    case "progressbar":
    case "meter":
      return ariaOf(node, "aria-valuetext") || ariaOf(node, "aria-valuenow") || "";
    default:
      return isSecretText(node) ? "" : undefined;
  }
}

/** Text that a style sheet puts before or after an element's content: what it is to be read as, where that is said. */
function generated(element, which) {
  const style = styleOf(element, which);
  const content = style && style.content;
  if (!content || content === "none" || content === "normal" || style.display === "none") return "";
  const parts = [...content.matchAll(/"((?:[^"\\]|\\.)*)"|\//g)];
  const slash = parts.findIndex((part) => part[0] === "/");
  const text = parts.slice(slash + 1).map((part) => part[1].replace(/\\(.)/g, "$1")).join("");
  return text && (slash >= 0 || style.display !== "inline") ? ` ${text} ` : text;
}

/** Computed style, or null where the document is not shown (a frame that left). */
function styleOf(element, pseudo) {
  const view = element.ownerDocument && element.ownerDocument.defaultView;
  if (!view) return null;
  if (pseudo && /jsdom/i.test(view.navigator.userAgent)) return null;
  return view.getComputedStyle(element, pseudo);
}
