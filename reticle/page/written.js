/*
 * Whether a field still holds what was written into it: a mask, a limit and an app that refuses are told of, not passed over.
 */

/** What a report may show of a text that was meant for a field, or stands in it. */
function asShown(text) {
  return quoted(clip(scrub(text), LIMIT.NAME_CHARS));
}

/** Said when something else stands in a field, or an editor, than was written. */
function notAsWritten(element, now, meant) {
  if (isSecretField(element)) return { warning: "It does not hold what was written: the app or a limit of the field made something else of it." };
  return { warning: `It says ${asShown(now)} instead of ${asShown(meant)}: the app or a limit of the field made that of it.` };
}

/**
 * Asked when the page has settled.
 * @param {Element} field
 * @param {string} wanted the whole text that should stand in it
 * @returns {{warning?: string}}
 */
function rewritten(field, wanted) {
  const meant = acceptedText(field, wanted.replace(/\r\n?/g, "\n"));
  return !field.isConnected || field.value === meant ? {} : notAsWritten(field, field.value, meant);
}
