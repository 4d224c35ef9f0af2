/*
 * Writing into editable content as an editor can take it: key strokes and `beforeinput` that it may answer itself, else the
 * browser's own editing command, which tells by `input` and by the change of the document. What then stands there is compared.
 */

/** Whether the browser edits in place when a script asks it to. */
function isWritableRichText(element) {
  return isRichText(element) && typeof element.ownerDocument.execCommand === "function" && hasLayout();
}

/** What stands in an editor, lines apart. */
function richTextOf(host) {
  return String(host.innerText ?? host.textContent).replace(/[\u200b\ufeff]/g, "").replace(/\u00a0/g, " ");
}

/** Texts that read alike: editors differ in how they part lines. */
function readsAs(text) {
  return text.replace(/\s*\n\s*/g, "\n").trim();
}

/** What writing into editable content must pass; then it has the focus. */
async function enterRichText(element, args, text) {
  if (typeof text !== "string") throw badArguments("The text must be a string.");
  requireEnabled(element, args.force);
  requireWritable(element);
  await requireVisible(element);
  const reached = await reach(element, args.force);
  const host = editableHost(element);
  giveFocus(host);
  return { host, reached };
}

/** Put the selection of an editor's document: all of the element, or the end of it. Editors hear of it a task later. */
async function selectIn(element, toEnd) {
  const owner = element.ownerDocument;
  const range = owner.createRange();
  let last = element;
  // the end of what is written last, not behind the paragraph that it stands in
  while (toEnd && last.lastChild && (isElement(last.lastChild) ? tagOf(last.lastChild) !== "br" : last.lastChild.nodeType === 3)) last = last.lastChild;
  range.selectNodeContents(last);
  if (toEnd) range.collapse(false);
  const selection = owner.getSelection();
  selection.removeAllRanges();
  selection.addRange(range);
  await beat();
  await nextFrame();
}

/** One edit: the editor's own where it takes it, else the browser's. */
function editInPlace(host, inputType, text) {
  if (!sendInput(host, "beforeinput", inputType, text)) return;
  const commands = { insertText: "insertText", insertParagraph: "insertParagraph", insertLineBreak: "insertLineBreak", deleteContentBackward: "delete", deleteContentForward: "forwardDelete" };
  causes.strike();
  host.ownerDocument.execCommand(commands[inputType], false, text ?? undefined);
}

/** A key that an editor may answer itself, with the edit that it makes otherwise. */
async function strikeInPlace(host, key, inputType, text) {
  const [code, keyCode] = Object.hasOwn(NAMED_KEYS, key) ? NAMED_KEYS[key] : codeOf(key);
  const shiftKey = key.length === 1 && key !== key.toLowerCase();
  const stroke = { key, code, keyCode, flags: { altKey: false, ctrlKey: false, metaKey: false, shiftKey } };
  const writes = text !== null || key === "Enter";
  if (sendKey(host, "keydown", stroke) && (!writes || sendKey(host, "keypress", stroke))) editInPlace(host, inputType, text);
  sendKey(host, "keyup", stroke);
  await microtasks();
}

/** What a key writes into editable content that no editor answers for; null for a key that writes nothing. */
function richDefault(host, { key, flags }) {
  const edits = { Enter: flags.shiftKey ? "insertLineBreak" : "insertParagraph", Backspace: "deleteContentBackward", Delete: "deleteContentForward" };
  const writes = [...key].length === 1;
  if (!writes && !Object.hasOwn(edits, key)) return null;
  editInPlace(host, writes ? "insertText" : edits[key], writes ? key : null);
  return "insert";
}

/** As `rewritten`, of an editor. */
function rewrittenRichText(host, wanted) {
  const [now, meant] = [richTextOf(host), wanted].map(readsAs);
  return !host.isConnected || now === meant ? {} : notAsWritten(host, now, meant);
}

/** @returns {object} the end of a report about editable content */
function richOutcome({ host, reached }, before, meant) {
  const after = () => ({ effect: { valueChanged: richTextOf(host) !== before }, ...rewrittenRichText(host, meant) });
  return { scrolled: reached.scrolled, cover: reached.cover, alreadyAtValue: readsAs(before) === readsAs(meant), after };
}

/** `fill`: all of it is replaced, a line at a time. */
async function fillRichText(element, args) {
  if (typeof args.value !== "string") throw badArguments("fill needs args.value, a text (empty to clear).");
  const entered = await enterRichText(element, args, args.value);
  const { host } = entered;
  const before = richTextOf(host);
  await selectIn(host, false);
  if (args.value === "") await strikeInPlace(host, "Backspace", "deleteContentBackward", null);
  for (const [index, line] of args.value.split(/\r\n?|\n/).entries()) {
    if (index > 0) await strikeInPlace(host, "Enter", "insertParagraph", null);
    if (line !== "") editInPlace(host, "insertText", line);
    await microtasks();
  }
  return richOutcome(entered, before, args.value);
}

/** `type`: adds at the end, one key stroke for each character. */
async function typeRichText(element, args) {
  if (typeof args.text !== "string" || args.text === "") throw badArguments("type needs args.text, a text; clear empties a field.");
  if (args.text.length > LIMIT.TYPED_CHARS) {
    throw badArguments(`args.text has ${args.text.length} characters; type takes at most ${LIMIT.TYPED_CHARS}.`, "Use fill for long texts.");
  }
  const entered = await enterRichText(element, args, args.text);
  const { host } = entered;
  const before = richTextOf(host);
  await selectIn(host, true);
  for (const character of args.text.replace(/\r\n?/g, "\n")) {
    if (character === "\n") await strikeInPlace(host, "Enter", "insertParagraph", null);
    else await strikeInPlace(host, character, "insertText", character);
  }
  return { ...richOutcome(entered, before, before.replace(/\n$/, "") + args.text), alreadyAtValue: false };
}

/** `clear`: all of it is selected and deleted. */
async function clearRichText(element, args) {
  const host = editableHost(element);
  const before = richTextOf(host);
  if (before.trim() === "") {
    requireEnabled(element, args.force);
    return NOTHING_TO_DO;
  }
  const entered = await enterRichText(element, args, "");
  await selectIn(host, false);
  await strikeInPlace(host, "Backspace", "deleteContentBackward", null);
  return { ...richOutcome(entered, before, ""), alreadyAtValue: false };
}
