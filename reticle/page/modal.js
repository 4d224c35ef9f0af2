/*
 * Dialogs: which ones a person sees, and which one keeps the rest of the page from being used.
 */

const DIALOGS = "[role=dialog],[role=alertdialog],dialog[open],[aria-modal=true]";

/** Names of the dialogs that a person sees. */
function visibleDialogs(scope) {
  const names = [];
  for (const element of elementsIn(scope)) {
    if (element.matches(DIALOGS) && isVisible(element)) {
      names.push(clip(scrub(nameOf(element)), LIMIT.NAME_CHARS) || "(unnamed dialog)");
    }
  }
  return names;
}

/** The open modal that keeps the rest of the page from being used, or null. */
function openModal() {
  for (const element of elementsIn(document)) {
    const modal = element.getAttribute("aria-modal") === "true" || isModalDialog(element);
    if (modal && isVisible(element)) return element;
  }
  return null;
}

/** The innermost or last modal dialog: the browser makes everything else of its document inert. */
function topModal() {
  let top = null;
  for (const dialog of elementsIn(document)) if (isModalDialog(dialog)) top = dialog;
  return top;
}

/** The open modal, or the dialog for whose sake the page's other parts were hidden from assistive technology. */
function hidingOverlay() {
  const modal = openModal();
  if (modal || !document.body) return modal;
  const set = [...document.body.children].some(
    (child) => child.hasAttribute("inert") || (child.getAttribute("aria-hidden") === "true" && child.firstElementChild),
  );
  if (!set) return null;
  for (const element of elementsIn(document)) if (element.matches(DIALOGS) && isVisible(element)) return element;
  return null;
}

function isModalDialog(element) {
  if (tagOf(element) !== "dialog" || !element.hasAttribute("open")) return false;
  try {
    return element.matches(":modal");
  } catch {
    return false;
  }
}
