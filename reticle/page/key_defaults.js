/*
 * What a browser does by itself with a key in a control that keeps a choice or a number; where it differs between systems
 * or needs the clipboard, that is said.
 */

/** Chords that reach for what no script may touch. */
const CLIPBOARD_CHORDS = { c: "copied", x: "cut", v: "pasted" };

/** Said where a chord is the clipboard's: a script can neither read nor fill it as a person's keys do. */
function clipboardWarning({ key, flags }, outcome) {
  const done = CLIPBOARD_CHORDS[key.toLowerCase()];
  if (outcome !== "not_emulated" || !done || !(flags.ctrlKey || flags.metaKey) || flags.altKey) return {};
  return { warning: `Nothing was ${done}: a script has no clipboard; that needs real keys (trusted: true in a browser that the daemon drives).` };
}

function isSelectAll({ key, flags }) {
  return /^a$/i.test(key) && (flags.ctrlKey || flags.metaKey) && !flags.altKey;
}

/** Select all, which a chord does in every browser. */
function selectAll(element) {
  if (isWritableRichText(element)) return element.ownerDocument.execCommand("selectAll") ? "select" : "not_emulated";
  if (!/^(input|textarea)$/.test(tagOf(element)) || typeof element.select !== "function") return "not_emulated";
  element.select();
  return "select";
}

/** Arrows in a list that is closed or shows one choice, in a group of radio buttons, on a slider, in a number. */
function choiceDefault(element, tag, type, key) {
  const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[key];
  if (tag === "select" && !element.multiple) return moveChoice(element, key, by);
  if (tag !== "input" || by === undefined) return null;
  if (type === "radio") return moveRadio(element, by);
  const steps = type === "range" || (type === "number" && /^Arrow(Up|Down)$/.test(key));
  return steps ? step(element, /^Arrow(Up|Right)$/.test(key) ? 1 : -1) : null;
}

/** The option before or after; browsers pass over those that are disabled and stop at the ends. */
function moveChoice(select, key, by) {
  const options = [...select.options].filter((option) => !isDisabled(option) && option.getClientRects !== undefined && !option.hidden);
  const at = options.findIndex((option) => option.selected);
  const next = { Home: 0, End: options.length - 1 }[key] ?? (by === undefined ? undefined : at + by);
  if (next === undefined) return null;
  if (!options[next] || next === at) return "none";
  choose(select, [options[next]]);
  return "select";
}

/** The next radio button of a group gets the focus and is clicked; the last is followed by the first. */
function moveRadio(radio, by) {
  const isMate = (one) => one.name === radio.name && one.form === radio.form && !isDisabled(one);
  const group = radio.name ? [...radio.getRootNode().querySelectorAll("input[type=radio]")].filter(isMate) : [radio];
  if (group.length < 2) return "none";
  const next = group[(group.indexOf(radio) + by + group.length) % group.length];
  giveFocus(next);
  causes.strike();
  next.click();
  return "select";
}

/** Keys that move the caret in a field of text; a line's ends are those of the text around the caret. */
function moveCaret(field, key) {
  const { value, selectionStart: start, selectionEnd: end } = field;
  if (start === null || start === undefined) return "not_emulated";
  const lineEnd = value.indexOf("\n", end);
  const to = {
    ArrowLeft: start === end ? Math.max(0, start - 1) : start,
    ArrowRight: start === end ? Math.min(value.length, end + 1) : end,
    Home: value.lastIndexOf("\n", start - 1) + 1,
    End: lineEnd < 0 ? value.length : lineEnd,
  }[key];
  if (to === undefined) return "not_emulated";
  field.setSelectionRange(to, to);
  return "caret";
}

/** One step up or down, as far as `min` and `max` let it. */
function step(field, by) {
  if (field.step.toLowerCase() === "any" && field.type === "range") return "not_emulated";
  if (isReadOnly(field)) return "none";
  const before = field.value;
  attempt("step", () => (by > 0 ? field.stepUp() : field.stepDown()));
  if (field.value === before) return "none";
  sendInput(field, "input", undefined, null);
  sendChange(field);
  return "step";
}
