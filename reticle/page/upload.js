/*
 * Uploading: a file made of text is put into a file input, as if it had been chosen.
 */

/** Bytes of base64 text, or null. */
function decodeBase64(text) {
  try {
    return Uint8Array.from(window.atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

/** Read the arguments of `upload`. @returns {{name: string, parts: Array<string | Uint8Array>, type: string}} */
function readUpload(args) {
  const { name = "file.txt", content, type: mime = "text/plain", encoding = "text" } = args;
  for (const [key, value] of Object.entries({ name, content, type: mime })) {
    if (typeof value !== "string") throw badArguments(`upload needs args.${key}, a text.`);
  }
  if (name === "" || /[\\/\0]/.test(name)) {
    throw badArguments(
      `args.name is a bare file name, not ${quoted(clip(name, LIMIT.NAME_CHARS))}: a page cannot read files of the machine.`,
      "Give the name without folders and the file's text in args.content.",
    );
  }
  if (content.length > LIMIT.UPLOAD_CHARS) throw badArguments(`args.content may have ${LIMIT.UPLOAD_CHARS} characters.`);
  if (encoding !== "text" && encoding !== "base64") throw badArguments("encoding is text or base64.");
  const bytes = encoding === "base64" ? decodeBase64(content) : content;
  if (bytes === null) throw badArguments("args.content is not base64.");
  return { name, parts: [bytes], type: mime };
}

/** Whether an input's `accept` lets a file be chosen. */
function accepts(input, file) {
  const wanted = String(input.accept || "").split(",").map((part) => part.trim().toLowerCase()).filter(Boolean);
  const type = file.type.toLowerCase();
  return wanted.length === 0 || wanted.some((part) =>
    part.startsWith(".") ? file.name.toLowerCase().endsWith(part) : part.endsWith("/*") ? type.startsWith(part.slice(0, -1)) : part === type,
  );
}

/** `upload`: into a file input or its label; the input itself may be hidden, as styled ones are. */
async function upload(element, args) {
  const input = tagOf(element) === "label" && element.control ? element.control : element;
  if (tagOf(input) !== "input" || String(input.type).toLowerCase() !== "file") {
    throw wrongTarget("upload to", element, "Upload to an <input type=file> or its label; a drop zone usually has a hidden one.");
  }
  const { name, parts, type: mime } = readUpload(args);
  requireEnabled(input, args.force);
  const view = input.ownerDocument.defaultView;
  if (typeof view.DataTransfer !== "function") refuseUnsupported(input, "upload");
  const file = new view.File(parts, name, { type: mime });
  const transfer = new view.DataTransfer();
  transfer.items.add(file);
  const before = [...input.files].map((one) => `${one.name} ${one.size}`).join();
  input.files = transfer.files;
  sendInput(input, "input", undefined, null);
  sendChange(input);
  const warning = accepts(input, file) ? {} : { warning: `The input accepts ${input.accept}: a file chooser would not have offered ${name} (${mime}).` };
  return { valueChanged: before !== `${file.name} ${file.size}`, ...warning };
}
