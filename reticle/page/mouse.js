/*
 * What a mouse sends: moving from one element to another, pressing, holding, releasing, clicking.
 */

/** What our mouse is over, so that leaving it is told too. */
let hovered = null;

/** Where the mouse waits for what the app drew anew under it; it was there before, and may press at once. */
let waitsAt = null;

/** Send one pointer or mouse event; answers false when it was prevented. */
function sendMouse(target, type, point, more) {
  const view = target.ownerDocument.defaultView;
  const pointer = /^(pointer|gotpointer|lostpointer)/.test(type) && typeof view.PointerEvent === "function";
  const fields = {
    bubbles: !/(enter|leave)$/.test(type),
    cancelable: !/(enter|leave|cancel)$/.test(type),
    composed: true,
    view,
    clientX: point.x,
    clientY: point.y,
    screenX: point.x + (view.screenX || 0),
    screenY: point.y + (view.screenY || 0),
    button: 0,
    ...more,
  };
  causes.strike();
  if (!pointer) return target.dispatchEvent(new view.MouseEvent(type, fields));
  Object.assign(fields, { pointerId: OUR_POINTER, pointerType: "mouse", isPrimary: true, width: 1, height: 1 });
  fields.pressure = fields.buttons ? 0.5 : 0;
  return target.dispatchEvent(new view.PointerEvent(type, fields));
}

/** An element and those around it in its own document, outermost first. */
function lineage(element) {
  const line = [];
  for (let node = element; node && node.ownerDocument === element.ownerDocument; node = composedParent(node)) {
    line.unshift(node);
  }
  return line;
}

/** Leave `before` (null: the mouse comes from outside) and enter `target`, in the words of one kind of event. */
function crossOver(kind, before, target, point, flags) {
  const left = before ? lineage(before) : [];
  const entered = lineage(target);
  if (before) {
    sendMouse(before, `${kind}out`, point, { ...flags, relatedTarget: target });
    for (const node of left.filter((one) => !entered.includes(one)).reverse()) {
      sendMouse(node, `${kind}leave`, point, { ...flags, relatedTarget: target });
    }
  }
  sendMouse(target, `${kind}over`, point, { ...flags, relatedTarget: before });
  for (const node of entered.filter((one) => !left.includes(one))) {
    sendMouse(node, `${kind}enter`, point, { ...flags, relatedTarget: before });
  }
}

/** Move the mouse to a point of `target`; crossing from one element to another is told to both. */
function moveMouse(target, point, flags, buttons = 0) {
  const held = { ...flags, buttons };
  const before = hovered && hovered.isConnected && hovered.ownerDocument === target.ownerDocument ? hovered : null;
  hovered = target;
  if (before !== target) {
    crossOver("pointer", before, target, point, { ...held, button: -1 });
    crossOver("mouse", before, target, point, held);
  }
  sendMouse(target, "pointermove", point, { ...held, button: -1 });
  sendMouse(target, "mousemove", point, held);
}

/** Focus as a mouse press does: the nearest focusable element, else nothing keeps the focus. */
function focusByPress(hit) {
  const wanted = composedClosest(hit, (node) => tagOf(node) !== "body" && isFocusable(node));
  if (wanted) giveFocus(wanted);
  else takeFocus(deepActiveElement());
}

/** What gets an event meant for `target`: itself, or what lies at the point now that the app took it out of the page. */
function stillThere(target, point) {
  if (target.isConnected) return target;
  return (hasLayout() && elementAt(target.ownerDocument, point)) || target.ownerDocument.body;
}

/** Press the button. @returns {boolean} whether mouse events follow: an app may prevent them at `pointerdown` */
function pressMouse(target, point, flags, detail = 1) {
  const down = { ...flags, buttons: 1, detail };
  const mouseFollows = sendMouse(target, "pointerdown", point, { ...down, detail: 0 });
  const receiver = stillThere(target, point);
  if (!mouseFollows || sendMouse(receiver, "mousedown", point, down)) focusByPress(stillThere(receiver, point));
  return mouseFollows;
}

function releaseMouse(receiver, point, flags, mouseFollows, detail = 1) {
  const up = { ...flags, buttons: 0, detail };
  sendMouse(receiver, "pointerup", point, { ...up, detail: 0 });
  if (mouseFollows) sendMouse(receiver, "mouseup", point, up);
}

/** Where inside an element the events start: where the mouse is, but not on another control that lies in it. */
function aimedAt(element, hit) {
  const inner = composedClosest(hit, (node) => node === element || INTERACTIVE_ROLES.has(roleOf(node)));
  return composedContains(element, hit) && inner === element ? hit : element;
}

const CLICK_LOST =
  "The app took what was pressed out of the page before the button came up: browsers then send no click, so none was sent. Look at what the page shows: where nothing came of the press, click again.";

/** What a click may take on a busy machine from its decision to the release; no interval should tick in it. */
const CLICK_MS = 60;
/** How long a click waits for such ticks at most, and how far apart they are where waiting helps. */
const TICK_WAIT_MS = 120;
const TICKS_APART_MS = 200;

/**
 * Let an interval tick that is about to: an app that draws anew at each tick would take what is pressed out of the page
 * in the middle of the click. The press itself is as it was: what the app does at it comes before the release. One-shots
 * are not waited for: that a click comes before them may be what goes wrong. Timers of a hidden tab come when they come.
 */
async function untilTicked() {
  const end = native.now() + TICK_WAIT_MS;
  for (;;) {
    const ms = attempt("tick", () => pendingWork.nextTick(TICKS_APART_MS), Infinity);
    if (ms > CLICK_MS || document.hidden || native.now() >= end) return;
    await pause(ms);
  }
}

/**
 * The whole sequence of a click, of several in a row, or of a long press.
 * @param {Element} element
 * @param {{point: {x: number, y: number}, hit: Element}} reached
 * @param {object} flags modifier keys
 * @param {{holdMs?: number, times?: number}} [more]
 * A browser sends no click when what was pressed is taken out of the page before the release; neither do we.
 * @returns {Promise<{prevented: boolean, warning?: string}>} whether the app prevented the default of the last click
 */
async function clickAt(element, { point, hit }, flags, { holdMs = 0, times = 1 } = {}) {
  let target = aimedAt(element, hit);
  let prevented = false;
  let lost = false;
  moveMouse(target, point, flags);
  const waited = waitsAt && waitsAt.x === point.x && waitsAt.y === point.y;
  waitsAt = null;
  if (!waited) {
    await beat();
    if (holdMs === 0) await untilTicked();
  }
  for (let detail = 1; detail <= times; detail += 1) {
    if (!target.isConnected) target = element.isConnected ? aimedAt(element, stillThere(target, point)) : null;
    if (!target && detail === 1) {
      waitsAt = waited ? null : point; // an app that draws anew at each movement gets its turn in between
      throw new Replaced(element); // nothing was pressed yet
    }
    if (!target) return { prevented, warning: CLICK_LOST };
    const mouseFollows = pressMouse(target, point, flags, detail);
    await (holdMs > 0 ? pause(holdMs) : beat());
    releaseMouse(stillThere(target, point), point, flags, mouseFollows, detail);
    await microtasks();
    if (target.isConnected) prevented = !sendMouse(target, "click", point, { ...flags, buttons: 0, detail });
    else lost = true;
    await microtasks();
  }
  return { prevented, ...(lost ? { warning: CLICK_LOST } : {}) };
}

/** Properties by which a style sheet shows and hides. */
const SHOWING = ["display", "visibility", "opacity", "height", "max-height", "transform", "pointer-events"];

/** Whether a style sheet shows or hides something while the mouse is over an element or something around it. */
function isHoverStyled(element) {
  const around = lineage(element);
  let left = LIMIT.STYLE_RULES;
  const concerns = (rule) => {
    left -= 1;
    if (left < 0) return false;
    if (rule.selectorText && rule.selectorText.includes(":hover") && SHOWING.some((name) => rule.style.getPropertyValue(name) !== "")) {
      return rule.selectorText.split(",").some((part) => {
        // what is hovered is what stands before ":hover"
        const [before] = part.split(":hover");
        const subject = part.includes(":hover") ? before.trim() || "*" : "";
        return subject !== "" && around.some((node) => attempt("selector", () => node.matches(subject), false));
      });
    }
    return rule.cssRules ? [...rule.cssRules].some(concerns) : false;
  };
  return [...element.ownerDocument.styleSheets].some((sheet) => {
    try {
      return [...sheet.cssRules].some(concerns);
    } catch {
      return false; // another origin's style sheet cannot be read
    }
  });
}
