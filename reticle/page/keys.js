/*
 * Pressing a key: the exact key, code and modifiers, and what the platform would do with it.
 */

/** Key name → [code, legacy keyCode]. */
const NAMED_KEYS = {
  Enter: ["Enter", 13], Tab: ["Tab", 9], Escape: ["Escape", 27], Backspace: ["Backspace", 8], Delete: ["Delete", 46],
  ArrowUp: ["ArrowUp", 38], ArrowDown: ["ArrowDown", 40], ArrowLeft: ["ArrowLeft", 37], ArrowRight: ["ArrowRight", 39],
  Home: ["Home", 36], End: ["End", 35], PageUp: ["PageUp", 33], PageDown: ["PageDown", 34], Insert: ["Insert", 45],
  " ": ["Space", 32],
};
for (let number = 1; number <= 12; number += 1) NAMED_KEYS[`F${number}`] = [`F${number}`, 111 + number];
const KEY_ALIASES = { Space: " ", Spacebar: " ", Esc: "Escape", Return: "Enter", Up: "ArrowUp", Down: "ArrowDown", Left: "ArrowLeft", Right: "ArrowRight", Del: "Delete" };
const PUNCTUATION = {
  "-": "Minus", "=": "Equal", "[": "BracketLeft", "]": "BracketRight", "\\": "Backslash", ";": "Semicolon",
  "'": "Quote", "`": "Backquote", ",": "Comma", ".": "Period", "/": "Slash",
};

const PUNCTUATION_CODES = {
  Minus: 189, Equal: 187, BracketLeft: 219, BracketRight: 221, Backslash: 220, Semicolon: 186, Quote: 222,
  Backquote: 192, Comma: 188, Period: 190, Slash: 191,
};
/** What Shift makes of the keys that are no letters, on the common layout. */
const SHIFTED = {
  "!": "1", "@": "2", "#": "3", $: "4", "%": "5", "^": "6", "&": "7", "*": "8", "(": "9", ")": "0", _: "-", "+": "=",
  "{": "[", "}": "]", "|": "\\", ":": ";", '"': "'", "~": "`", "<": ",", ">": ".", "?": "/",
};

/** The physical key that gives a character on the common layout: [code, legacy keyCode]; empty when there is none. */
function codeOf(character) {
  const plainKey = SHIFTED[character] || character;
  if (/^[a-z]$/i.test(plainKey)) return [`Key${plainKey.toUpperCase()}`, plainKey.toUpperCase().charCodeAt(0)];
  if (/^\d$/.test(plainKey)) return [`Digit${plainKey}`, plainKey.charCodeAt(0)];
  const code = PUNCTUATION[plainKey] || "";
  return [code, PUNCTUATION_CODES[code] || 0];
}

/**
 * Read `Enter`, `Control+K`, `+`, `é`.
 * @returns {{key: string, code: string, keyCode: number, flags: object}}
 */
function parseKey(args) {
  const written = args.text ?? args.key;
  if (typeof written !== "string" || written === "") throw badArguments("press needs args.key, such as Enter or Control+K.");
  const parts = written.length > 1 ? written.split(/\+(?=.)/) : [written];
  const modifiers = parts.slice(0, -1).map((name) => (name === "Ctrl" ? "Control" : name === "Cmd" ? "Meta" : name));
  const last = parts[parts.length - 1];
  const named = KEY_ALIASES[last] || last;
  const flags = modifierFlags([...modifiers, ...modifierNames(args.modifiers)]);
  // a letter with Shift is the capital one, but not where Meta is held
  const key = flags.shiftKey && !flags.metaKey && /^[a-z]$/.test(named) ? named.toUpperCase() : named;
  const known = Object.hasOwn(NAMED_KEYS, key);
  if (!known && [...key].length !== 1) {
    throw badArguments(`There is no key ${quoted(clip(written, 40))}.`, "Use a key name such as Enter, ArrowDown, F2, or one character; fill types whole texts.");
  }
  const [code, keyCode] = known ? NAMED_KEYS[key] : codeOf(key);
  return { key, code, keyCode, flags };
}

function sendKey(target, type, stroke) {
  const view = target.ownerDocument.defaultView;
  // a keypress carries the character's number, the other two that of the key
  const charCode = type === "keypress" ? (stroke.key === "Enter" ? 13 : stroke.key.codePointAt(0)) : 0;
  const event = new view.KeyboardEvent(type, {
    key: stroke.key,
    code: stroke.code,
    keyCode: charCode || stroke.keyCode,
    which: charCode || stroke.keyCode,
    charCode,
    bubbles: true,
    cancelable: true,
    composed: true,
    view,
    ...stroke.flags,
  });
  causes.strike();
  return target.dispatchEvent(event);
}

/** What a key stroke must pass; then the element has the focus, if it can. @returns {Promise<object>} the key */
async function keyable(element, args) {
  const stroke = parseKey(args);
  requireEnabled(element);
  await requireVisible(element);
  if (stroke.key === "Enter" || stroke.key === " ") guardKey(element, args, stroke.key);
  if (isFocusable(element)) giveFocus(element);
  return stroke;
}

/** `press`: keydown, the platform's own answer unless prevented, keyup. */
async function press(element, args) {
  const stroke = await keyable(element, args);
  const before = isField(element) ? element.value : "";
  const chord = stroke.flags.ctrlKey || stroke.flags.metaKey || stroke.flags.altKey;
  let prevented = !sendKey(element, "keydown", stroke);
  await microtasks();
  const types = stroke.key === "Enter" || ([...stroke.key].length === 1 && !chord);
  if (!prevented && types) prevented = !sendKey(element, "keypress", stroke);
  const defaultAction = prevented ? "prevented" : keyDefault(deepActiveElement() || element, stroke, chord);
  await microtasks();
  const receiver = deepActiveElement() || (element.isConnected ? element : document.body);
  sendKey(receiver, "keyup", stroke);
  const valueChanged = isField(element) && element.value !== before;
  return { prevented, scrolled: false, defaultAction, valueChanged, ...clipboardWarning(stroke, defaultAction) };
}

/** Enter submits from a one-line field and, like the space bar, presses a button; elsewhere it writes. */
function guardKey(element, args, key) {
  const button = isSubmitButton(element);
  const submits = button || (key === "Enter" && tagOf(element) === "input");
  if (submits || !isField(element)) guardDanger(element, args, submits);
}

/** What the platform does with a key; `not_emulated` where a real keyboard would do more than we do. */
function keyDefault(element, stroke, chord) {
  if (stroke.key === "Tab" && !chord) return moveFocus(element, stroke.flags.shiftKey ? -1 : 1);
  if (chord) return isSelectAll(stroke) ? selectAll(element) : "not_emulated";
  const tag = tagOf(element);
  const type = String(element.type || "").toLowerCase();
  const kept = isWritableRichText(element) ? richDefault(editableHost(element), stroke) : choiceDefault(element, tag, type, stroke.key);
  if (kept) return kept;
  const button = ["button", "summary"].includes(tag) || (tag === "input" && type in BUTTON_INPUTS);
  if (stroke.key === "Enter") return enterDefault(element, tag, button);
  if (stroke.key === " " && (button || type === "checkbox" || type === "radio")) return clickByKey(element);
  if (stroke.key === "Escape") return closeTop(element);
  // a date, a colour, a slider answer keys in parts of their own; so do editors that keep a document
  const typable = TYPABLE.has(tag === "textarea" ? tag : type);
  if (editableHost(element) || tag === "select" || (tag === "input" && !typable && !NOT_FILLABLE.has(type))) return "not_emulated";
  const editable = (tag === "textarea" || (tag === "input" && typable)) && !isReadOnly(element);
  if (editable && stroke.key === "Backspace") return edit(element, "", "deleteContentBackward");
  if (editable && stroke.key === "Delete") return edit(element, "", "deleteContentForward");
  if ([...stroke.key].length === 1) return editable ? edit(element, stroke.key, "insertText") : "none";
  return typable && !stroke.flags.shiftKey ? moveCaret(element, stroke.key) : "not_emulated";
}

function clickByKey(element) {
  let sent = null;
  const see = (event) => {
    sent = event;
  };
  native.listen.call(element, "click", see, { capture: true, once: true });
  causes.strike();
  element.click();
  native.unlisten.call(element, "click", see, { capture: true });
  if (sent && !sent.defaultPrevented) noteOpeningLink(element);
  return "click";
}

function enterDefault(element, tag, button) {
  if (editableHost(element)) return "not_emulated";
  if (button || (tag === "a" && element.hasAttribute("href"))) return clickByKey(element);
  if (tag === "textarea") return isReadOnly(element) ? "none" : edit(element, "\n", "insertLineBreak");
  if (tag !== "input") return "none";
  announceEdit(element);
  if (!element.form) return "none";
  const submitter = [...element.form.elements].find(isSubmitButton);
  if (submitter) {
    if (submitter.matches(":disabled")) return "none";
    return isHeard(element.form, "submit", () => submitter.click()) ? "submit" : "click";
  }
  const blocking = [...element.form.elements].filter(
    (field) => tagOf(field) === "input" && !NOT_FILLABLE.has(String(field.type).toLowerCase()),
  );
  if (blocking.length > 1) return "none";
  return isHeard(element.form, "submit", () => element.form.requestSubmit()) ? "submit" : "none";
}

/** Insert or delete at the caret. Fields without a caret (email, number) take it at their end. */
function edit(field, text, inputType) {
  const length = field.value.length;
  const start = field.selectionStart ?? length;
  const end = field.selectionEnd ?? length;
  let from = start;
  let to = end;
  if (start === end && inputType === "deleteContentBackward") from = Math.max(0, start - 1);
  if (start === end && inputType === "deleteContentForward") to = Math.min(length, end + 1);
  const value = field.value.slice(0, from) + text + field.value.slice(to);
  if (field.maxLength >= 0 && value.length > field.maxLength && text) return "none";
  // half a number ("12.") is no value yet: setting it would empty the field
  if (value !== "" && acceptedText(field, value) === "") return "not_emulated";
  if (!sendInput(field, "beforeinput", inputType, text || null)) return "prevented";
  beginEdit(field);
  setNatively(field, "value", value);
  if (field.selectionStart !== null && field.selectionStart !== undefined) {
    attempt("caret", () => field.setSelectionRange(from + text.length, from + text.length));
  }
  sendInput(field, "input", inputType, text || null);
  return "insert";
}

/** Move focus in tab order, as far as the page's own elements go. */
function moveFocus(from, step) {
  const root = openModal() || document.body;
  const stops = [...elementsIn(root)].filter((node) => node.tabIndex >= 0 && isFocusable(node) && isVisible(node) && !isPassedOver(node, from));
  const order = [...stops.filter((node) => node.tabIndex > 0).sort((a, b) => a.tabIndex - b.tabIndex), ...stops.filter((node) => node.tabIndex === 0)];
  if (order.length === 0) return "none";
  const at = order.indexOf(from);
  const next = at < 0 ? (step > 0 ? 0 : order.length - 1) : (at + step + order.length) % order.length;
  giveFocus(order[next]);
  return "focus";
}

/** Of radio buttons that belong together Tab stops only at the chosen one. */
function isPassedOver(node, from) {
  if (node === from || tagOf(node) !== "input" || node.type !== "radio" || node.checked || !node.name) return false;
  const group = node.getRootNode().querySelectorAll("input[type=radio]");
  return [...group].some((other) => other.name === node.name && other.form === node.form && (other.checked || other === from));
}

/** The innermost popover that Escape closes, or null. */
function openPopover() {
  const open = [...elementsIn(document)].filter((node) => /^(|auto|hint)$/.test(node.getAttribute("popover") ?? "manual"));
  return open.filter((node) => attempt("popover", () => node.matches(":popover-open"), false)).pop() || null;
}

/** Escape closes the popover on top, else the modal dialog unless the app prevents `cancel`. */
function closeTop(element) {
  causes.strike();
  const popover = openPopover();
  if (popover) {
    popover.hidePopover();
    return "close";
  }
  const dialog = composedClosest(element, isModalDialog);
  if (!dialog) return "none";
  const view = dialog.ownerDocument.defaultView;
  if (!dialog.dispatchEvent(new view.Event("cancel", { cancelable: true }))) return "prevented";
  // Chromium empties the return value then; the standard leaves it
  dialog.close(...(view.navigator.userAgentData ? [""] : []));
  return "close";
}
