/*
 * `scroll.position`, `anim.start` and `anim.end`: what moves.
 */

/** scroller → {top, timer, waiting} */
const scrolls = new WeakMap();

/** Report where a scroller stands, with the share of the way and the direction since the last report. */
function reportScroll(scroller, state) {
  const whole = scroller === pageScroller(scroller.ownerDocument);
  const way = scroller.scrollHeight - scroller.clientHeight;
  const y = Math.round(scroller.scrollTop);
  const x = Math.round(scroller.scrollLeft);
  if (y === state.y && x === state.x) return;
  const direction = y === state.y ? (x > state.x ? "right" : "left") : y > state.y ? "down" : "up";
  state.x = x;
  state.y = y;
  const fields = { x, y, percent: way > 0 ? Math.round((100 * scroller.scrollTop) / way) : 0, direction };
  if (!whole) fields.container = spoken(scroller);
  emitRated(EVENT.SCROLL_POSITION, fields, whole ? undefined : refs.of(scroller));
}

/** One report at the beginning, one in each LIMIT.SCROLL_MS, one at the end. */
function observeScroll(event) {
  const scroller = isElement(event.target) ? event.target : event.target.nodeType === 9 && pageScroller(event.target);
  if (!scroller || isPanel(scroller)) return;
  let state = scrolls.get(scroller);
  if (!state) {
    state = { x: 0, y: 0, timer: undefined, again: false };
    scrolls.set(scroller, state);
  }
  if (state.timer !== undefined) {
    state.again = true;
    return;
  }
  reportScroll(scroller, state);
  const wait = () => {
    state.timer = native.setTimeout(() => attempt("scroll", () => {
      state.timer = undefined;
      if (!state.again) return;
      state.again = false;
      reportScroll(scroller, state);
      wait();
    }), LIMIT.SCROLL_MS);
  };
  wait();
}

function reportMotion(type, element, fields) {
  if (!isElement(element) || isPanel(element)) return;
  emitRated(type, fields, refs.of(element));
}

/** Events of CSS animations and transitions, as what they tell. */
const MOTION = {
  animationstart: (event) => [EVENT.ANIM_START, { name: event.animationName, kind: "animation" }],
  animationend: (event) => [EVENT.ANIM_END, { name: event.animationName, kind: "animation" }],
  animationcancel: (event) => [EVENT.ANIM_END, { name: event.animationName, kind: "animation", cancelled: true }],
  transitionrun: (event) => [EVENT.ANIM_START, { name: event.propertyName, kind: "transition" }],
  transitionend: (event) => [EVENT.ANIM_END, { name: event.propertyName, kind: "transition" }],
  transitioncancel: (event) => [EVENT.ANIM_END, { name: event.propertyName, kind: "transition", cancelled: true }],
};

/** `element.animate(…)`. */
function observeAnimate(element) {
  return {
    returned(animation) {
      const fields = { name: clip(scrub(String(animation.id || "animate")), LIMIT.NAME_CHARS), kind: "script" };
      reportMotion(EVENT.ANIM_START, element, fields);
      listen(animation, "finish", "animation", () => reportMotion(EVENT.ANIM_END, element, fields));
      listen(animation, "cancel", "animation", () => reportMotion(EVENT.ANIM_END, element, { ...fields, cancelled: true }));
      return animation;
    },
  };
}

/** Listen in a document: ours, or that of a frame that we see into. */
function watchMotionIn(owner) {
  listen(owner, "scroll", "scroll", observeScroll);
  for (const [type, read] of Object.entries(MOTION)) {
    listen(owner, type, "animation", (event) => reportMotion(read(event)[0], event.target, read(event)[1]));
  }
}

function startMotionWatch() {
  watchMotionIn(document);
  replaceFunction(window.Element.prototype, "animate", "animation", observeAnimate);
}
