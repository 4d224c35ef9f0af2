/*
 * Request and response bodies as text: bounded, redacted, and read without the app noticing.
 */

/** Content types that are read; streams are not. */
const TEXT_TYPE = /^(?:text\/(?!event-stream)|application\/(?:[\w.+-]+\+)?(?:json|xml)\b|application\/x-www-form-urlencoded)/i;
const STREAM_TYPE = /^(?:text\/event-stream|application\/(?:x-)?(?:ndjson|jsonlines|grpc)|multipart\/)/i;

/** Whether a body of this type is captured. */
function isReadableType(contentType) {
  return TEXT_TYPE.test(contentType || "") && !STREAM_TYPE.test(contentType || "");
}

/** A body's text without credentials. JSON is judged by its keys, anything else by patterns. */
function redactBody(text) {
  if (text.length <= LIMIT.BODY_PARSE_CHARS && /^\s*[[{]/.test(text)) {
    let value;
    try {
      value = native.parse(text);
    } catch {
      return scrubLoose(text.slice(0, 8 * LIMIT.BODY_CHARS));
    }
    const clean = plain(value, { depth: 40, items: 10000, nodes: 50000, chars: LIMIT.BODY_PARSE_CHARS });
    const redacted = native.stringify(clean);
    return redacted === native.stringify(value) ? text : redacted;
  }
  // of a text too long to parse only the part that can be kept is looked at, with room for what goes out of it
  return scrubLoose(redactForm(text.slice(0, 8 * LIMIT.BODY_CHARS)));
}

/** `application/x-www-form-urlencoded` texts by their keys. */
function redactForm(text) {
  return /^[\w.%+*[\]-]+=/.test(text) && !/[\s{<]/.test(text) ? redactParameters(text) : text;
}

/** @returns {{text: string, truncated: boolean}} */
function boundBody(text) {
  const clean = wellFormed(redactBody(text));
  const kept = clean.slice(0, LIMIT.BODY_CHARS);
  return { text: kept, truncated: clean.length > kept.length || text.length > 8 * LIMIT.BODY_CHARS };
}

/** What a request sends, as far as it is at hand without reading a stream. */
function requestBodyText(body) {
  if (body === undefined || body === null) return undefined;
  if (typeof body === "string") return boundBody(body).text;
  const kind = kindOf(body);
  if (kind === "URLSearchParams") return boundBody(redactParameters(body.toString())).text;
  if (kind === "FormData") return boundBody(formText(body)).text;
  if (kind === "Blob" || kind === "File") return `[${kind} ${body.size} bytes]`;
  if (typeof body.byteLength === "number") return `[binary ${body.byteLength} bytes]`;
  if (kind === "Document" || kind === "XMLDocument" || kind === "HTMLDocument") return "[Document]";
  return kind === "ReadableStream" ? "[stream]" : boundBody(String(body)).text;
}

/** Form fields as JSON text; a name that stands twice becomes a list, a file its name and size. */
function formText(form) {
  const fields = {};
  for (const [name, value] of form.entries()) {
    const shown = typeof value === "string" ? value : `[File ${value.name} ${value.size} bytes]`;
    if (Object.hasOwn(fields, name)) fields[name] = [].concat(fields[name], shown);
    else fields[name] = shown;
  }
  return native.stringify(fields);
}

/** What a form would send, gathered without the `formdata` event that `new FormData(form)` fires at the app. */
function formElementsText(form, submitter) {
  const fields = {};
  for (const field of form.elements) {
    const type = String(field.type || "").toLowerCase();
    const off = (type === "checkbox" || type === "radio") && !field.checked;
    const otherButton = /^(submit|button|reset|image)$/.test(type) && field !== submitter;
    if (!field.name || off || otherButton || field.matches(":disabled") || tagOf(field) === "fieldset") continue;
    const value = formValue(field, type);
    if (Object.hasOwn(fields, field.name)) fields[field.name] = [].concat(fields[field.name], value);
    else fields[field.name] = value;
  }
  return boundBody(native.stringify(fields)).text;
}

function formValue(field, type) {
  if (type === "file") return [...field.files].map((file) => `[File ${file.name} ${file.size} bytes]`).join(", ");
  return isField(field) ? valueOf(field) : field.value;
}

/** The browser's own, so that our reading is not taken for the app's. */
const readerOf = window.ReadableStream && window.ReadableStream.prototype.getReader;

/** Stands for what should have come of a body, after it broke off, or after the app wanted no more of it. */
const BROKEN = Object.freeze({ broken: true });
const ABORTED = Object.freeze({ aborted: true });

/**
 * The first part of a cloned response's text. Never holds the app's own copy: after the cap or the wait the clone
 * is cancelled.
 * @param {Response} copy
 * @param {number} [waitMs] how long it may take; a body that has an end is waited for, or how it ends would be missed
 * @returns {Promise<{text: string, truncated: boolean, broken?: true, aborted?: true} | undefined>}
 */
async function readResponse(copy, waitMs = LIMIT.BODY_WAIT_MS) {
  if (!copy.body || typeof copy.body.getReader !== "function") return readWhole(copy);
  const reader = readerOf ? readerOf.call(copy.body) : copy.body.getReader();
  const decoder = new TextDecoder();
  const deadline = native.now() + waitMs;
  let text = "";
  for (;;) {
    const chunk = await inTime(reader.read().catch(endOfBody), deadline - native.now());
    if (chunk === BROKEN || chunk === ABORTED) return { text: boundBody(text).text, truncated: true, ...chunk };
    if (!chunk) {
      reader.cancel().catch(() => undefined);
      return { text: boundBody(text).text, truncated: true };
    }
    if (chunk.done) return boundBody(text + decoder.decode());
    text += decoder.decode(chunk.value, { stream: true });
    if (text.length > LIMIT.BODY_PARSE_CHARS) {
      reader.cancel().catch(() => undefined);
      return { text: boundBody(text).text, truncated: true };
    }
  }
}

function endOfBody(error) {
  return error && error.name === "AbortError" ? ABORTED : BROKEN;
}

async function readWhole(copy) {
  if (typeof copy.text !== "function") return undefined;
  const text = await inTime(copy.text(), LIMIT.BODY_WAIT_MS);
  return typeof text === "string" ? boundBody(text) : undefined;
}

/** A promise's value, or undefined when it takes longer or fails. */
function inTime(promise, waitMs) {
  return new native.Promise((resolve) => {
    if (waitMs !== Infinity) native.setTimeout(() => resolve(undefined), Math.max(0, waitMs));
    promise.then(resolve, () => resolve(undefined));
  });
}
