/*
 * The part of pending work that the document shows: finite animations that run, scripts, style sheets and frames that
 * are being fetched, the document that comes next, and what htmx still asks, swaps and settles.
 */

const motionAndLoads = (() => {
  /** Animations that ran and elements that were there before the last act, and elements that were fetched. */
  const notPending = new WeakSet();
  /** When an element was first seen to be fetched. */
  const met = new WeakMap();

  /** So many of the animations that code began are followed. */
  const BEGUN_MOST = 1000;

  const SCRIPT_TYPE = /^(|module|(text|application)\/(java|ecma)script)$/i;
  const FETCHED_LINK = /(^|\s)(stylesheet|modulepreload|preload)(\s|$)/i;
  const FETCHES = {
    script: (element) => element.src && !element.noModule && SCRIPT_TYPE.test(element.type),
    link: (element) => element.href && !element.disabled && FETCHED_LINK.test(element.rel),
    object: (element) => /^https?:/.test(element.data),
    embed: (element) => /^https?:/.test(element.src),
    iframe: (element) => /^https?:/.test(element.src) && element.loading !== "lazy",
  };

  /** Elements that are fetched or were. */
  function* fetching() {
    for (const [tag, fetches] of Object.entries(FETCHES)) {
      for (const element of document.getElementsByTagName(tag)) {
        if (!notPending.has(element) && fetches(element)) yield element;
      }
    }
  }

  /** Animations that code began, perhaps of what is in no document: no list of any document has these. */
  let begun = [];

  function isGoing(held) {
    const animation = held.deref();
    return animation !== undefined && animation.playState === "running";
  }

  /** Code let an animation run. */
  function moved(animation) {
    if (begun.length >= BEGUN_MOST) begun = begun.filter(isGoing).slice(1 - BEGUN_MOST);
    begun.push(new WeakRef(animation));
  }

  /** Animations of the document, of what it has in shadow, and of frames: a document lists its own alone. */
  function running() {
    const roots = hasInnerRoots ? [document, ...rootsInside(document)] : [document];
    const listed = roots.flatMap((root) => (typeof root.getAnimations === "function" ? root.getAnimations() : []));
    if (begun.length === 0) return listed;
    begun = begun.filter(isGoing);
    return [...new Set([...listed, ...begun.map((held) => held.deref())])];
  }

  /** How long an animation still takes, in milliseconds; undefined when it has no end or does not run. */
  function restOf(animation) {
    const { effect, currentTime, playbackRate } = animation;
    if (animation.playState !== "running" || !effect || typeof currentTime !== "number" || !(playbackRate > 0)) return undefined;
    if (effect.target && isPanel(effect.target)) return undefined;
    const { endTime } = effect.getComputedTiming();
    const rest = (Number(endTime) - currentTime) / playbackRate;
    return Number.isFinite(rest) && rest <= LIMIT.TIMER_WORK_MS ? Math.max(0, Math.round(rest)) : undefined;
  }

  /** Whether a frame was drawn since the document last changed: observers of boxes and of what shows speak then. */
  let drawn = true;

  /** The document changed. */
  function noteChange() {
    changed();
    if (!drawn || !native.requestAnimationFrame) return;
    drawn = false;
    afterFrame(() => { drawn = true; });
  }

  /** How long after its end the event of a motion may come: some frames. */
  const ENDED_MS = 100;
  /** So many frames are drawn after it at least, for a busy page draws them late; but a page may draw no more. */
  const ENDED_FRAMES = 2;
  const UNDRAWN_MS = 2000;
  /** When the last of the animations that were seen ends, and the frames that are still to come after that. */
  let movesUntil = -Infinity;
  let framesLeft = 0;
  let isCounting = false;

  function countFrames() {
    isCounting = framesLeft > 0;
    if (isCounting) native.requestAnimationFrame(() => soon(() => { framesLeft -= 1; countFrames(); }));
  }

  /** Whether the event of a motion that is over may still be waiting for its frame. */
  function isUntold(now) {
    if (framesLeft === 0 || !native.requestAnimationFrame || document.hidden || now > movesUntil + UNDRAWN_MS) return false;
    if (!isCounting) countFrames();
    return true;
  }

  /**
   * Whether an animation runs that has an end, which is an event and may be what the app waits for. It comes with a frame
   * after the end, when the animation is none any more.
   */
  function isMoving(now) {
    for (const { playState, effect, currentTime, playbackRate } of running()) {
      const rest = playState === "running" && effect ? (Number(effect.getComputedTiming().endTime) - currentTime) / playbackRate : NaN;
      if (!Number.isFinite(rest)) continue;
      movesUntil = Math.max(movesUntil, now + Math.max(rest, 0));
      framesLeft = ENDED_FRAMES;
    }
    return now < movesUntil || isUntold(now) || now < movesUntil + ENDED_MS;
  }

  /** The last navigation to another document and when it began, where the browser tells (Navigation API). */
  let leaving;

  /** Whether another document is on its way; one that never comes (a download, a 204) is given up like a script. */
  function isLeaving(now) {
    if (!leaving || leaving.event.defaultPrevented || leaving.event.signal.aborted) return false;
    return now - leaving.since <= LIMIT.TIMER_WORK_MS;
  }

  function watchNavigation(navigation) {
    listen(navigation, "navigate", "loads", (event) => {
      const { destination } = event;
      const stays = destination.sameDocument || event.hashChange || typeof event.downloadRequest === "string";
      if (!stays && /^https?:/.test(destination.url)) leaving = { event, since: native.now() };
    });
    // a router that took it over has shown its page
    for (const type of ["navigatesuccess", "navigateerror"]) listen(navigation, type, "loads", () => { leaving = undefined; });
  }

  /** Whether an animation of the app runs round after round, each of which may be told. */
  function isEndless() {
    return running().some(({ playState, effect }) => playState === "running" && effect && effect.getComputedTiming().endTime === Infinity && !(effect.target && isPanel(effect.target)));
  }

  function watchAnimations(view) {
    const began = (of) => (self) => ({
      returned(result) {
        moved(of(self, result));
        return result;
      },
    });
    replaceFunction(view.Element.prototype, "animate", "pending", began((element, animation) => animation));
    for (const name of ["play", "reverse"]) {
      replaceFunction(view.Animation && view.Animation.prototype, name, "pending", began((animation) => animation));
    }
  }

  return {
    watchAnimations,
    isMoving,
    isEndless,
    stirred: noteChange,
    isUndrawn: () => !drawn,
    /** None of what there is now is pending work from now on. */
    disown() {
      leaving = undefined;
      htmxWork.disown();
      browserWork.disown();
      for (const element of fetching()) notPending.add(element);
      for (const animation of running()) notPending.add(animation);
    },
    /** What is left of each animation. */
    motions() {
      const own = running().filter((animation) => !notPending.has(animation));
      return own.map(restOf).filter((rest) => rest !== undefined);
    },
    /** How many elements and documents are being fetched; what has not come after so long (or never will) is given up. */
    loads() {
      const now = native.now();
      let count = (isLeaving(now) ? 1 : 0) + htmxWork.count() + browserWork.count();
      for (const element of fetching()) {
        if (!met.has(element)) met.set(element, now);
        if (now - met.get(element) <= LIMIT.TIMER_WORK_MS) count += 1;
      }
      return count;
    },
    start() {
      if (window.navigation) watchNavigation(window.navigation);
      for (const type of ["load", "error"]) {
        listen(document, type, "loads", (event) => {
          if (isElement(event.target)) notPending.add(event.target);
        });
      }
    },
  };
})();

/** @param {Window} [view] this window, or that of a frame of this origin */
function startPendingWatch(view = window) {
  pendingWork.watch(view);
  browserWork.watch(view);
  motionAndLoads.watchAnimations(view);
  unseenWays.watch(view);
  if (view !== window) return;
  browserWork.start();
  motionAndLoads.start();
}
