/*
 * Where the page is and what lies over it, in a few words: the `status` of a snapshot.
 */

/** Route, title and dialogs of a scope. */
function statusOf(scope, dialogs) {
  const status = { route: currentRoute(), title: scrub(clip(document.title || "", 512)) };
  const visible = visibleDialogs(scope, dialogs);
  if (visible.length > 0) status.visibleDialogs = visible;
  const modal = hidingOverlay(dialogs);
  if (modal) status.overlayHidingPage = clip(scrub(nameOf(modal)), LIMIT.NAME_CHARS) || "(unnamed dialog)";
  return status;
}
