/*
 * What a person had written when an act began, and a write that failed had sent: told where it is in no field and nowhere
 * else in the document any more. The text itself is not told.
 */

const WORDS = Object.freeze({
  /** Fields that are looked through when an act begins. */
  FIELDS: 100,
  /** Characters of a sentence that somebody would mind writing again. */
  CHARS: 20,
  /** Fields that are told. */
  TOLD: 5,
});

const lostWords = (() => {
  /** Fields with words in them, as the last act began. @type {Array<{field: Element, text: string}>} */
  let written = [];
  /** Of these what failed writes had sent. @type {Array<{field: Element, text: string, request: string}>} */
  let failed = [];

  /** Words that somebody would have to write again: a sentence, and no credential. */
  function isWorthKeeping(field) {
    const text = String(field.value).trim();
    return text.length >= WORDS.CHARS && /\s/.test(text) && !isSecretField(field);
  }

  function begin() {
    failed = [];
    written = [...document.querySelectorAll("textarea, input")]
      .slice(0, WORDS.FIELDS)
      .filter(isWorthKeeping)
      .map((field) => ({ field, text: String(field.value).trim() }));
  }

  /** Whether a body, as it is told, has a text in it. */
  function isSent(body, text) {
    if (body.includes(native.stringify(text).slice(1, -1))) return true;
    return !/^[[{]/.test(body) && [...new URLSearchParams(body).values()].some((value) => value.includes(text));
  }

  /** A write ended; one that succeeded keeps what another of the same words failed to. */
  function ended(request, { ok, aborted, requestBody }) {
    if (written.length === 0 || typeof requestBody !== "string" || /^(?:GET|HEAD|OPTIONS)$/.test(request.method)) return;
    const sent = written.filter(({ text }) => isSent(requestBody, text));
    if (ok === false && !aborted) failed.push(...sent.map((one) => ({ ...one, request: request.id })));
    if (ok !== true) return;
    written = written.filter((one) => !sent.includes(one));
    failed = failed.filter((one) => !sent.some(({ text }) => text === one.text));
  }

  /** The words of a text: an app may show them with or without the marks that they were written with. */
  const wordsOf = (text) => ` ${fold(String(text).replace(/[^\p{L}\p{M}\p{N}]+/gu, " "))} `;

  /** Whether a text still stands somewhere, in another field too, or inside a component or a frame. */
  function isThere(text) {
    const words = wordsOf(text);
    const says = (told) => wordsOf(told).includes(words);
    if (says(document.body.textContent) || says(searchedText(document.body))) return true;
    for (const element of elementsIn(document)) {
      const frame = isFrame(element) && frameDocument(element);
      if (isField(element) ? says(element.value ?? "") : frame && says(frame.documentElement.textContent)) return true;
    }
    return false;
  }

  /** The fields that are empty now, each with the request that had sent its words, as `pending` has them. */
  function tell() {
    const emptied = failed
      .filter(({ field, text }) => field.isConnected && field.value === "" && !isThere(text))
      .slice(0, WORDS.TOLD)
      .map(({ field, request }) => ({ request, field: spoken(field) }));
    return emptied.length > 0 ? { emptied } : {};
  }

  return { begin, ended, tell };
})();
