/*
 * Filling, choosing and checking, so that the app hears of it as it would from a person.
 */

/** Inputs that take text or a text form of their value. */
const NOT_FILLABLE = new Set(["checkbox", "radio", "button", "submit", "reset", "image", "hidden", "file"]);

/**
 * Set a field's property with the prototype's own setter: frameworks that watch the instance's property then see
 * a difference at the next event.
 */
function setNatively(field, property, value) {
  const view = field.ownerDocument.defaultView;
  const owner = { input: view.HTMLInputElement, textarea: view.HTMLTextAreaElement, select: view.HTMLSelectElement };
  const described = Object.getOwnPropertyDescriptor(owner[tagOf(field)].prototype, property);
  described.set.call(field, value);
}

function sendInput(field, type, inputType, text) {
  const view = field.ownerDocument.defaultView;
  const fields = { bubbles: true, cancelable: type === "beforeinput", composed: true, inputType, data: text };
  return field.dispatchEvent(new view.InputEvent(type, fields));
}

function sendChange(field) {
  const view = field.ownerDocument.defaultView;
  field.dispatchEvent(new view.Event("change", { bubbles: true }));
}

/** What a field of this type makes of a text: dates and numbers refuse what they cannot read. */
function acceptedText(field, text) {
  if (tagOf(field) !== "input") return text;
  const trial = field.ownerDocument.createElement("input");
  trial.type = field.type;
  if (field.min) trial.min = field.min;
  if (field.max) trial.max = field.max;
  if (field.step) trial.step = field.step;
  setNatively(trial, "value", text);
  return trial.value;
}

/** The text as the field lets a person enter it: not longer than `maxlength`. */
function typedText(field, text) {
  return field.maxLength >= 0 && text.length > field.maxLength ? text.slice(0, field.maxLength) : text;
}

/** Replace the value of a field that has the focus. @returns {{dispatched: boolean, prevented: boolean}} */
function replaceValue(field, text, inputType) {
  if (!sendInput(field, "beforeinput", inputType, text)) return { dispatched: true, prevented: true };
  setNatively(field, "value", text);
  sendInput(field, "input", inputType, text);
  return { dispatched: true, prevented: false };
}

/** `fill`: checks first, so that a refused fill changes nothing. */
async function fill(element, args) {
  refuseUnsupported(element, "fill");
  const tag = tagOf(element);
  if (tag === "select") throw wrongTarget("fill", element, "Use select for a list of options.");
  const type = String(element.type || "").toLowerCase();
  if ((tag !== "input" && tag !== "textarea") || NOT_FILLABLE.has(type)) {
    throw wrongTarget("fill", element, "Fill a text field; use check for boxes and click for buttons.");
  }
  if (typeof args.value !== "string") throw badArguments("fill needs args.value, a text (empty to clear).");
  requireEnabled(element);
  requireWritable(element);
  await requireVisible(element);
  const text = typedText(element, args.value);
  if (text !== "" && acceptedText(element, text) === "") {
    throw badArguments(
      `A field of type ${type} does not take ${quoted(clip(args.value, 40))}; nothing was changed.`,
      type === "number" ? "Write numbers with a point, such as 12.5." : `Write the value as HTML does for type ${type}.`,
    );
  }
  const { scrolled } = await reach(element);
  const before = element.value;
  element.focus({ preventScroll: true });
  if (typeof element.select === "function") attempt("select", () => element.select());
  const { prevented } = replaceValue(element, text, "insertReplacementText");
  if (!prevented) sendChange(element);
  return { prevented, scrolled, alreadyAtValue: before === text, valueChanged: element.value !== before };
}

/** The option that is meant: by value, else by exact label. */
function optionOf(select, wanted) {
  const options = [...select.options];
  return (
    options.find((option) => option.value === wanted) ||
    options.find((option) => fold(option.label || option.text) === fold(wanted))
  );
}

/** `select`: one option of a `<select>`. */
async function select(element, args) {
  if (tagOf(element) !== "select") {
    throw wrongTarget("select on", element, "For a list made of other elements click it, then click the option.");
  }
  if (typeof args.value !== "string") throw badArguments("select needs args.value, an option's value or label.");
  requireEnabled(element);
  const option = optionOf(element, args.value);
  if (!option) {
    throw new Refused(
      REFUSAL.NO_SUCH_OPTION,
      `${spoken(element)} has no option ${quoted(clip(args.value, LIMIT.NAME_CHARS))}.`,
      "Use one of details.options.",
      { options: [...element.options].slice(0, LIMIT.OPTIONS).map((one) => ({ value: one.value, label: fold(one.label || one.text) })) },
    );
  }
  requireEnabled(option);
  await requireVisible(element);
  const { scrolled } = await reach(element);
  const before = valueOf(element);
  element.focus({ preventScroll: true });
  const only = [...element.options].every((one) => one.selected === (one === option));
  if (!only) {
    setNatively(element, "selectedIndex", option.index);
    sendInput(element, "input", undefined, null);
    sendChange(element);
  }
  return { prevented: false, scrolled, dispatched: !only, alreadyAtValue: only, valueChanged: valueOf(element) !== before };
}

const CHECKABLE_ROLES = new Set(["checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"]);

/** `check`: a click, only when it is not checked yet. A box hidden behind its label is clicked through the label. */
async function check(element, args) {
  if (!CHECKABLE_ROLES.has(roleOf(element)) || checkedState(element) === undefined) {
    throw wrongTarget("check", element, "Check a checkbox, radio button or switch.");
  }
  requireEnabled(element);
  if (checkedState(element)) return { prevented: false, scrolled: false, dispatched: false, alreadyAtValue: true, valueChanged: false };
  guardDanger(element, args, false);
  const label = element.labels && [...element.labels].find(isVisible);
  const clicked = isVisible(element) || !label ? element : label;
  await requireVisible(clicked);
  const { point, hit, scrolled } = await reach(clicked);
  const prevented = clickAt(clicked, hit, point, modifierFlags());
  return { prevented, scrolled, alreadyAtValue: false, valueChanged: checkedState(element) === true };
}
