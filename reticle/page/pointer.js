/*
 * Where a pointer can reach an element: scroll there, find a point inside it that nothing else owns.
 */

/** Wait `ms`. */
function pause(ms) {
  return new native.Promise((resolve) => native.setTimeout(resolve, ms));
}

/** Let what the app put off until the end of an event happen, as a browser does after each of its own. */
async function microtasks() {
  for (let turn = 0; turn < 10; turn += 1) await native.Promise.resolve();
}

/** One task later: what lies between the press and the release of a quick hand. */
function beat() {
  return new native.Promise((resolve) => soon(resolve));
}

/** Wait for the next frame; at most 50 ms, because a hidden tab has none. */
function nextFrame() {
  return new native.Promise((resolve) => {
    native.setTimeout(resolve, 50);
    if (native.requestAnimationFrame && !document.hidden) native.requestAnimationFrame(() => resolve());
  });
}

/** Whether anything in the document moves by CSS or script animation. */
function isAnimated() {
  return hasLayout() && typeof document.getAnimations === "function" && document.getAnimations().length > 0;
}

/** Wait until an element stands still, at most LIMIT.STABLE_MS. */
async function untilStill(element) {
  if (!isAnimated()) return;
  const deadline = native.now() + LIMIT.STABLE_MS;
  let before = element.getBoundingClientRect();
  while (native.now() < deadline) {
    await nextFrame();
    const now = element.getBoundingClientRect();
    if (now.left === before.left && now.top === before.top && now.width === before.width) return;
    before = now;
  }
}

/** Points of the window to try, best first: middles, then a little inside the corners and edges, of each box. */
function* pointsIn(element) {
  const view = element.ownerDocument.defaultView;
  for (const point of tagOf(element) === "area" ? pointsInArea(element) : pointsInBoxes(element, view)) {
    if (point.x >= 0 && point.y >= 0 && point.x < view.innerWidth && point.y < view.innerHeight) yield point;
  }
}

/** Of what is larger than the window only the part that shows counts: its middle may be far outside. */
function shownPart(box, view) {
  const [left, top] = [Math.max(box.left, 0), Math.max(box.top, 0)];
  return { left, top, width: Math.min(box.right, view.innerWidth) - left, height: Math.min(box.bottom, view.innerHeight) - top };
}

function* pointsInBoxes(element, view) {
  for (const box of boxesOf(element).map((one) => shownPart(one, view))) {
    if (box.width <= 0 || box.height <= 0) continue;
    for (const [x, y] of [[0.5, 0.5], [0.5, 0.2], [0.5, 0.8], [0.2, 0.5], [0.8, 0.5], [0.15, 0.15], [0.85, 0.85]]) {
      yield { x: box.left + box.width * x, y: box.top + box.height * y };
    }
  }
}

/** The innermost element at a point of an element's own document, through shadow roots. */
function elementAt(owner, point) {
  let hit = owner.elementFromPoint(point.x, point.y);
  if (hit && isPanel(hit)) hit = owner.elementsFromPoint(point.x, point.y).find((other) => !isPanel(other)) || null;
  for (let depth = 0; hit && hit.shadowRoot && depth < 20; depth += 1) {
    const inner = hit.shadowRoot.elementFromPoint(point.x, point.y);
    if (!inner || inner === hit) break;
    hit = inner;
  }
  return hit;
}

/** A point of a frame's document, in the document that the frame stands in; a frame may be drawn larger or smaller. */
function aroundFrame(frame, point) {
  const box = frame.getBoundingClientRect();
  const style = styleOf(frame);
  const inset = (side) => parseFloat((style && style[`padding${side}`]) || "0") || 0;
  const scale = (drawn, own) => (own > 0 && drawn > 0 ? drawn / own : 1);
  return {
    x: box.left + (frame.clientLeft + inset("Left") + point.x) * scale(box.width, frame.offsetWidth),
    y: box.top + (frame.clientTop + inset("Top") + point.y) * scale(box.height, frame.offsetHeight),
  };
}

/** What covers the frame that a point lies in, or null. */
function frameCover(element, point) {
  let view = element.ownerDocument.defaultView;
  let at = point;
  while (view && view !== window) {
    const frame = view.frameElement;
    at = aroundFrame(frame, at);
    const hit = elementAt(frame.ownerDocument, at);
    if (hit && hit !== frame && !composedContains(frame, hit)) return hit;
    view = frame.ownerDocument.defaultView;
  }
  return null;
}

/** Whether a click that lands on `hit` is one on `element`: inside it, on its label, or on what it labels. */
function reaches(element, hit) {
  if (composedContains(element, hit) || (element.control && element.control === hit)) return true;
  if (!element.labels) return false;
  return [...element.labels].some((label) => composedContains(label, hit));
}

/**
 * Where to click, and what is in the way.
 * @param {Element} element
 * @param {(element: Element, hit: Element) => boolean} [fits] whether a click on `hit` will do
 * @returns {{point: {x: number, y: number}, hit: Element} | {cover: Element | null}}
 */
function hitTest(element, fits = reaches) {
  if (!hasLayout()) return { point: { x: 0, y: 0 }, hit: element };
  let cover = null;
  for (const point of pointsIn(element)) {
    const hit = elementAt(element.ownerDocument, point);
    if (!hit) continue;
    const outer = frameCover(element, point);
    if (!outer && fits(element, hit)) return { point, hit };
    cover = cover || outer || hit;
  }
  return { cover };
}

/**
 * Bring an element where it can be reached. Refuses when something covers it wherever it is scrolled to.
 * @param {Element} element
 * @param {boolean} [force] act on what is covered all the same; the answer's `cover` then says by what
 */
async function reach(element, force = false) {
  let scrolled = false;
  let found = { cover: null };
  const shown = shownBy(element);
  for (const block of [isInViewport(shown) || !hasLayout() ? null : "center", "center", "end", "start"]) {
    if (block) {
      shown.scrollIntoView?.({ block, inline: "nearest", behavior: "instant" });
      scrolled = true;
    }
    await untilStill(shown);
    requireThere(element);
    found = hitTest(element);
    if (found.point) return { ...found, scrolled };
  }
  const [box] = boxesOf(element);
  if (!force || !box) throw occluded(element, found.cover);
  const point = { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  return { point, hit: element, scrolled, cover: found.cover };
}

const MODIFIERS = { Alt: "altKey", Control: "ctrlKey", Meta: "metaKey", Shift: "shiftKey" };

/** The `modifiers` argument as a list. */
function modifierNames(given) {
  if (given === undefined || given === null) return [];
  if (!Array.isArray(given)) throw badArguments("modifiers must be a list of Alt, Control, Meta, Shift.");
  return given;
}

/** `["Control"]` → `{ctrlKey: true, …}`. */
function modifierFlags(given) {
  const names = modifierNames(given);
  const flags = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false };
  for (const name of names) {
    if (!Object.hasOwn(MODIFIERS, name)) throw badArguments(`There is no modifier ${clip(String(name), 40)}.`);
    flags[MODIFIERS[name]] = true;
  }
  return flags;
}
