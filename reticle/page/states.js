/*
 * What state an element is in: as HTML has it, else as ARIA says where the role can have that state.
 */

const STATES = Object.freeze([
  "present", "attached", "visible", "hidden", "enabled", "disabled", "checked", "mixed", "expanded", "focused", "invalid",
  "required", "readonly", "inViewport",
]);

/** Whether an element is disabled: by itself, its fieldset, its option group, or `aria-disabled` on it or around it. */
function isDisabled(element) {
  return disabledReason(element) !== "";
}

/** The one reason for which the element's listeners are alive all the same. */
const MARKED_DISABLED = "is marked aria-disabled";

/** Why an element is disabled, as the end of a sentence; empty when it is not. */
function disabledReason(element) {
  const tag = tagOf(element);
  if (["button", "input", "select", "textarea", "option", "optgroup", "fieldset"].includes(tag)) {
    if (element.hasAttribute("disabled")) return "is disabled";
    if (element.matches(":disabled")) return "is inside a disabled fieldset or group";
  } else if (tag.includes("-") && element.matches(":disabled")) return "is disabled";
  const marked = composedClosest(element, (node) => ariaWord(node, "aria-disabled") === "true");
  return marked ? MARKED_DISABLED : "";
}

/** States that are told by an attribute, and the roles that can have them; elsewhere the attribute says nothing (ARIA 1.2). */
const TOGGLES = [
  ["aria-checked", new Set(["checkbox", "menuitemcheckbox", "menuitemradio", "option", "radio", "switch", "treeitem"])],
  ["aria-selected", new Set(["columnheader", "gridcell", "option", "row", "rowheader", "tab", "treeitem"])],
  ["aria-pressed", new Set(["button"])],
];
const MIXABLE = new Set(["button", "checkbox", "menuitemcheckbox", "treeitem", "option"]);
const EXPANDABLE = new Set([
  "application", "button", "checkbox", "columnheader", "combobox", "gridcell", "link", "listbox", "menuitem",
  "menuitemcheckbox", "menuitemradio", "row", "rowheader", "switch", "tab", "treeitem",
]);
const REQUIRABLE = new Set([
  "checkbox", "columnheader", "combobox", "gridcell", "listbox", "radiogroup", "rowheader", "searchbox", "spinbutton",
  "switch", "textbox", "tree", "treegrid",
]);
const LOCKABLE = new Set([
  "checkbox", "columnheader", "combobox", "grid", "gridcell", "listbox", "menuitemcheckbox", "menuitemradio",
  "radiogroup", "rowheader", "searchbox", "slider", "spinbutton", "switch", "textbox", "treegrid",
]);

/** Types of `<input>` of which HTML says that `required` or `readonly` does not apply. */
const NEVER_REQUIRED = new Set(["hidden", "range", "color", "submit", "image", "reset", "button"]);
const NEVER_LOCKED = new Set([...NEVER_REQUIRED, "checkbox", "radio", "file"]);

/** Whether a checkbox, radio, switch, option, tab or toggle is on; undefined where that means nothing. Half on is off. */
function checkedState(element) {
  const tag = tagOf(element);
  if (tag === "input" && (element.type === "checkbox" || element.type === "radio")) return element.checked;
  if (tag === "option") return element.selected;
  const role = roleOf(element);
  for (const [attribute, roles] of TOGGLES) {
    const said = roles.has(role) ? ariaWord(element, attribute) : "";
    if (said) return said === "true";
  }
  return undefined;
}

/** Whether a box or toggle stands for several of which some are on. */
function isMixed(element) {
  if (tagOf(element) === "input" && element.type === "checkbox") return element.indeterminate;
  if (ariaWord(element, "aria-checked") !== "mixed" && ariaWord(element, "aria-pressed") !== "mixed") return false;
  const role = roleOf(element);
  return MIXABLE.has(role) && ariaWord(element, role === "button" ? "aria-pressed" : "aria-checked") === "mixed";
}

/** Whether what an element opens is open. */
function isExpanded(element) {
  if (tagOf(element) === "summary" && isSummary(element)) return element.parentElement.hasAttribute("open");
  const opened = element.popoverTargetElement;
  if (opened && !element.hasAttribute("aria-expanded")) return Boolean(attempt("popover", () => opened.matches(":popover-open")));
  return ariaWord(element, "aria-expanded") === "true" && EXPANDABLE.has(roleOf(element));
}

function isFocused(element) {
  return element.getRootNode().activeElement === element && element !== element.ownerDocument.body;
}

/** Whether a field's value is wrong: as the app says, else as the browser checks it. An empty text was not entered yet. */
function isInvalid(element) {
  const said = ariaWord(element, "aria-invalid");
  if (said !== "") return said !== "false";
  if (!isField(element)) return element.localName.includes("-") && element.matches(":invalid"); // its ElementInternals say so
  if (!element.willValidate || element.validity.valid) return false;
  return element.value !== "" || !/^(textbox|searchbox|combobox|spinbutton)$/.test(roleOf(element)) || tagOf(element) === "select";
}

/** Whether a field is only invalid because nothing is chosen yet: `required` says that much. */
function isOnlyMissing(field) {
  return ariaWord(field, "aria-invalid") === "" && Boolean(field.validity) && field.validity.valueMissing;
}

function isRequired(element) {
  if (element.required === true && isField(element)) return tagOf(element) !== "input" || !NEVER_REQUIRED.has(element.type);
  return ariaWord(element, "aria-required") === "true" && REQUIRABLE.has(roleOf(element));
}

function isReadOnly(element) {
  const tag = tagOf(element);
  if (tag === "select" || (tag === "input" && NEVER_LOCKED.has(element.type))) return false;
  if (element.readOnly === true) return true;
  const role = roleOf(element);
  if (!LOCKABLE.has(role)) return false;
  const said = ariaWord(element, "aria-readonly");
  if (said || role !== "gridcell") return said === "true";
  const grid = element.closest("[role=grid], [role=treegrid]");
  return Boolean(grid) && ariaWord(grid, "aria-readonly") === "true";
}

/** The level of a heading, and of what says its own in a tree or list; undefined elsewhere. */
function levelOf(element, role) {
  const said = Number(ariaOf(element, "aria-level"));
  if (role === "heading") return said > 0 ? said : Number(/^h([1-6])$/.exec(tagOf(element))?.[1] ?? 2);
  return said > 0 && /^(row|treeitem|listitem)$/.test(role) ? said : undefined;
}

/** Whether one named state holds. */
function hasState(element, state) {
  switch (state) {
    case "present":
      return isPerceivable(element);
    case "attached":
      return element.isConnected;
    case "visible":
      return isSeen(element);
    case "hidden":
      return !isSeen(element);
    case "enabled":
      return !isDisabled(element) && !inertAncestor(element);
    case "disabled":
      return isDisabled(element) || Boolean(inertAncestor(element));
    case "checked":
      return checkedState(element) === true && !isMixed(element);
    case "mixed":
      return isMixed(element);
    case "expanded":
      return isExpanded(element);
    case "focused":
      return isFocused(element);
    case "invalid":
      return isInvalid(element);
    case "required":
      return isRequired(element);
    case "readonly":
      return isReadOnly(element);
    case "inViewport":
      return isInViewport(element);
    default:
      throw badArguments(`There is no state ${clip(String(state), 40)}; states are ${STATES.join(", ")}.`);
  }
}

/** States that are told only when they are asked for. */
const ASKED_FOR = new Set(["attached", "inViewport"]);
const BY_SIGHT = new Set(["present", "visible", "hidden"]);

/** The states of a descriptor: all that hold, in the order of STATES. */
function statesOf(element) {
  const { sight } = sightOf(element);
  const met = { present: sight !== SIGHT.NONE, visible: sight === SIGHT.SEEN, hidden: sight !== SIGHT.SEEN };
  return STATES.filter((state) => (BY_SIGHT.has(state) ? met[state] : !ASKED_FOR.has(state) && hasState(element, state)));
}
