/*
 * The element an act means, and whether it can honestly be acted on.
 */

/** The element of an act's `ref` or `target`. */
function resolveTarget(args) {
  if (args.ref !== undefined && args.ref !== null) {
    if (args.target) throw badArguments("Give either ref or target, not both.");
    if (!isRef(args.ref)) throw badArguments(`${clip(String(args.ref), 40)} is not a ref; refs look like e12.`);
    return elementOfRef(args.ref);
  }
  if (!args.target) throw badArguments("act needs a ref or a target.");
  const { elements, scopeMissing } = findElements(parseQuery(args.target));
  const seen = elements.filter(isVisible);
  const meant = seen.length > 0 ? seen : elements;
  if (meant.length === 1) return meant[0];
  const candidates = meant.slice(0, LIMIT.CANDIDATES).map((element) => describe(element));
  if (meant.length === 0) {
    throw new Refused(
      REFUSAL.NO_MATCH,
      scopeMissing ? "The target's scope is not in the page." : "No element matches the target.",
      "Take a snapshot and use a ref, or correct the target.",
      { candidates, hint: emptyHint(), ...loading() },
    );
  }
  throw new Refused(
    REFUSAL.AMBIGUOUS_TARGET,
    `${meant.length} elements match the target.`,
    "Use the ref of the one that is meant, or add name, testid or scope.",
    { candidates, count: meant.length },
  );
}

function elementOfRef(ref) {
  const element = refs.element(ref);
  if (element) return element;
  if (refs.isEdited(ref)) {
    throw new Refused(
      REFUSAL.STALE_REF_AFTER_EDIT,
      `Ref ${ref} no longer stands for an element: the app's code was hot-updated since it was given out.`,
      "Take a new snapshot or query again, and use the new ref.",
    );
  }
  const why = refs.knows(ref)
    ? "its element is no longer in the page (re-rendered or removed)"
    : "it was not given out by this document (the page was loaded anew since)";
  throw new Refused(
    REFUSAL.STALE_REF,
    `Ref ${ref} no longer stands for an element: ${why}.`,
    "Take a new snapshot or query again, and use the new ref.",
  );
}

/**
 * Refuse what cannot be used now: disabled, inert, a label of something disabled.
 * @param {Element} element
 * @param {boolean} [force] act on what is only marked as disabled; its listeners are alive
 */
function requireEnabled(element, force = false) {
  const control = tagOf(element) === "label" ? element.control : null;
  const concerned = control && disabledReason(control) ? control : element;
  const why = disabledReason(concerned);
  if (why && !(force && why === MARKED_DISABLED)) {
    throw new Refused(
      REFUSAL.NOT_EDITABLE,
      `${spoken(concerned)} ${why}.`,
      `Do what enables it first, then act again${why === MARKED_DISABLED ? "; args.force: true acts on it as it is" : ""}.`,
    );
  }
  const inert = inertAncestor(element);
  if (!inert) return;
  const modal = openModal();
  if (modal) throw occluded(element, modal);
  throw new Refused(
    REFUSAL.NOT_EDITABLE,
    `${spoken(element)} is inside an inert part of the page.`,
    "Do what makes that part usable first, then act again.",
  );
}

/** What an action answers that finds everything as it was to become. */
const NOTHING_TO_DO = Object.freeze({ dispatched: false, alreadyAtValue: true });

/** What the app took out of the page before anything was done to it: whoever meant it has to look again. */
class Replaced extends Refused {
  /** @param {Element} element */
  constructor(element) {
    super(
      REFUSAL.STALE_REF,
      `${spoken(element)} was taken out of the page before anything was done to it, and so was each that came in its place.`,
      "Wait until the page rests, then act again.",
    );
  }
}

/** Refuse what is no longer in the page: it has no looks, so that nothing can be said of them. */
function requireThere(element) {
  if (!element.isConnected || !isReachable(element)) throw new Replaced(element);
}

/** In a refusal: scripts that show more may not have run yet. */
function loading() {
  return document.readyState === "complete" ? {} : { loading: true };
}

/** Refuse what cannot be seen; something that is just fading in is waited for. */
async function requireVisible(element) {
  const deadline = native.now() + LIMIT.STABLE_MS;
  while (hiddenReason(element) && isAnimated() && native.now() < deadline) await nextFrame();
  requireThere(element);
  const why = hiddenReason(element);
  if (!why) return;
  throw new Refused(
    REFUSAL.NOT_VISIBLE,
    `${spoken(element)} cannot be seen: it ${why}.`,
    "Do what shows it first, then act again.",
    loading(),
  );
}

function requireWritable(element) {
  if (isReadOnly(element)) {
    throw new Refused(REFUSAL.NOT_EDITABLE, `${spoken(element)} is read-only.`, "Do what makes it editable first.");
  }
}

/** What lies on top, in a report. */
function coverOf(cover) {
  return { ref: refs.of(cover), role: roleOf(cover), name: clip(scrub(nameOf(cover)), LIMIT.NAME_CHARS) };
}

function occluded(element, cover) {
  const by = cover ? coverOf(cover) : null;
  return new Refused(
    REFUSAL.OCCLUDED,
    `${spoken(element)} is covered by ${cover ? spoken(cover) : "something outside the page"}; a person could not reach it.`,
    "Close or move what covers it, then act again; args.force: true acts all the same.",
    { occludedBy: by },
  );
}

function wrongTarget(action, element, recovery) {
  return new Refused(REFUSAL.WRONG_TARGET, `Cannot ${action} ${spoken(element)} (<${tagOf(element)}>).`, recovery);
}

/** The editable content that an element lies in, or null. */
function editableHost(element) {
  return composedClosest(element, (node) => /^(|true|plaintext-only)$/.test(node.getAttribute("contenteditable") ?? "false"));
}

/** Whether an element is text that can be edited in place, and no field. */
function isRichText(element) {
  return Boolean(editableHost(element)) && !isField(element) && roleOf(element) !== "button";
}

/** Editors that keep a document of their own, and file pickers, cannot be driven from inside the page. */
function refuseUnsupported(element, action) {
  const file = tagOf(element) === "input" && String(element.type).toLowerCase() === "file";
  if (!file && !isRichText(element)) return;
  throw new Refused(
    REFUSAL.UNSUPPORTED_SURFACE,
    file ? `${spoken(element)} is a file input.` : `${spoken(element)} is editable content (contenteditable).`,
    file
      ? "Use upload with args.name, args.content and args.type."
      : `${action} cannot be done there without real input: trusted: true in a browser that the daemon drives, or another way in the app.`,
  );
}

/** The focused element, through shadow roots and frames; null when it is the body. */
function deepActiveElement() {
  let active = document.activeElement;
  for (let depth = 0; active && depth < 20; depth += 1) {
    const inner = active.shadowRoot || (isFrame(active) && frameDocument(active));
    if (!inner || !inner.activeElement || inner.activeElement === inner.body) break;
    active = inner.activeElement;
  }
  return active === document.body || isPanel(active) ? null : active;
}
