/*
 * Checking and unchecking: a click, and only when the box is not as wanted yet.
 */

const CHECKABLE_ROLES = new Set(["checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"]);

/** `check`. A box hidden behind its label is clicked through the label. */
function check(element, args) {
  return bringTo(element, args, "check", true);
}

/** `uncheck`; a radio button only goes off when another one of its group goes on. */
function uncheck(element, args) {
  return bringTo(element, args, "uncheck", false);
}

/** What is to be clicked so that a box comes to be as wanted, when all that a click must pass is passed; null when it is so. */
async function boxToClick(element, args, action, wanted) {
  if (action === ACTION.UNCHECK && ["radio", "menuitemradio"].includes(roleOf(element))) {
    throw wrongTarget(action, element, "Check another radio button of its group instead.");
  }
  if (!CHECKABLE_ROLES.has(roleOf(element)) || checkedState(element) === undefined) {
    throw wrongTarget(action, element, `${action} takes a checkbox, radio button or switch.`);
  }
  requireEnabled(element, args.force);
  if (checkedState(element) === wanted) return null;
  guardDanger(element, args, false);
  const label = element.labels && [...element.labels].find(isVisible);
  const clicked = isVisible(element) || !label ? element : label;
  await requireVisible(clicked);
  return clicked;
}

function stillNot(wanted) {
  return `It was clicked, but it is still ${wanted ? "off" : "on"}.`;
}

async function bringTo(element, args, action, wanted) {
  const clicked = await boxToClick(element, args, action, wanted);
  if (!clicked) return NOTHING_TO_DO;
  const reached = await reach(clicked, args.force);
  const { prevented, warning } = await clickAt(clicked, reached, modifierFlags());
  const valueChanged = checkedState(element) === wanted;
  // an app that keeps the state itself may draw it a little later
  const after = () => (checkedState(element) === wanted || warning ? {} : { warning: stillNot(wanted) });
  return { prevented, warning, scrolled: reached.scrolled, cover: reached.cover, valueChanged, after };
}
