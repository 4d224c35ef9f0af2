/*
 * Parts of the page that were there all along and come up when an act unfolds them: their text is news to a person, though
 * nothing was added.
 */

/** Whether an attribute's new value unfolds what has it. */
function isUnfolding(name, value) {
  return (name === "hidden" && value === null) || (name === "open" && value !== null);
}

/** What an act brought up by unfolding it: a part that was hidden, a closed <details> or a popover. */
function noteUnfolded(element) {
  if (activity.running === 0 || !isVisible(element)) return;
  const parts = tagOf(element) === "details" ? [...element.children].filter((node) => tagOf(node) !== "summary") : [element];
  const text = fold(parts.map((part) => searchedText(part)).join(" "));
  if (text) activity.note(clip(scrub(text), LIMIT.TEXT_CHARS));
}

/** Popovers open without an attribute. */
function startUnfoldWatch() {
  listen(document, "toggle", "unfolded", ({ target, newState }) => {
    if (newState === "open" && isElement(target) && target.hasAttribute("popover")) noteUnfolded(target);
  });
}
