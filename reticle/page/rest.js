/*
 * Whether the page has come to rest after what the app did last: a frame was drawn since, and then the event loop had
 * nothing left to run. That takes no fixed time, and a page that is too busy to have come so far does not pass for one
 * that is quiet.
 *
 * What is due later is not looked at here (pending.js tells it), only waited for while it may come soon.
 */

const rest = (() => {
  /** Between two looks while nothing stirs: what ends without an event is over then, as a motion is. */
  const LOOK_MS = 25;
  /** Where something may come unseen, or the browser cannot tell when its loop is empty: the daemon's CALM_MS. */
  const UNSURE_MS = 30;
  /** For so long nothing may be due; the daemon's QUIET_MS. */
  const QUIET_MS = 500;

  /** Whether something goes on that never leaves the page quiet. */
  function isRestless() {
    return document.hidden || streamsOpen > 0 || attempt("rest", () => pendingWork.hasBeat(QUIET_MS), true);
  }

  /** Whether nothing is under way, and nothing due. */
  function isDone() {
    return openRequests.size === 0 && attempt("rest", () => pendingWork.quietAhead() >= QUIET_MS && motionAndLoads.loads() === 0, false);
  }

  /** True once `begin` calls back; false where that takes until `end`. */
  function within(end, begin) {
    return new native.Promise((resolve) => {
      const timer = native.setTimeout(() => resolve(false), Math.max(0, end - native.now()));
      begin(() => {
        native.clearTimeout(timer);
        resolve(true);
      });
    });
  }

  /** Whether the empty loop says it all. Modules under way are known of a page that the daemon opened. */
  function isSure() {
    const unseen = attempt("unseen", unseenWays.names, ["unknown"]);
    return native.postTask !== undefined && unseen.every((way) => LAUNCH && way === "modules");
  }

  /** The loop had nothing left to run: a task that comes after all others ran. */
  function idle(end) {
    if (!isSure()) return within(end, (done) => native.setTimeout(done, UNSURE_MS));
    return within(end, (done) => native.postTask(done, { priority: "background" }));
  }

  /** What observers put off is there. */
  function look() {
    for (const work of beforeFlush) attempt("observe", () => work({ answers: true }));
  }

  const isDrawn = () => drawnChanges === changes || !native.requestAnimationFrame;

  async function come(limitMs) {
    const end = native.now() + limitMs;
    look();
    while (native.now() < end && !isRestless()) {
      if (!isDrawn() && !(await within(end, afterFrame))) return false;
      const seen = stirs;
      if (!(await idle(end))) return false;
      look();
      if (seen !== stirs || !isDrawn()) continue;
      if (isDone()) return true;
      await within(Math.min(end, native.now() + LOOK_MS), (done) => {
        onStir = done;
      });
      onStir = undefined;
    }
    return false;
  }

  return {
    /**
     * Wait until the page has come to rest, as long as it may; whether it has. One that cannot rest is not waited for.
     * @param {number} limitMs
     */
    come: (limitMs) => come(limitMs).catch(() => false),
  };
})();
