/*
 * Fields whose own checks fail while an act runs: a browser then keeps the form from being sent, and shows a bubble that
 * is no part of the page.
 */

/** What is wrong with a field, as the browser says it; of a secret only which check failed. */
function faultOfField(field) {
  const { validity } = field;
  if (!isSecretField(field)) return clip(scrubLoose(fold(field.validationMessage)), LIMIT.TEXT_CHARS);
  const failed = [];
  for (const check in validity) if (check !== "valid" && validity[check]) failed.push(check);
  return failed.join(", ");
}

function invalidField(field) {
  return {
    ref: refs.of(field),
    role: roleOf(field),
    name: clip(scrub(nameOf(field)), LIMIT.NAME_CHARS),
    message: faultOfField(field),
  };
}

/**
 * Hear of each field that is found invalid from now on. The event does not leave a shadow root, so that is listened to
 * beside the document.
 * @param {Element} element what is acted on
 * @returns {() => object[] | undefined} stop, and tell the first of them
 */
function watchValidity(element) {
  const found = new Set();
  const hear = (event) =>
    attempt("validity", () => {
      const field = event.composedPath()[0];
      if (isElement(field) && field.validity) found.add(field);
    });
  const roots = new Set([element.ownerDocument, element.getRootNode()]);
  for (const root of roots) native.listen.call(root, "invalid", hear, { capture: true, passive: true });
  return () => {
    for (const root of roots) native.unlisten.call(root, "invalid", hear, { capture: true });
    const still = [...found].filter((field) => field.isConnected && !field.validity.valid);
    return still.length > 0 ? still.slice(0, LIMIT.CANDIDATES).map(invalidField) : undefined;
  };
}
