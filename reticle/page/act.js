/*
 * The `act` command: one action, done honestly or refused, and a report of what the page did about it.
 */

/** Argument names of each action. */
const ACTION_ARGS = {
  click: ["confirmDangerous", "modifiers"],
  fill: ["value"],
  press: ["key", "text", "modifiers", "confirmDangerous"],
  select: ["value"],
  check: ["confirmDangerous"],
  submit: ["confirmDangerous"],
};

async function click(element, args) {
  const flags = modifierFlags(args.modifiers);
  requireEnabled(element);
  if (tagOf(element) === "option") throw wrongTarget("click", element, "Use select on the list that holds it.");
  if (tagOf(element) === "input" && String(element.type).toLowerCase() === "file") refuseUnsupported(element, "click");
  await requireVisible(element);
  guardDanger(element, args, isSubmitButton(element));
  const { point, hit, scrolled } = await reach(element);
  const prevented = clickAt(element, hit, point, flags);
  return { prevented, scrolled };
}

async function submit(element, args) {
  const form = tagOf(element) === "form" ? element : element.form || element.closest("form");
  if (!form) throw wrongTarget("submit", element, "Submit a form, or a field or button that belongs to one.");
  if (tagOf(element) !== "form") requireEnabled(element);
  guardDanger(element, args, true);
  let prevented = false;
  let dispatched = false;
  const see = (event) => {
    dispatched = true;
    native.Promise.resolve().then(() => {
      prevented = event.defaultPrevented;
    });
  };
  native.listen.call(form, "submit", see, { capture: true, once: true });
  const submitter = isSubmitButton(element) ? element : undefined;
  form.requestSubmit(submitter);
  native.unlisten.call(form, "submit", see, { capture: true });
  await native.Promise.resolve();
  const invalid = dispatched ? [] : [...form.elements].filter((field) => field.willValidate && !field.validity.valid);
  return {
    prevented,
    scrolled: false,
    dispatched,
    ...(invalid.length > 0 ? { invalid: invalid.slice(0, LIMIT.CANDIDATES).map((field) => refs.of(field)) } : {}),
  };
}

const ACTIONS = { click, fill, press, select, check, submit };

/** Wait one microtask and one frame, at most LIMIT.SETTLE_MS; a page that leaves ends the wait. */
function settle() {
  return new native.Promise((resolve) => {
    const finish = (settled, settleReason) => {
      leaving.listeners.delete(gone);
      resolve({ settled, settleReason });
    };
    const gone = () => finish(false, "navigated");
    leaving.listeners.add(gone);
    native.setTimeout(() => finish(false, document.hidden ? "throttled" : "timeout"), LIMIT.SETTLE_MS);
    if (native.requestAnimationFrame) {
      native.Promise.resolve().then(() => native.requestAnimationFrame(() => soon(() => finish(true, null))));
    }
  });
}

/** `e1->e2` when the focus moved, null when it did not. */
function focusMove(before, after) {
  if (before === after) return null;
  return `${before ? refs.of(before) : "null"}->${after ? refs.of(after) : "null"}`;
}

/** The value of what was acted on, afterwards. */
function valueAfter(element) {
  const checked = checkedState(element);
  if (checked !== undefined && tagOf(element) !== "option") return checked;
  return isField(element) ? clip(valueOf(element), LIMIT.TEXT_CHARS) : undefined;
}

/** The `act` command. */
async function runAct(given) {
  allowOnly(given, ["ref", "target", "action", "args"], "act");
  const { action } = given;
  if (!Object.hasOwn(ACTIONS, action)) {
    throw badArguments(`There is no action ${clip(String(action), 40)}; actions are ${Object.keys(ACTIONS).join(", ")}.`);
  }
  const args = given.args ?? {};
  if (typeof args !== "object" || Array.isArray(args)) throw badArguments("args must be an object.");
  allowOnly(args, ACTION_ARGS[action], `The action ${action}`);
  const element = resolveTarget(given);
  if (typeof element.dispatchEvent !== "function") throw wrongTarget(action, element, "Act on an element.");
  const report = identify(element, action);
  const before = { visible: isVisible(element), enabled: !isDisabled(element), focus: deepActiveElement() };
  activity.begin();
  let done;
  let settled;
  try {
    done = await ACTIONS[action](element, args);
    settled = await settle();
  } catch (error) {
    activity.end();
    throw error;
  }
  const { mutations, appeared } = activity.end();
  return { ...report, ...settled, effect: effectOf(element, before, done, mutations, appeared) };
}

/** Who the element was before the act: it may be gone afterwards. */
function identify(element, action) {
  const report = {
    ok: true,
    ref: refs.of(element),
    action,
    role: roleOf(element),
    name: clip(scrub(nameOf(element)), LIMIT.TEXT_CHARS),
  };
  const known = { testid: testidOf(element), component: componentOf(element), source: sourceOf(element) };
  for (const [key, value] of Object.entries(known)) if (value) report[key] = value;
  return report;
}

function effectOf(element, before, done, mutations, appeared) {
  const effect = {
    dispatched: done.dispatched ?? true,
    targetMatched: element.isConnected,
    visible: before.visible,
    enabled: before.enabled,
    defaultPrevented: done.prevented,
    focusMoved: focusMove(before.focus, deepActiveElement()),
    valueChanged: done.valueChanged ?? false,
    domMutatedWithin: mutations,
    occluded: false,
    occludedBy: null,
    scrolledIntoView: done.scrolled,
    alreadyAtValue: done.alreadyAtValue ?? false,
  };
  const value = valueAfter(element);
  if (value !== undefined) effect.value = value;
  if (appeared) effect.appeared = appeared;
  if (done.defaultAction) effect.defaultAction = done.defaultAction;
  if (done.invalid) effect.invalid = done.invalid;
  return effect;
}
