/*
 * Text: one folding for names, queries and predicates, so that what is shown can be found.
 */

/** Characters that take no room: zero-width (non-)joiners and spaces, soft hyphen, byte order mark, direction marks. */
const ZERO_WIDTH = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/g;

/** White space folded to single blanks (NBSP too), zero-width characters removed, canonical Unicode form. */
function fold(text) {
  return String(text ?? "")
    .replace(ZERO_WIDTH, "")
    .normalize("NFC")
    .replace(/\s+/g, " ")
    .trim();
}

/** Folded and without case, for substring locators. */
function foldCase(text) {
  return fold(text).toLowerCase();
}

/** Whether a text has a part in it. */
function hasText(text, part) {
  return part !== "" && text.includes(part);
}

/** As `hasText`, with numbers at the ends of the part as they are: "Order 1" is no part of "Order 12". */
function hasPart(text, part) {
  if (!hasText(text, part)) return false;
  const [first, last] = [/^\p{Nd}/u.test(part), /\p{Nd}$/u.test(part)];
  if (!first && !last) return true;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    const before = first && /\p{Nd}$/u.test(text.slice(Math.max(at - 2, 0), at));
    const after = last && /^\p{Nd}/u.test(text.slice(at + part.length, at + part.length + 2));
    if (!before && !after) return true;
  }
  return false;
}

/** Lone surrogates cannot be sent as UTF-8; they become U+FFFD (as String.prototype.toWellFormed). */
function wellFormed(text) {
  if (typeof text.toWellFormed === "function") return text.toWellFormed();
  return text.replace(/[\uD800-\uDBFF][\uDC00-\uDFFF]|[\uD800-\uDFFF]/g, (part) =>
    part.length === 2 ? part : "\uFFFD",
  );
}

/** Cut to `limit` characters, the last one an ellipsis; never between the halves of a surrogate pair. */
function clip(text, limit) {
  if (text.length <= limit) return text;
  let end = limit - 1;
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) end -= 1;
  return `${text.slice(0, end)}…`;
}

/** What could end a line of the tree, or act on a terminal. */
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

/** A name or text in double quotes for the snapshot tree: on one line, so that no text of a page can pass for a line. */
function quoted(text) {
  const escaped = text.replace(/\\/g, "\\\\").replace(/"/g, '\\"');
  return `"${escaped.replace(CONTROLS, (one) => (one === "\n" ? "\\n" : `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`))}"`;
}
