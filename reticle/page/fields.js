/*
 * Filling and choosing, so that the app hears of it as it would from a person.
 */

/** How the values of some fields are written. */
const FORMS = {
  number: "Write numbers with a point, such as 12.5.",
  range: "Write a number that its min, max and step allow.",
  color: "Write a colour such as #ff8800.",
  date: "Write a date such as 2026-01-31.",
  time: "Write a time such as 09:30.",
  "datetime-local": "Write a time such as 2026-01-31T09:30.",
  month: "Write a month such as 2026-01.",
  week: "Write a week such as 2026-W05.",
};

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
  causes.strike();
  return field.dispatchEvent(new view.InputEvent(type, fields));
}

/** Fields whose edits, made key by key, the app was not told of by `change` yet: what stood in them before. */
const unannounced = new WeakMap();

/** A key is changing a field: browsers say `change` once, when the field is left or its form is sent. */
function beginEdit(field) {
  if (unannounced.has(field)) return;
  unannounced.set(field, field.value);
  native.listen.call(field, "blur", () => announceEdit(field), { capture: true, once: true });
}

/** Say `change` for what was typed, if that was not said yet. */
function announceEdit(field) {
  if (unannounced.has(field) && unannounced.get(field) !== field.value) sendChange(field);
  unannounced.delete(field);
}

function sendChange(field) {
  unannounced.delete(field);
  const view = field.ownerDocument.defaultView;
  causes.strike();
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

/** Whether a field takes a text: a slider and a colour make something else of what they cannot read. */
function isAccepted(field, type, text) {
  const accepted = acceptedText(field, text);
  if (type === "range") return text.trim() !== "" && Number(accepted) === Number(text);
  if (type === "color") return accepted === text.toLowerCase() || (/^[a-z]+$/i.test(text) && accepted !== "#000000");
  return text === "" || accepted !== "";
}

/** The text as the field lets a person enter it: not longer than `maxlength`. */
function typedText(field, text) {
  return field.maxLength >= 0 && text.length > field.maxLength ? text.slice(0, field.maxLength) : text;
}

/**
 * Replace the value of a field that has the focus, and say `change` where it is another one then: as browsers do when a
 * field is left, which is the end of a fill.
 * @returns {boolean} whether the app prevented it
 */
function replaceValue(field, text, inputType) {
  const before = unannounced.has(field) ? unannounced.get(field) : field.value;
  if (!sendInput(field, "beforeinput", inputType, text)) return true;
  setNatively(field, "value", text);
  sendInput(field, "input", inputType, text);
  if (field.value !== before) sendChange(field);
  unannounced.delete(field);
  return false;
}

/** Refuse to write into what holds no text. @returns {string} the field's type */
function requireTextField(element, action) {
  refuseUnsupported(element, action);
  const tag = tagOf(element);
  if (tag === "select") throw wrongTarget(action, element, "Use select for a list of options.");
  const type = String(element.type || "").toLowerCase();
  if ((tag !== "input" && tag !== "textarea") || NOT_FILLABLE.has(type)) {
    throw wrongTarget(action, element, `${action} takes a text field; use check for boxes and click for buttons.`);
  }
  return type;
}

/** What a fill must pass before anything is changed. @returns {Promise<string>} the text as the field takes it */
async function fillable(element, args) {
  const type = requireTextField(element, "fill");
  if (typeof args.value !== "string") throw badArguments("fill needs args.value, a text (empty to clear).");
  requireEnabled(element, args.force);
  requireWritable(element);
  await requireVisible(element);
  const text = typedText(element, args.value);
  if (!isAccepted(element, type, text)) {
    throw badArguments(
      `A field of type ${type} does not take ${quoted(clip(args.value, 40))}; nothing was changed.`,
      FORMS[type] || `Write the value as HTML does for type ${type}.`,
    );
  }
  return text;
}

/** `fill`: checks first, so that a refused fill changes nothing. */
async function fill(element, args) {
  if (isWritableRichText(element)) return fillRichText(element, args);
  const text = await fillable(element, args);
  const { scrolled, cover } = await reach(element, args.force);
  const before = element.value;
  giveFocus(element);
  if (typeof element.select === "function") attempt("select", () => element.select());
  const prevented = replaceValue(element, text, "insertReplacementText");
  const valueChanged = element.value !== before;
  return { prevented, scrolled, cover, alreadyAtValue: before === text, valueChanged, after: () => rewritten(element, args.value) };
}
