/*
 * Giving and taking the focus, so that the app hears of it exactly once; also in a window that is not in front,
 * where browsers move the focus without a word.
 */

function sendFocus(element, type, other) {
  const view = element.ownerDocument.defaultView;
  const fields = { bubbles: /^focus(in|out)$/.test(type), composed: true, view, relatedTarget: other };
  causes.strike();
  element.dispatchEvent(new view.FocusEvent(type, fields));
}

/** Whether `change`, which moves the focus, made the browser send an event of this type to the element. */
function isHeard(element, type, change) {
  let heard = false;
  const hear = () => {
    heard = true;
  };
  native.listen.call(element, type, hear, { capture: true });
  causes.strike();
  change();
  native.unlisten.call(element, type, hear, { capture: true });
  return heard;
}

/** Focus an element; nothing happens when it has the focus already. */
function giveFocus(element) {
  const before = deepActiveElement();
  if (before === element) return;
  const heard = isHeard(element, "focus", () => element.focus({ preventScroll: true }));
  if (heard || deepActiveElement() !== element) return;
  if (before && before.isConnected) {
    sendFocus(before, "blur", element);
    sendFocus(before, "focusout", element);
  }
  sendFocus(element, "focus", before);
  sendFocus(element, "focusin", before);
}

/** Take the focus from an element that has it. */
function takeFocus(element) {
  if (!element || typeof element.blur !== "function") return;
  const heard = isHeard(element, "blur", () => element.blur());
  if (heard || deepActiveElement() === element) return;
  sendFocus(element, "blur", null);
  sendFocus(element, "focusout", null);
}

/** `focus`: done nothing when it is there already. */
async function focus(element) {
  requireEnabled(element);
  if (typeof element.focus !== "function" || !isFocusable(element)) {
    throw wrongTarget("focus", element, "Focus a field, button, link, or an element with a tabindex.");
  }
  await requireVisible(element);
  const already = deepActiveElement() === element;
  giveFocus(element);
  return { dispatched: !already, alreadyAtValue: already };
}

/** `blur`: done nothing when the focus is elsewhere. */
async function blur(element) {
  const already = deepActiveElement() !== element;
  if (!already) takeFocus(element);
  return { dispatched: !already, alreadyAtValue: already };
}
