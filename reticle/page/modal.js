/*
 * Dialogs: which ones a person sees, and which one keeps the rest of the page from being used.
 */

const DIALOGS = "[role=dialog],[role=alertdialog],dialog[open],[aria-modal=true]";

/** Everything in the page that is a dialog or says so, in document order. */
function dialogsInPage() {
  const found = [];
  for (const element of elementsIn(document)) if (element.matches(DIALOGS)) found.push(element);
  return found;
}

/** Names of the dialogs that a person sees. */
function visibleDialogs(scope, dialogs) {
  const seen = dialogs.filter((dialog) => dialog !== scope && composedContains(scope, dialog) && isVisible(dialog));
  return seen.map((dialog) => clip(scrub(nameOf(dialog)), LIMIT.NAME_CHARS) || "(unnamed dialog)");
}

/** The open modal that keeps the rest of the page from being used, or null. */
function openModal(dialogs = dialogsInPage()) {
  const modal = (element) => element.getAttribute("aria-modal") === "true" || isModalDialog(element);
  return dialogs.find((element) => modal(element) && isVisible(element)) || null;
}

/** The innermost or last modal dialog: the browser makes everything else of its document inert. */
function topModal(dialogs = dialogsInPage()) {
  return dialogs.findLast(isModalDialog) || null;
}

/** The open modal, or the dialog for whose sake the page's other parts were hidden from assistive technology. */
function hidingOverlay(dialogs) {
  const modal = openModal(dialogs);
  if (modal || !document.body) return modal;
  const set = [...document.body.children].some(
    (child) => child.hasAttribute("inert") || (child.getAttribute("aria-hidden") === "true" && child.firstElementChild),
  );
  return (set && dialogs.find(isVisible)) || null;
}

function isModalDialog(element) {
  if (tagOf(element) !== "dialog" || !element.hasAttribute("open")) return false;
  try {
    return element.matches(":modal");
  } catch {
    return false;
  }
}
