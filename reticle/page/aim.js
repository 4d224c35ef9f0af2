/*
 * The `aim` command: for an act by real input, which only the browser can make. It refuses what `act` refuses, brings
 * the element where the mouse reaches it, and says where that is. `aim_watch.js` sees where the input then goes.
 */

const NO_REAL_INPUT = "Leave trusted out: it can be done by script.";
const BY_KEYS = {
  list: "Leave trusted out: it can be done by script. Or press ArrowDown or ArrowUp on it, as often as it takes: a closed list chooses the next option at each.",
  parts: "Leave trusted out: it can be done by script. Or press the digits of its parts on it one by one, in the order in which it shows them.",
};
/** Fields that a person fills part by part. */
const IN_PARTS = new Set(["date", "time", "datetime-local", "month", "week"]);

/** Why some actions are nothing that a mouse or a keyboard does. */
const NOT_REAL = {
  [ACTION.SUBMIT]: ["no key and no mouse button sends a form as such", "Click its button, or press Enter in a field."],
  [ACTION.FOCUS]: ["a focus follows from clicks and keys", "Click the element, or press Tab; or leave trusted out."],
  [ACTION.BLUR]: ["a focus follows from clicks and keys", "Click elsewhere, or press Tab; or leave trusted out."],
  [ACTION.SCROLL_INTO_VIEW]: ["nobody can tell where a real wheel stops", NO_REAL_INPUT],
  [ACTION.UPLOAD]: ["files are chosen in a window of the browser's own", NO_REAL_INPUT],
};

function notReal(action, why, recovery = NO_REAL_INPUT) {
  return new Refused(REFUSAL.UNSUPPORTED_SURFACE, `${action} cannot be done by real input: ${why}.`, recovery);
}

/**
 * What is expected of real input.
 * @typedef {object} Expected
 * @property {Element} [mouse] what the mouse has to press
 * @property {Element} [keys] what the keys have to reach
 * @property {{point: {x: number, y: number}, hit: Element, scrolled: boolean}} [reached] where the mouse has to go
 * @property {{x: number, y: number}} [to] where a drag ends
 * @property {object} [told] what else whoever makes the strokes has to know
 * @property {() => Promise<void>} [drawn] waits for an app that draws later what came of it
 * @property {(aim: Aim) => object} [done] parts of the report, asked when it is over
 * @property {number} [heldMs] how long the mouse stays as it is in between
 * @property {boolean} [nothing] there is nothing to do
 */

/** How each action is done by hand: everything that can be refused is refused here. */
const AIMS = {
  [ACTION.CLICK]: (element, args) => aimMouse(element, args, "click"),
  [ACTION.DBLCLICK]: (element, args) => aimMouse(element, args, "double-click"),
  [ACTION.HOVER]: (element, args) => aimMouse(element, args, "hover"),
  [ACTION.FILL]: (element, args) => aimText(element, args, args.value, fillable, () => args.value),
  [ACTION.TYPE]: (element, args) => aimText(element, args, args.text, typable, (before) => before.replace(/\n$/, "") + args.text),
  [ACTION.CLEAR]: (element, args) => aimText(element, args, "", clearable, () => ""),
  [ACTION.PRESS]: aimKey,
  [ACTION.SELECT]: aimOption,
  [ACTION.CHECK]: (element, args) => aimBox(element, args, ACTION.CHECK, true),
  [ACTION.UNCHECK]: (element, args) => aimBox(element, args, ACTION.UNCHECK, false),
  [ACTION.DRAG]: aimDrag,
};

async function aimMouse(element, args, action) {
  modifierFlags(args.modifiers);
  const heldMs = holdOf(args) || undefined;
  if (!heldMs && action !== "hover") await untilTicked();
  return { mouse: element, reached: await approach(element, args, action), heldMs, done: () => ({ heldMs }) };
}

/** Fields that take characters, and text that is edited in place; `meant` is what then stands there, of what stood there before. */
async function aimText(element, args, text, check, meant) {
  const rich = isRichText(element);
  if (typeof text !== "string") throw badArguments("The text must be a string.");
  if (rich) {
    requireEnabled(element, args.force);
    await requireVisible(element);
  } else {
    const passed = await check(element, args);
    const kind = String(element.type || "").toLowerCase();
    if (tagOf(element) === "input" && !TYPABLE.has(kind)) {
      const recovery = IN_PARTS.has(kind) ? BY_KEYS.parts : NO_REAL_INPUT;
      throw notReal(`Writing into ${spoken(element)}`, `a field of type ${kind} has parts or a picker of the browser's own`, recovery);
    }
    if (passed === false) return { nothing: true };
  }
  const keys = rich ? editableHost(element) : element;
  const active = deepActiveElement();
  const now = () => (rich ? richTextOf(keys) : element.value);
  const before = now();
  const wanted = meant(before);
  return {
    mouse: element,
    keys,
    reached: await reach(element, args.force),
    told: {
      focused: Boolean(active) && composedContains(keys, active),
      multiline: rich || tagOf(element) === "textarea",
    },
    done: () => ({
      valueChanged: now() !== before,
      alreadyAtValue: !rich && args.value === before,
      ...(rich ? rewrittenRichText(keys, wanted) : rewritten(element, wanted)),
    }),
  };
}

/** A real key goes to what has the focus. */
async function aimKey(element, args) {
  const before = isField(element) ? element.value : "";
  const stroke = await keyable(element, args);
  const all = ["body", "html"].includes(tagOf(element));
  if (all) takeFocus(deepActiveElement());
  const active = deepActiveElement();
  if (!all && !(active && composedContains(element, active))) {
    throw wrongTarget("press a key on", element, "A real key goes to what has the focus: name a field, a button or a link.");
  }
  const modifiers = Object.keys(MODIFIERS).filter((name) => stroke.flags[MODIFIERS[name]]);
  return { keys: element, told: { key: stroke.key, modifiers }, done: () => ({ valueChanged: isField(element) && element.value !== before }) };
}

/** One option of a list that stands open in the page. */
async function aimOption(element, args) {
  const options = await optionsToChoose(element, args);
  if (!(element.size > 1 || element.multiple)) {
    throw notReal("select", "the list opens in a window of the browser's own", BY_KEYS.list);
  }
  if (options.length !== 1) throw notReal("Choosing several options", "each of them is a click of its own");
  const [option] = options;
  if (areChosen(element, options)) return { nothing: true };
  const before = valueOf(element);
  return { mouse: option, reached: await reach(option, args.force), done: () => ({ valueChanged: valueOf(element) !== before }) };
}

async function aimBox(element, args, action, wanted) {
  const clicked = await boxToClick(element, args, action, wanted);
  if (!clicked) return { nothing: true };
  const who = { role: roleOf(element), name: nameOf(element) };
  const done = () => {
    const said = boxWarning(element, who, wanted);
    return { valueChanged: !said.warning, ...said };
  };
  return { mouse: clicked, reached: await reach(clicked, args.force), drawn: () => untilDrawn(element, who, wanted), done };
}

/** Both ends of a drag show at once, or it cannot be done in one move. */
async function aimDrag(element, args) {
  modifierFlags(args.modifiers);
  if (dragItems(args).length > 0) throw notReal("A drag with data", "what is dragged is what the app itself puts there");
  const onto = await endOfDrag(element, args, true);
  await reach(onto, args.force);
  const reached = await reach(element, args.force);
  if (!hitTest(onto).point) onto.scrollIntoView?.({ block: "nearest", inline: "nearest", behavior: "instant" });
  const [from, to] = [hitTest(element), hitTest(onto)];
  if (!from.point || !to.point) {
    throw new Refused(
      REFUSAL.NOT_VISIBLE,
      `${spoken(element)} and ${spoken(onto)} do not show at the same time.`,
      "Lease a taller window, scroll so that both show, or leave trusted out.",
    );
  }
  const before = placeOf(element);
  const done = (aim) => {
    const outcome = aim.dragged ? { dropped: aim.dropped } : {};
    const { effect, warning } = movedOrNot(element, before, outcome);
    return { ...outcome, after: () => ({ effect, warning }) };
  };
  return { mouse: element, reached: { ...from, scrolled: reached.scrolled }, to: windowPoint(onto, to.point), done };
}

/** A point on an element and not on another control that lies in it: a real click there would be that one's. */
function ownPoint(element, reached) {
  const isOwn = (one, hit) => reaches(one, hit) && (!composedContains(one, hit) || aimedAt(one, hit) === hit);
  if (isOwn(element, reached.hit)) return reached.point;
  const { point } = hitTest(element, isOwn);
  if (!point) throw occluded(element, reached.hit);
  return point;
}

/**
 * A point of an element's document as the browser counts: CSS pixels of the part of the page's window that shows. In a
 * frame of another origin that is the frame's: where that lies only the browser can tell.
 */
function windowPoint(element, point) {
  let at = point;
  let view = element.ownerDocument.defaultView;
  while (view !== window) {
    const frame = view.frameElement;
    at = aroundFrame(frame, at);
    view = frame.ownerDocument.defaultView;
  }
  const shown = view.visualViewport;
  return { x: at.x - (shown ? shown.offsetLeft : 0), y: at.y - (shown ? shown.offsetTop : 0) };
}

/** What covers an element takes a real click, whatever `force` says. */
async function aimAt(element, action, args) {
  if (Object.hasOwn(NOT_REAL, action)) throw notReal(action, ...NOT_REAL[action]);
  try {
    const expected = await AIMS[action](element, args);
    const { mouse, reached } = expected;
    if (!reached) return expected;
    if (reached.cover) throw occluded(mouse, reached.cover);
    const locked = mouse.ownerDocument.pointerLockElement;
    if (locked && !composedContains(mouse, locked)) {
      throw wrongTarget(`${action} by real input on`, mouse, "The page has locked the mouse to another element: do what lets it go first, or leave trusted out.");
    }
    return { ...expected, at: windowPoint(mouse, ownPoint(mouse, reached)) };
  } catch (error) {
    if (error.code === REFUSAL.OCCLUDED) {
      error.recovery = "Close or move what covers it, then act again; a real click goes to what lies on top.";
    }
    throw error;
  }
}

/** The `aim` command. */
function runAim(given) {
  return onWhatStands(given, "aim", aimOn);
}

async function aimOn({ action, args, element }) {
  const report = identify(element, action);
  const before = stateBefore(element);
  const watched = watchAct(element, action);
  let expected;
  try {
    expected = await aimAt(element, action, args);
  } catch (error) {
    watched.end();
    throw error;
  }
  if (expected.nothing) {
    return { done: actReport(element, before, NOTHING_TO_DO, watched.end(), { ...report, ...(await settle()), inputMode: "trusted" }) };
  }
  const aim = new Aim({ element, action, expected, report, before, watched });
  const told = { aim: aim.id, ...report, at: expected.at, to: expected.to, ...expected.told };
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined));
}
