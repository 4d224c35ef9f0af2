/*
 * Dragging: the mouse pressed, moved in steps with real places, released; where the browser would make it HTML5
 * drag and drop, that instead, with one DataTransfer from its beginning to its end.
 */

/** What a drag ends on. Refused when it resolves to nothing: a drag to nowhere is never done. */
function dropTarget(element, args, real) {
  if (args.toRef !== undefined && args.toRef !== null) {
    if (args.target) throw badArguments("Give either args.toRef or args.target, not both.");
    if (!isRef(args.toRef)) throw badArguments(`${clip(String(args.toRef), 40)} is not a ref; refs look like e12.`);
  } else if (!args.target) {
    throw badArguments("drag needs args.toRef or args.target, the element to drop on.");
  }
  const onto = resolveTarget({ ref: args.toRef, target: args.target });
  if (onto.ownerDocument !== element.ownerDocument && !real) {
    throw new Refused(
      REFUSAL.UNSUPPORTED_SURFACE,
      `${spoken(element)} and ${spoken(onto)} lie in different frames.`,
      "A drag from one frame into another needs a real mouse: trusted: true in a browser that the daemon drives.",
    );
  }
  if (onto === element) throw badArguments("The drag's end is the element itself; nothing would move.", "Name the element to drop on.");
  return onto;
}

/** `data` as a list of `{mime, value}`. */
function dragItems(args) {
  const items = args.data === undefined || args.data === null ? [] : [args.data].flat();
  for (const item of items) {
    const fits = item && typeof item === "object" && typeof item.mime === "string" && typeof item.value === "string";
    if (!fits) throw badArguments("data is {mime, value} or a list of those, all of them text.");
  }
  return items;
}

/** What the browser would drag when the mouse moves with this element pressed, or null. */
function draggedBy(element) {
  return composedClosest(element, (node) => node.draggable === true);
}

/** Where an element stands: parent, position, place in the page, what it says. */
function placeOf(element) {
  const box = element.getBoundingClientRect();
  const view = element.ownerDocument.defaultView;
  const parent = element.parentNode;
  return {
    parent,
    index: parent ? [...parent.childNodes].indexOf(element) : -1,
    at: `${Math.round(box.left + view.scrollX)} ${Math.round(box.top + view.scrollY)}`,
    text: fold(element.textContent),
  };
}

function isMoved(element, before) {
  if (!element.isConnected) return true;
  const now = placeOf(element);
  return Object.keys(before).some((key) => before[key] !== now[key]);
}

/** Give the app time to draw; a hidden tab has no frames. */
function breath() {
  return document.hidden ? beat() : nextFrame();
}

/** Points between two, the first one a short way off so that thresholds are crossed one by one. */
function* between(from, to) {
  for (let step = 1; step <= LIMIT.DRAG_STEPS; step += 1) {
    const share = step / LIMIT.DRAG_STEPS;
    yield { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
  }
}

/** The one drag by mouse that is under way. */
class Drag {
  constructor(element, onto, { point, hit }, flags) {
    this.element = element;
    this.onto = onto;
    this.start = point;
    /** Where the mouse is. */
    this.last = point;
    this.target = aimedAt(element, hit);
    this.flags = flags;
    /** The element under the mouse in the drag and drop phase. */
    this.over = null;
    this.transfer = null;
    this.capture = new Capture(element.ownerDocument.defaultView);
  }

  /** Who gets pointer events now: whoever captured the pointer, else what lies under it. */
  receiver(point) {
    this.capture.settle(point, this.flags);
    const { captor } = this.capture;
    const under = hasLayout() ? elementAt(this.element.ownerDocument, point) : this.onto;
    return captor || under || this.element;
  }

  async moveTo(point) {
    this.last = point;
    moveMouse(this.receiver(point), point, this.flags, 1);
    await breath();
  }

  /** Send one drag event; answers false when it was prevented, which for `dragover` means: may be dropped here. */
  send(target, type, point) {
    const view = target.ownerDocument.defaultView;
    const fields = {
      bubbles: true,
      cancelable: !/^(dragend|dragleave)$/.test(type),
      composed: true,
      view,
      clientX: point.x,
      clientY: point.y,
      screenX: point.x + (view.screenX || 0),
      screenY: point.y + (view.screenY || 0),
      buttons: 1,
      ...this.flags,
    };
    causes.strike();
    if (typeof view.DragEvent === "function") {
      return target.dispatchEvent(new view.DragEvent(type, { ...fields, dataTransfer: this.transfer }));
    }
    const event = new view.MouseEvent(type, fields);
    Object.defineProperty(event, "dataTransfer", { value: this.transfer });
    return target.dispatchEvent(event);
  }

  /** One step of drag and drop. @returns {boolean} whether what lies here would take the drop */
  stepOver(source, point) {
    this.send(source, "drag", point);
    const under = (hasLayout() ? elementAt(this.element.ownerDocument, point) : this.onto) || this.onto;
    if (under !== this.over) {
      const left = this.over;
      this.over = under;
      this.send(under, "dragenter", point);
      if (left && left.isConnected) this.send(left, "dragleave", point);
    }
    return !this.send(under, "dragover", point);
  }

  /** The whole drag, from the press to the release. @returns {Promise<{dropped?: boolean, cover?: Element | null}>} */
  async pull(args, items) {
    const { start, flags, target } = this;
    moveMouse(target, start, flags);
    const mouseFollows = pressMouse(target, start, flags);
    await breath();
    const { point: end, cover } = await dropPoint(this.onto, args);
    const points = hasLayout() ? [...between(start, end)] : [...between({ x: 0, y: 0 }, { x: 80, y: 80 })];
    const source = draggedBy(target) || (items.length > 0 ? this.element : null);
    if (source && mouseFollows) {
      await this.moveTo({ x: start.x + 2, y: start.y + 2 });
      const outcome = await this.dragAndDrop(source, points, items);
      if (outcome) return { ...outcome, cover };
    }
    for (const point of points) await this.moveTo(point);
    releaseMouse(this.receiver(this.last), this.last, flags, mouseFollows);
    return { cover };
  }

  /** HTML5 drag and drop from `dragstart` on; null when the app prevented it. */
  async dragAndDrop(source, points, items) {
    const view = source.ownerDocument.defaultView;
    this.transfer = typeof view.DataTransfer === "function" ? new view.DataTransfer() : null;
    for (const { mime, value } of items) this.transfer?.setData(mime, value);
    if (!this.send(source, "dragstart", this.start)) return null;
    sendMouse(this.target, "pointercancel", this.start, { ...this.flags, buttons: 0 });
    this.capture.end(this.start, this.flags);
    let takes = false;
    let last = this.start;
    for (const point of points) {
      await breath();
      takes = this.stepOver(source, point);
      last = point;
    }
    if (takes) this.send(this.over, "drop", last);
    else if (this.over) this.send(this.over, "dragleave", last);
    if (source.isConnected) this.send(source, "dragend", last);
    return { dropped: takes };
  }
}

/** Where to drop: inside the target as it lies now, scrolled to when it does not show. */
async function dropPoint(onto, args) {
  const found = isInViewport(shownBy(onto)) ? hitTest(onto) : {};
  if (found.point) return found;
  try {
    return await reach(onto, args.force);
  } catch (error) {
    // the button is down: what is done already is not begun anew
    throw error instanceof Replaced ? occluded(onto, null) : error;
  }
}

/** What a drag must pass, by a real mouse or ours. @returns {Promise<Element>} what it ends on */
async function endOfDrag(element, args, real = false) {
  const onto = dropTarget(element, args, real);
  requireEnabled(element, args.force);
  for (const end of [element, onto]) {
    await requireVisible(end);
    // "Drop files here" is what a place to drop on says
    guardDanger(end, args, isSubmitButton(end), end === onto ? /\bdrop\b/gi : undefined);
  }
  return onto;
}

/** `drag`. The effect's `moved` says whether the element is elsewhere, or another, when it is all over. */
async function drag(element, args) {
  const flags = modifierFlags(args.modifiers);
  const items = dragItems(args);
  const onto = await endOfDrag(element, args);
  await reach(onto, args.force);
  const reached = await reach(element, args.force);
  const before = placeOf(element);
  const run = new Drag(element, onto, reached, flags);
  try {
    const outcome = await run.pull(args, items);
    return { scrolled: reached.scrolled, cover: outcome.cover || reached.cover, dropped: outcome.dropped, after: () => movedOrNot(element, before, outcome) };
  } finally {
    run.capture.end(run.last, flags);
  }
}

function movedOrNot(element, before, { dropped }) {
  const moved = isMoved(element, before);
  if (moved) return { effect: { moved } };
  const why = dropped === false ? "the place where it was dropped did not take it" : "it stands where it stood and says what it said";
  return { effect: { moved }, warning: `Nothing moved: ${why}.` };
}
