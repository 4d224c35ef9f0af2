/*
 * The `animations` command: what runs now of CSS animations, transitions and `element.animate`, on which element.
 * Motion that an app paints itself, frame by frame, is none of the browser's animations and is not seen.
 */

/** Documents and open shadow roots, each of which knows the animations of its own elements alone. */
function animatedRoots() {
  const roots = new Set([document]);
  for (const element of elementsIn(document)) {
    roots.add(element.ownerDocument);
    if (element.shadowRoot) roots.add(element.shadowRoot);
  }
  return [...roots].filter((root) => typeof root.getAnimations === "function");
}

/** Kind and name as in `anim.start`. */
function motionOf(animation) {
  if (typeof animation.animationName === "string") return { kind: "animation", name: animation.animationName };
  if (typeof animation.transitionProperty === "string") return { kind: "transition", name: animation.transitionProperty };
  return { kind: "script", name: clip(scrub(String(animation.id || "animate")), LIMIT.NAME_CHARS) };
}

/** Whole milliseconds, or undefined for what is no time: no end, or a share of a way that is scrolled. */
function wholeMs(value) {
  return typeof value === "number" && Number.isFinite(value) ? Math.round(value) : undefined;
}

/** Times of one animation in milliseconds; `driver` is told where scrolling moves it and not time. */
function timingOf(animation) {
  const { effect, currentTime, playbackRate, timeline } = animation;
  const timing = effect.getComputedTiming();
  const driver = /^(Scroll|View)Timeline$/.exec(kindOf(timeline) || "");
  if (driver) return { driver: driver[1].toLowerCase() };
  const rest = playbackRate > 0 && typeof currentTime === "number" ? (timing.endTime - currentTime) / playbackRate : undefined;
  const timed = { currentMs: wholeMs(currentTime), durationMs: wholeMs(timing.duration) };
  if (timing.delay > 0) timed.delayMs = wholeMs(timing.delay);
  if (playbackRate !== 1) timed.playbackRate = playbackRate;
  if (timing.endTime === Infinity) timed.endless = true;
  else {
    if (timing.iterations !== 1) timed.iterations = timing.iterations;
    if (animation.playState === "running") timed.endsInMs = wholeMs(Math.max(0, rest));
  }
  return timed;
}

/** One animation as it is told; nothing where it moves no element of the app. */
function describeAnimation(animation) {
  const { effect } = animation;
  const target = effect && effect.target;
  if (!isElement(target) || isPanel(target)) return undefined;
  const told = { ...motionOf(animation), target: coverOf(target), state: animation.playState, ...timingOf(animation) };
  if (effect.pseudoElement) told.pseudo = effect.pseudoElement;
  return told;
}

/** The `animations` command; of many the first in the order of the page, and how many there are. */
function runAnimations(args) {
  allowOnly(args, [], "animations");
  const all = animatedRoots().flatMap((root) => root.getAnimations()).map(describeAnimation).filter(Boolean);
  const result = { animations: all.slice(0, LIMIT.ANIMATIONS), count: all.length };
  if (all.length > LIMIT.ANIMATIONS) result.truncated = true;
  if (window.matchMedia && window.matchMedia("(prefers-reduced-motion: reduce)").matches) result.reducedMotion = true;
  return result;
}
