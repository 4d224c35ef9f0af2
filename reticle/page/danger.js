/*
 * The destructive guard: what reads like something that cannot be undone needs `confirmDangerous`.
 * English words and an attribute of the app's own (`data-reticle-danger`), reticle-tools §1.3.
 */

const DANGER_WORDS = new RegExp(
  `\\b(?:${[
    "delete", "remove", "destroy", "erase", "drop", "terminate", "revoke", "reset", "logout", "log out", "sign out",
    "close account", "cancel subscription", "purchase", "buy", "pay", "payment", "place order", "confirm order",
    "deploy", "publish", "send money", "send funds", "transfer", "withdraw", "refund",
  ].join("|")})\\b`,
  "i",
);

/** Words as they would be read: `_`, `-`, `/`, `.` and camelCase apart. */
function readWords(text) {
  return fold(String(text || "").replace(/([a-z])([A-Z])/g, "$1 $2").replace(/[_\-/.?&=+%]+/g, " "));
}

/** The submit button that Enter or a submit without a button would use. */
function defaultButton(form) {
  const buttons = form ? [...form.elements].filter(isSubmitButton) : [];
  return buttons.find((button) => !button.disabled) || null;
}

function isSubmitButton(element) {
  const type = String(element.type || "").toLowerCase();
  return (tagOf(element) === "button" && type === "submit") || (tagOf(element) === "input" && /^(submit|image)$/.test(type));
}

/** Everything that says what acting on an element will do; a form's text is not part of it. */
function dangerTexts(element, submits) {
  const texts = [nameOf(element), element.getAttribute("title"), element.getAttribute("href")];
  if (!isField(element)) texts.push(clip(fold(element.textContent), 400));
  else if (/^(submit|button|reset|image)$/i.test(element.type || "")) texts.push(element.value);
  const form = submits && (tagOf(element) === "form" ? element : element.form || element.closest("form"));
  if (!form) return texts;
  texts.push(form.getAttribute("action"), form.getAttribute("data-method"));
  const method = form.querySelector('input[type=hidden][name="_method"]');
  if (method) texts.push(method.value);
  const submitter = isSubmitButton(element) ? element : defaultButton(form);
  if (submitter) texts.push(nameOf(submitter), submitter.value, submitter.getAttribute("formaction"));
  return texts;
}

/**
 * Refuse a dangerous act that was not confirmed.
 * @param {Element} element
 * @param {object} args the action's arguments
 * @param {boolean} submits whether the act may send the element's form
 * @param {RegExp} [harmless] words that mean nothing bad here
 */
function guardDanger(element, args, submits, harmless = /(?!)/g) {
  if (args.confirmDangerous === true) return;
  const marked = composedClosest(element, (node) => node.hasAttribute("data-reticle-danger"));
  const found = dangerTexts(element, submits)
    .map((text) => DANGER_WORDS.exec(readWords(text).replace(harmless, "")))
    .find(Boolean);
  if (!marked && !found) return;
  const why = found ? `it says ${quoted(found[0])}` : "the app marked it as dangerous";
  throw new Refused(
    REFUSAL.CONFIRM_DANGEROUS,
    `Acting on ${spoken(element)} may be destructive: ${why}. Nothing was done.`,
    "If that is intended, call again with args.confirmDangerous: true.",
  );
}
