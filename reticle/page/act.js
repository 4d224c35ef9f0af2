/*
 * The `act` command: one action, done honestly or refused, and a report of what the page did about it.
 */

/** What each action does, and the names of its arguments. */
const ACTIONS = {
  [ACTION.CLICK]: { run: click, takes: ["confirmDangerous", "modifiers", "holdMs", "force"] },
  [ACTION.DBLCLICK]: { run: dblclick, takes: ["confirmDangerous", "modifiers", "force"] },
  [ACTION.HOVER]: { run: hover, takes: ["modifiers", "holdMs", "force"] },
  [ACTION.FILL]: { run: fill, takes: ["value", "force"] },
  [ACTION.TYPE]: { run: type, takes: ["text", "force"] },
  [ACTION.CLEAR]: { run: clear, takes: ["force"] },
  [ACTION.PRESS]: { run: press, takes: ["key", "text", "modifiers", "confirmDangerous"] },
  [ACTION.SELECT]: { run: select, takes: ["value", "force"] },
  [ACTION.CHECK]: { run: check, takes: ["confirmDangerous", "force"] },
  [ACTION.UNCHECK]: { run: uncheck, takes: ["confirmDangerous", "force"] },
  [ACTION.SUBMIT]: { run: submit, takes: ["confirmDangerous"] },
  [ACTION.FOCUS]: { run: focus, takes: [] },
  [ACTION.BLUR]: { run: blur, takes: [] },
  [ACTION.SCROLL_INTO_VIEW]: { run: scrollIntoView, takes: ["block"] },
  [ACTION.UPLOAD]: { run: upload, takes: ["name", "content", "type", "encoding", "force"] },
  [ACTION.DRAG]: { run: drag, takes: ["toRef", "target", "data", "modifiers", "confirmDangerous", "force"] },
};

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
      native.Promise.resolve().then(() => afterFrame(() => finish(true, null)));
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

/** The arguments of an action, checked as far as all actions share them. */
function actionArgs(action, args) {
  if (typeof args !== "object" || args === null || Array.isArray(args)) throw badArguments("args must be an object.");
  allowOnly(args, ACTIONS[action].takes, `The action ${action}`);
  for (const flag of ["confirmDangerous", "force"]) {
    if (args[flag] !== undefined && typeof args[flag] !== "boolean") throw badArguments(`${flag} must be true or false.`);
  }
  return args;
}

/**
 * What an action answers. Everything but its own part of the effect has a default.
 * @typedef {object} Done
 * @property {boolean} [prevented] the app prevented the default of the main event
 * @property {boolean} [scrolled] the page was scrolled to the element
 * @property {boolean} [dispatched] false: there was nothing to do
 * @property {boolean} [alreadyAtValue]
 * @property {boolean} [valueChanged]
 * @property {Element | null} [cover] what lies over the element; set only when `force` acted all the same
 * @property {() => {effect?: object, warning?: string}} [after] asked when the page has settled
 */

/** What a command that acts means: the action, its arguments, the element. */
function meantBy(given, command) {
  allowOnly(given, ["ref", "target", "action", "args"], command);
  const { action } = given;
  if (!Object.hasOwn(ACTIONS, action)) {
    throw badArguments(`There is no action ${clip(String(action), 40)}; actions are ${Object.keys(ACTIONS).join(", ")}.`);
  }
  const args = actionArgs(action, given.args ?? { __proto__: null });
  const element = resolveTarget(given);
  if (typeof element.dispatchEvent !== "function") throw wrongTarget(action, element, "Act on an element.");
  return { action, args, element };
}

/** For how long an act looks again for an element that the app draws anew before anything was done to it. */
const REPLACED_MS = 1000;

/**
 * Do something with what a command means; looked for again while the app draws it anew before anything was done to it.
 * @template T
 * @param {(meant: {action: string, args: object, element: Element}) => Promise<T>} work throws `Replaced` then
 * @returns {Promise<T>}
 */
async function onWhatStands(given, command, work) {
  const deadline = native.now() + REPLACED_MS;
  for (;;) {
    try {
      return await work(meantBy(given, command));
    } catch (error) {
      if (!(error instanceof Replaced) || native.now() >= deadline) throw error;
    }
  }
}

/** How an element is before an act. */
function stateBefore(element) {
  return { visible: isVisible(element), enabled: !isDisabled(element), focus: deepActiveElement() };
}

/** The `act` command. */
function runAct(given) {
  return onWhatStands(given, "act", actOn);
}

async function actOn({ action, args, element }) {
  const report = identify(element, action);
  const before = stateBefore(element);
  const watched = watchAct(element, action);
  let done;
  let settled;
  try {
    done = await ACTIONS[action].run(element, args);
    settled = await settle();
  } catch (error) {
    watched.end();
    throw error;
  }
  return actReport(element, before, done, watched.end(), { ...report, ...settled, ...inputOf(action) });
}

/**
 * The answer to an act that is done.
 * @param {Element} element
 * @param {{visible: boolean, enabled: boolean, focus: Element | null}} before
 * @param {Done} done
 * @param {object} seen what `watchAct` saw
 * @param {object} report who the element was, and how it came to rest
 */
function actReport(element, before, done, { mutations, appeared, invalid, opened }, report) {
  const after = done.after ? done.after() : {};
  const effect = { ...effectOf(element, before, done, mutations, appeared), ...after.effect, ...opened.effect };
  if (invalid) effect.invalid = invalid;
  const warning = warningOf(done, after, opened);
  const pending = pendingWork.tell();
  return { ...report, ...(warning ? { warning } : {}), effect, ...(pending ? { pending } : {}) };
}

/** Actions that may send a form: only then what its own checks say is a consequence. */
const SENDING = new Set([ACTION.CLICK, ACTION.DBLCLICK, ACTION.PRESS, ACTION.SUBMIT]);

/** Follow what an act sets going in the page, until `end`. */
function watchAct(element, action) {
  pendingWork.begin();
  activity.begin();
  openings.begin();
  const invalid = SENDING.has(action) ? watchValidity(element) : () => undefined;
  return {
    end() {
      pendingWork.end();
      return { ...activity.end(), opened: openings.end(), invalid: attempt("validity", invalid) };
    },
  };
}

/** Actions for which a real mouse would do more. */
const POINTER_ACTIONS = new Set([ACTION.CLICK, ACTION.DBLCLICK, ACTION.HOVER, ACTION.DRAG]);

/** How the page was told of an act, and why not by real input. */
function inputOf(action) {
  const pointer = POINTER_ACTIONS.has(action);
  const none = LAUNCH ? "trusted-not-asked-for" : "real-input-not-configured-for-this-session";
  return { inputMode: "synthetic", inputModeReason: pointer ? none : "not-a-pointer-action" };
}

function warningOf(done, ...others) {
  const covered = done.cover ? `It was covered by ${spoken(done.cover)}; a person could not have done this.` : "";
  return [covered, done.warning, ...others.map((one) => one.warning)].filter(Boolean).join(" ");
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
  const known = { testid: testidOf(element), component: componentOf(element), ...writtenOf(element) };
  for (const [key, value] of Object.entries(known)) if (value) report[key] = value;
  return report;
}

/** @param {Done} done */
function effectOf(element, before, done, mutations, appeared) {
  const effect = {
    dispatched: done.dispatched ?? true,
    targetMatched: element.isConnected,
    visible: before.visible,
    enabled: before.enabled,
    defaultPrevented: done.prevented ?? false,
    focusMoved: focusMove(before.focus, deepActiveElement()),
    valueChanged: done.valueChanged ?? false,
    domMutatedWithin: mutations,
    occluded: Boolean(done.cover),
    occludedBy: done.cover ? coverOf(done.cover) : null,
    scrolledIntoView: done.scrolled ?? false,
    alreadyAtValue: done.alreadyAtValue ?? false,
  };
  const value = valueAfter(element);
  if (value !== undefined) effect.value = value;
  if (appeared) effect.appeared = appeared;
  for (const key of ["defaultAction", "heldMs", "dropped", "received"]) if (done[key] !== undefined) effect[key] = done[key];
  return effect;
}
