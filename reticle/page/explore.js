/*
 * The `explore` command: everything on the page that a person could act on now, and nothing done to it.
 */

/** Fields of which a press does nothing that cannot be undone. */
const WRITTEN_ROLES = new Set(["textbox", "searchbox", "combobox", "spinbutton", "slider", "listbox", "option", "scrollbar"]);

/** Whether acting on it would be refused without `confirmDangerous`. */
function isDangerous(element, role) {
  if (WRITTEN_ROLES.has(role)) return false;
  try {
    guardDanger(element, {}, isSubmitButton(element));
    return false;
  } catch (error) {
    if (error instanceof Refused) return true;
    throw error;
  }
}

/** Whether a person could act on an element: by its role, or because it takes clicks and nothing around it that is told does. */
function isOperable(element, role) {
  if (INTERACTIVE_ROLES.has(role)) return true;
  if (!isClickableAs(element, role)) return false;
  const around = composedParent(element);
  return !around || !composedClosest(around, (node) => INTERACTIVE_ROLES.has(roleOf(node)));
}

/** What is walked into: not what is hidden from everybody, and not the options of a field. */
function isEntered(element) {
  return !element.hasAttribute("inert") && element.getAttribute("aria-hidden") !== "true" && !isField(element);
}

/** The line of the outline without its ref, and whether it asks for confirmation. */
function describeOperable(element, role) {
  const ref = refs.of(element);
  const told = { ref, desc: lineOf(element, role, nameOf(element)).replace(` (ref=${ref})`, "") };
  if (isDangerous(element, role)) told.dangerous = true;
  return told;
}

/** The `explore` command; of many the first in the order of the page, and how many there are. */
function runExplore(args) {
  allowOnly(args, ["scope"], "explore");
  const scope = resolveScope(args.scope);
  if (!scope) return { interactive: [], count: 0, scopeMissing: true };
  const modal = topModal();
  const result = { interactive: [], count: 0 };
  for (const element of elementsIn(scope, isEntered)) {
    if (!isEntered(element) && !isField(element)) continue;
    if (modal && element.ownerDocument === modal.ownerDocument && !composedContains(modal, element)) continue;
    const role = roleOf(element);
    if (!isOperable(element, role) || !(isVisible(element) || isField(element) && isRendered(element))) continue;
    result.count += 1;
    if (result.interactive.length < LIMIT.EXPLORED) result.interactive.push(describeOperable(element, role));
  }
  if (result.count > result.interactive.length) result.truncated = true;
  return result;
}
