/*
 * Typing key by key, and clearing.
 */

/** Fields in which characters simply come one after the other. */
const TYPABLE = new Set(["", "text", "search", "email", "url", "tel", "password", "number", "textarea"]);

/** Refuse a text that cannot be typed into this field. */
function requireTypable(element, args) {
  const type = requireTextField(element, "type");
  if (tagOf(element) === "input" && !TYPABLE.has(type)) {
    throw wrongTarget("type into", element, `Use fill; a field of type ${type} takes its value as a whole.`);
  }
  if (typeof args.text !== "string" || args.text === "") throw badArguments("type needs args.text, a text; clear empties a field.");
  if (args.text.length > LIMIT.TYPED_CHARS) {
    throw badArguments(`args.text has ${args.text.length} characters; type takes at most ${LIMIT.TYPED_CHARS}.`, "Use fill for long texts.");
  }
  if (tagOf(element) === "input" && /[\r\n]/.test(args.text)) {
    throw badArguments("A one-line field takes no line break; nothing was typed.", "Type the text, then press Enter.");
  }
  if (type === "number" && acceptedText(element, element.value + args.text) === "") {
    throw badArguments(
      `A field of type number does not take ${quoted(clip(element.value + args.text, 40))}; nothing was typed.`,
      "Write numbers with a point, such as 12.5.",
    );
  }
  return type;
}

/** What typing must pass before anything is changed. @returns {Promise<string>} the field's type */
async function typable(element, args) {
  const kind = requireTypable(element, args);
  requireEnabled(element, args.force);
  requireWritable(element);
  await requireVisible(element);
  return kind;
}

/** `type`: adds at the end, one key stroke for each character; an app that prevents a key keeps its character out. */
async function type(element, args) {
  if (isWritableRichText(element)) return typeRichText(element, args);
  const kind = await typable(element, args);
  const { scrolled, cover } = await reach(element, args.force);
  const before = element.value;
  giveFocus(element);
  if (element.selectionStart !== null) attempt("caret", () => element.setSelectionRange(before.length, before.length));
  const draft = { text: before };
  let kept = 0;
  for (const character of args.text) {
    // what the app put off until the end of a key stroke is done before the next one
    await native.Promise.resolve();
    const receiver = deepActiveElement() === element || !element.isConnected ? element : deepActiveElement() || element;
    if (receiver !== element) break; // the app moved the focus on, as code fields do
    if (!strike(element, character, kind, draft)) kept += 1;
  }
  announceEdit(element);
  const after = () => rewritten(element, before + args.text);
  return { prevented: kept > 0, scrolled, cover, valueChanged: element.value !== before, after };
}

/** One key stroke into a field. @returns {boolean} whether the character went in */
function strike(field, character, kind, draft) {
  const key = character === "\n" ? "Enter" : character;
  const [code, keyCode] = key === "Enter" || key === " " ? NAMED_KEYS[key] : codeOf(key);
  const shiftKey = key.length === 1 && key !== key.toLowerCase();
  const stroke = { key, code, keyCode, flags: { altKey: false, ctrlKey: false, metaKey: false, shiftKey } };
  let outcome = "prevented";
  if (sendKey(field, "keydown", stroke) && sendKey(field, "keypress", stroke)) {
    outcome = kind === "number" ? extendDraft(field, character, draft) : edit(field, character, key === "Enter" ? "insertLineBreak" : "insertText");
  }
  sendKey(field, "keyup", stroke);
  return outcome === "insert";
}

/** A number field has no value while what stands in it is half a number ("12."): it gets one when it is whole. */
function extendDraft(field, character, draft) {
  if (!sendInput(field, "beforeinput", "insertText", character)) return "prevented";
  draft.text += character;
  const value = acceptedText(field, draft.text);
  beginEdit(field);
  if (value !== "" || /^[-+]?$/.test(draft.text)) setNatively(field, "value", value);
  sendInput(field, "input", "insertText", character);
  return "insert";
}

/** What emptying a field must pass before anything is changed. @returns {Promise<boolean>} whether there is anything in it */
async function clearable(element, args) {
  requireTextField(element, "clear");
  requireEnabled(element, args.force);
  requireWritable(element);
  if (element.value === "") return false;
  await requireVisible(element);
  return true;
}

/** `clear`: empties a field. */
async function clear(element, args) {
  if (isWritableRichText(element)) return clearRichText(element, args);
  if (!(await clearable(element, args))) return NOTHING_TO_DO;
  const { scrolled, cover } = await reach(element, args.force);
  const before = element.value;
  giveFocus(element);
  if (typeof element.select === "function") attempt("select", () => element.select());
  const prevented = replaceValue(element, "", "deleteContentBackward");
  return { prevented, scrolled, cover, valueChanged: element.value !== before, after: () => rewritten(element, "") };
}
