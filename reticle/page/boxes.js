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

/**
 * Who stands for a box after its click: itself, or the one of its role and name that the app drew in its place.
 * @returns {Element | null} null when nobody can tell
 */
function successorOf(element, { role, name }) {
  if (element.isConnected) return element;
  const alike = [...elementsIn(document)].filter((one) => roleOf(one) === role && nameOf(one) === name);
  return alike.length === 1 ? alike[0] : null;
}

/** Wait for an app that keeps the state itself, perhaps on a server; only a box that is not as wanted costs the time. */
async function untilDrawn(element, who, wanted) {
  const deadline = native.now() + LIMIT.STABLE_MS;
  const isDrawn = () => {
    const box = successorOf(element, who);
    return box && checkedState(box) === wanted;
  };
  await microtasks();
  while (!isDrawn() && native.now() < deadline) await nextFrame();
}

/** What to say of a box after its click; nothing when it is as wanted. */
function boxWarning(element, who, wanted) {
  const box = successorOf(element, who);
  if (!box) return { warning: "It was clicked, and then taken out of the page: whether it is as wanted cannot be told." };
  return checkedState(box) === wanted ? {} : { warning: `It was clicked, but it is still ${wanted ? "off" : "on"}.` };
}

async function bringTo(element, args, action, wanted) {
  const clicked = await boxToClick(element, args, action, wanted);
  if (!clicked) return NOTHING_TO_DO;
  const reached = await reach(clicked, args.force);
  const who = { role: roleOf(element), name: nameOf(element) };
  const { prevented, warning } = await clickAt(clicked, reached, modifierFlags());
  await untilDrawn(element, who, wanted);
  const box = successorOf(element, who);
  const valueChanged = Boolean(box) && checkedState(box) === wanted;
  const after = () => (warning ? {} : boxWarning(element, who, wanted));
  return { prevented, warning, scrolled: reached.scrolled, cover: reached.cover, valueChanged, after };
}
