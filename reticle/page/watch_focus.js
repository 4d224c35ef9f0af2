/*
 * `focus.change`: where the focus went, also when it fell back to the page's body.
 */

let focusedBefore = null;

/** Report the focus if it is elsewhere than at the last look. */
function noteFocus() {
  const now = deepActiveElement();
  if (now === focusedBefore) return;
  const before = focusedBefore;
  focusedBefore = now;
  const fields = { toBody: now === null };
  if (now) fields.to = spoken(now);
  if (before && before.isConnected) fields.from = spoken(before);
  emitRated(EVENT.FOCUS_CHANGE, fields, now ? refs.of(now) : undefined);
}

/** Listen in a document: ours, or that of a frame that we see into. */
function watchFocusIn(owner) {
  listen(owner, "focusin", "focus", noteFocus);
  // where it goes is only known once the browser has moved it
  listen(owner, "focusout", "focus", () => soon(noteFocus));
}

function startFocusWatch() {
  focusedBefore = deepActiveElement();
  watchFocusIn(document);
  // moves inside one shadow root are not told outside of it
  beforeFlush.push(noteFocus);
}
