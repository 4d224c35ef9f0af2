/*
 * What must not leave the page: by key name, by shape, by field, in URLs (reticle-tools §4.5).
 * Look-alikes (colorToken, tokenCount, cookieConsent, signatureVersion, className, secretary) stay readable.
 */

/** Secret wherever they stand in a key, also inside a run of lower-case letters. */
const SECRET_STEMS =
  /passw(?:or)?d|passcode|passphrase|apikey|accesskey|privatekey|secretkey|clientsecret|creditcard|cardnumber|sessionid|sessid|csrfmiddlewaretoken|(?:access|refresh|auth|bearer|session|csrf|xsrf)token/;
/** Secret as a word of a key. */
const SECRET_WORDS = new Set(["secret", "secrets", "pwd", "jwt", "cvv", "cvc", "ssn", "sid"]);
/** Secret as the last word of a key. */
const SECRET_LAST = new Set([
  "authorization", "cookie", "cookies", "signature", "sig", "credential", "credentials", "token", "tokens",
]);
/** What may stand before "token(s)" without making it a secret: design, paging, counting. */
const PLAIN_TOKENS = new Set([
  "color", "colour", "background", "design", "theme", "css", "style", "font", "spacing", "shadow", "syntax", "lexer", "parse",
  "page", "next", "previous", "cursor", "continuation", "max", "min", "total", "num", "used", "input", "output",
  "prompt", "completion", "cached", "cancel", "cancellation",
]);

/** The words of a key: camelCase, kebab-case and snake_case alike, digits at a word's end dropped. */
function keyWords(key) {
  return String(key)
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((word) => word.replace(/\d+$/, ""))
    .filter(Boolean);
}

/** Keys that the app itself declared as secret (`governance.redact`), in lower case without marks between words. */
const declaredSecrets = new Set();

/** Never send the values of this key either; at most 64 keys. */
function redactAlso(key) {
  const word = keyWords(key).join("");
  if (word !== "" && declaredSecrets.size < 64) declaredSecrets.add(word);
  keysJudged.clear();
}

/** Keys that were judged, and how: few of them come again and again, in each event. */
const keysJudged = new Map();

/** Whether a key names a credential. */
function isSecretKey(key) {
  let judged = keysJudged.get(key);
  if (judged === undefined) {
    judged = namesSecret(key);
    if (keysJudged.size < LIMIT.DECLARED && String(key).length <= 64) keysJudged.set(key, judged);
  }
  return judged;
}

function namesSecret(key) {
  const words = keyWords(key);
  if (words.length === 0) return false;
  if (declaredSecrets.size > 0 && declaredSecrets.has(words.join(""))) return true;
  if (words.some((word) => SECRET_WORDS.has(word))) return true;
  const last = words[words.length - 1];
  if (last.startsWith("token") && PLAIN_TOKENS.has(words[words.length - 2])) return false;
  if (SECRET_LAST.has(last)) return true;
  // "className" would hold "ssn" and "secretary" "secret": stems are looked for in the words put together,
  // and none of them is as short as those.
  return SECRET_STEMS.test(words.join(""));
}

/** Shapes that are credentials wherever they stand. */
const SECRET_SHAPES = new RegExp(
  [
    "eyJ[\\w-]{8,}\\.[\\w-]{8,}(?:\\.[\\w-]*)?", // JSON Web Token
    "\\b[srp]k_(?:live|test)_\\w{8,}", // payment keys
    "\\bsk-[\\w-]{20,}", // model provider keys
    "\\b(?:AKIA|ASIA)[0-9A-Z]{16}\\b",
    "\\bgh[pousr]_\\w{20,}|\\bgithub_pat_\\w{20,}|\\bglpat-[\\w-]{16,}",
    "\\bxox[abeoprs]-[\\w-]{8,}",
    "\\bya29\\.[\\w.-]{8,}",
    "\\bdtok_[\\w-]+\\.[\\w-]+", // our own capability tokens
    "-----BEGIN [A-Z ]*PRIVATE KEY-----[\\s\\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)",
  ].join("|"),
  "g",
);
const AUTH_SCHEMES = /\b(Bearer|Basic|Digest)\s+[\w.~+/=-]{12,}/g;
const USERINFO = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/?#@]+@/gi;

/** Known secret shapes replaced, in any text. */
function scrub(text) {
  if (text.length < 8) return text;
  return text
    .replace(SECRET_SHAPES, REDACTED)
    .replace(AUTH_SCHEMES, `$1 ${REDACTED}`)
    .replace(USERINFO, `$1${REDACTED}@`);
}

const QUOTED_PAIR = /(["'])([\w.-]{2,64})\1(\s*:\s*)("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|-?\d[\d.]*)/g;
const BARE_PAIR = /([\w.-]{2,64})=("[^"]*"|'[^']*'|[^\s&;,"'<>)]+)/g;
/** `token: abc123` as people log it; a short word after the colon is prose ("Unexpected token: name"). */
const SPACED_PAIR = /\b([\w-]{2,64})(\s*:\s+)((?=\S*\d)[^\s"'<>,;]{6,}|[^\s"'<>,;]{20,})/g;
const HEADER_LINE = /\b(set-cookie|cookie|authorization|proxy-authorization|x-api-key|x-auth-token)(\s*:\s*)[^\n\r]+/gi;

/** As `scrub`, and also `key=value`, `key: value` and `"key": "value"` whose key names a credential: logs, bodies, errors. */
function scrubLoose(text) {
  return scrub(text)
    .replace(HEADER_LINE, `$1$2${REDACTED}`)
    .replace(QUOTED_PAIR, (whole, quote, key, colon) =>
      isSecretKey(key) ? `${quote}${key}${quote}${colon}"${REDACTED}"` : whole,
    )
    .replace(SPACED_PAIR, (whole, key, colon) => (isSecretKey(key) ? `${key}${colon}${REDACTED}` : whole))
    .replace(BARE_PAIR, (whole, key) => (isSecretKey(key) ? `${key}=${REDACTED}` : whole));
}

/** The parameters of a query or a fragment, credentials replaced, everything else as written. */
function redactParameters(text) {
  return text.replace(/([^&=?#]+)=([^&]*)/g, (whole, key) => {
    let name = key;
    try {
      name = decodeURIComponent(key);
    } catch {
      // not percent-encoding: the key stands as written
    }
    return isSecretKey(name) ? `${key}=${REDACTED}` : whole;
  });
}

/** Path segments that are followed by a one-time secret when the next one looks random. */
const TOKEN_PATH =
  /(\/(?:reset|reset-password|password-reset|verify|verification|confirm|confirmation|invite|invitation|magic|magic-link|activate|unsubscribe|token)\/(?:[\w=]{1,12}\/)?)(?=[^/?#]*\d)([\w.=~-]{20,})/gi;

/** A URL as it was written, without userinfo, credential parameters and one-time tokens. */
function redactUrl(url) {
  const text = clip(wellFormed(String(url)), LIMIT.URL_CHARS);
  if (/^data:/i.test(text)) return clip(text, 64);
  const [, path, query, fragment] = /^([^?#]*)(\?[^#]*)?(#[\s\S]*)?$/.exec(text) || [text, text];
  return (
    scrub(path).replace(TOKEN_PATH, `$1${REDACTED}`) +
    scrub(redactParameters(query || "")) +
    scrub(redactParameters(fragment || ""))
  );
}

const SECRET_AUTOCOMPLETE = /\b(current-password|new-password|one-time-code|cc-number|cc-csc)\b/;

/** Fields that have once been password fields, so that "show password" does not show it to us. */
const oncePassword = new WeakSet();

/** Whether a form field's value is a credential. */
function isSecretField(element) {
  if (!element || !element.getAttribute) return false;
  if (String(element.getAttribute("type")).toLowerCase() === "password") {
    oncePassword.add(element);
    return true;
  }
  if (oncePassword.has(element)) return true;
  if (SECRET_AUTOCOMPLETE.test(element.getAttribute("autocomplete") || "")) return true;
  return ["name", "id", "data-testid", "aria-label"].some((attribute) => {
    const value = element.getAttribute(attribute);
    return Boolean(value) && isSecretKey(value);
  });
}

/** Whether an element is text that is edited in place and holds a credential. */
function isSecretText(element) {
  return element.hasAttribute("contenteditable") && isSecretField(element);
}

/** Whether an element stands in such a text; asked of every change of the page, so by the browser's own walk. */
function isInSecretText(element) {
  const host = element.closest("[contenteditable]");
  return host !== null && isSecretField(host);
}
