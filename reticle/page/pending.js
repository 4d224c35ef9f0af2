/*
 * What the app has scheduled and has not done yet: one-shot timers, frames and idle callbacks, finite animations,
 * scripts and frames that are being fetched. A verdict waits for what an action set going, not for what goes on anyway.
 *
 * Ambient, and never told: what existed before the last act began; what the callback of something ambient or of an
 * interval schedules (clocks and poll loops go on in that way); and, once an act is done, code that goes on with the same
 * delay as something ambient, or as what ran twice for the act (a poll loop goes on when its answer is there).
 */

const pendingWork = (() => {
  /** How many acts began in this document. */
  let acts = 0;
  let acting = false;
  /** The act during which there was more than can be kept. */
  let lostIn = -1;
  /** What is being called back now, or null. @type {{act: number, ambient: boolean} | null} */
  let running = null;
  /** A new interval: ambient, and due again and again. */
  const intervalFor = (delay) => ({ act: 0, ambient: true, delay: 0, every: delay, due: native.now() + delay, carried: causes.carry() });
  /** One for each window, as `{view: WeakRef, functions: WeakRef, entries: Map[], intervals: Map}`. */
  let books = [];
  /** Whether there were more intervals than are kept. */
  let uncounted = false;

  const isAmbient = (entry) => entry.ambient || entry.act < acts;

  /** A new one-shot; it knows nothing of its callback, so that it keeps nothing alive. */
  function entryFor(callback, delay) {
    let ambient = running !== null && isAmbient(running);
    if (!ambient && !acting && callback) ambient = timerLoops.goesOn(callback, delay);
    return { due: native.now() + delay, delay, act: acts, ambient, carried: causes.carry() };
  }

  /** Remember it until it has run or is cleared. */
  function keep(book, key, entry) {
    if (book.size >= LIMIT.TIMERS) {
      // once an act, as it looks at all of them
      if (lostIn !== acts) forgetOverdue(book);
      if (book.size >= LIMIT.TIMERS) {
        lostIn = acts;
        return;
      }
    }
    book.set(key, entry);
  }

  /** What runs unseen counts as done a moment after its time. */
  function forgetOverdue(book) {
    const now = native.now();
    for (const [key, entry] of book) {
      if (entry.unseen ? entry.due + LIMIT.TIMER_GRACE_MS < now : wasClearedUnseen(entry, now)) book.delete(key);
    }
  }

  /** Call what was scheduled, as what it belongs to. */
  function during(entry, callback, self, args) {
    const around = running;
    running = entry;
    changed();
    try {
      return Reflect.apply(callback, self, args);
    } finally {
      running = around;
    }
  }

  /**
   * The callback as it is scheduled: the app's, called in the same way, with a note of what it belongs to. In a frame it
   * is a proxy made there: the browser completes relative addresses and stops dead callbacks by whose function it calls.
   */
  function calledBack(realm, callback, entry, before) {
    const run = (self, args) => {
      if (before) before();
      return during(entry, callback, self, args);
    };
    if (realm.view !== window) return new realm.Proxy(callback, { apply: (_, self, args) => run(self, args) });
    return function (...args) {
      return run(this, args);
    };
  }

  /** What is to be called for a one-shot: the callback itself where it is another window's, which then runs unseen. */
  function oneShot(realm, callback, entry, forget) {
    if (isForeign(realm, callback)) {
      entry.unseen = true;
      return callback;
    }
    return calledBack(realm, callback, entry, () => {
      forget();
      attempt("pending", () => causes.oneShot(entry, timerLoops.ran(callback, entry, entry.ambient || (entry.act === 0 && acts > 0))));
    });
  }

  function isForeign(realm, callback) {
    if (books.length === 1) return false;
    const others = books.filter((known) => known.view.deref() !== realm.view).map((known) => known.functions.deref());
    return attempt("pending", () => others.some((Other) => Other && callback instanceof Other), true);
  }

  /** A one-shot that is named by the number that the browser gives it. */
  function scheduling(realm, book, delayIn, takesText) {
    return (target, self, args) => {
      const [callback] = args;
      const callable = typeof callback === "function";
      if (inside > 0 || !(callable || takesText)) return Reflect.apply(target, self, args);
      const entry = attempt("pending", () => entryFor(callable ? callback : undefined, delayIn(args)));
      if (!entry) return Reflect.apply(target, self, args);
      let id;
      if (callable) args[0] = oneShot(realm, callback, entry, () => book.delete(id));
      else entry.unseen = true;
      id = Reflect.apply(target, self, args);
      keep(book, id, entry);
      return id;
    };
  }

  /** An interval: never pending work, but known to come. */
  const repeating = (realm, book) => (target, self, args) => {
    const [callback] = args;
    if (inside > 0) return Reflect.apply(target, self, args);
    const entry = intervalFor(attempt("pending", () => delayOf(args[1]), 0));
    if (typeof callback === "function" && !isForeign(realm, callback)) {
      args[0] = calledBack(realm, callback, entry, () => {
        entry.due = native.now() + entry.every;
        attempt("pending", () => causes.tick(entry));
      });
    } else entry.unseen = true;
    const id = Reflect.apply(target, self, args);
    if (book.size < LIMIT.TIMERS) book.set(id, entry);
    else uncounted = true;
    return id;
  };

  /** scheduler.postTask: named by nothing, ended by a signal. Its promise is left alone: a handler of ours would handle it. */
  const posting = (realm, book) => (target, self, args) => {
    const [callback, options] = args;
    const signal = attempt("postTask", () => plainOption(options, "signal"));
    if (inside > 0 || typeof callback !== "function" || (signal && signal.aborted)) return Reflect.apply(target, self, args);
    const key = {};
    const entry = attempt("postTask", () => entryFor(callback, delayOf(plainOption(options, "delay"))));
    if (!entry) return Reflect.apply(target, self, args);
    args[0] = oneShot(realm, callback, entry, () => book.delete(key));
    const promise = Reflect.apply(target, self, args);
    keep(book, key, entry);
    if (signal) attempt("postTask", () => native.listen.call(signal, "abort", () => book.delete(key), { once: true }));
    return promise;
  };

  /** Follow what a window schedules: this one, or that of a frame of this origin. */
  function watch(view) {
    const book = { timers: new Map(), frames: new Map(), idle: new Map(), tasks: new Map() };
    const intervals = new Map();
    // a frame that loads another document keeps the name of its window, and what it had scheduled is gone
    books = books.filter((known) => isThere(known.view.deref()) && known.view.deref() !== view);
    books.push({ view: new WeakRef(view), functions: new WeakRef(view.Function), entries: Object.values(book), intervals });
    const realm = { view, Proxy: view.Proxy };
    standIn(view, "setTimeout", scheduling(realm, book.timers, (args) => delayOf(args[1]), true));
    standIn(view, "clearTimeout", clearing(book.timers, intervals));
    standIn(view, "clearInterval", clearing(book.timers, intervals));
    standIn(view, "setInterval", repeating(realm, intervals));
    standIn(view, "requestAnimationFrame", scheduling(realm, book.frames, () => 0, false));
    standIn(view, "cancelAnimationFrame", clearing(book.frames));
    standIn(view, "requestIdleCallback", scheduling(realm, book.idle, () => 0, false));
    standIn(view, "cancelIdleCallback", clearing(book.idle));
    if (view.Scheduler) standIn(view.Scheduler.prototype, "postTask", posting(realm, book.tasks));
  }

  /** When each one-shot of the last act is due, in milliseconds from now. */
  function dues() {
    const now = native.now();
    const found = [];
    for (const { view, entries: kinds } of books) {
      if (!isThere(view.deref())) continue;
      for (const entries of kinds) {
        forgetOverdue(entries);
        for (const entry of entries.values()) {
          if (!isAmbient(entry)) found.push({ delay: entry.delay, ms: Math.max(0, Math.round(entry.due - now)) });
        }
      }
    }
    return found;
  }

  /**
   * For how many milliseconds nothing is due that we know of, ambient work included; 0 where something may come at any
   * time: an open socket, a document that still loads, a motion that ends, what the browser does out of sight (browser_work.js),
   * a tab whose timers are held back.
   */
  function quietAhead() {
    const now = native.now();
    if (uncounted || streamsOpen > 0 || document.hidden || document.readyState !== "complete" || motionAndLoads.isMoving(now)) return 0;
    let least = browserWork.quietFor();
    for (const { view, entries: kinds, intervals } of books) {
      if (!isThere(view.deref())) continue;
      for (const entries of [...kinds, intervals]) {
        for (const entry of entries.values()) least = Math.min(least, entry.unseen ? 0 : Math.max(0, Math.round(entry.due - now)));
      }
    }
    return least;
  }

  /** The intervals of this window and of its frames. */
  const intervalsThere = () => books.filter(({ view }) => isThere(view.deref())).flatMap(({ intervals }) => [...intervals.values()]);

  /** An act or a navigation begins: all that there is now is none of its work. */
  function begin() {
    acts += 1;
    acting = true;
    causes.begin();
    timerLoops.begin();
    for (const start of [motionAndLoads.disown, lostWords.begin, unkeyedRows.begin, themeSwitch.begin, forgetRequests]) attempt("pending", start);
  }

  /** What is pending, as the wire has it; undefined when it is not known. */
  function tell() {
    if (lostIn === acts) return undefined;
    const all = dues();
    const near = all.filter((one) => one.delay <= LIMIT.TIMER_WORK_MS).map((one) => one.ms);
    const far = all.filter((one) => one.delay > LIMIT.TIMER_WORK_MS && one.delay <= LIMIT.TIMER_TOLD_MS).map((one) => one.ms);
    const motions = motionAndLoads.motions();
    const told = { timers: near.length, animations: motions.length, loads: motionAndLoads.loads() };
    const times = [...near, ...motions];
    if (times.length > 0) [told.soonestMs, told.latestMs] = [Math.min(...times), Math.max(...times)];
    if (far.length > 0) told.laterMs = far.reduce((least, ms) => Math.min(least, ms));
    told.quietMs = quietAhead();
    if (motionAndLoads.isUndrawn() || browserWork.isStirred()) told.undrawn = true;
    // what cannot be looked at may be in use
    const unseen = attempt("unseen", unseenWays.names, ["unknown"]);
    if (unseen.length > 0) told.unseen = unseen;
    for (const tells of [lostWords.tell, unkeyedRows.tell, themeSwitch.tell]) Object.assign(told, attempt("pending", tells, {}));
    return told;
  }

  return {
    watch,
    begin,
    quietAhead,
    /** In how many milliseconds an interval ticks next, of those that leave at least `apart` between two ticks; 0 when it is late. */
    nextTick: (apart) => Math.min(...intervalsThere().filter(({ every, unseen }) => every >= apart && !unseen).map(({ due }) => Math.max(0, due - native.now()))),
    /** Whether an interval ticks faster than that. */
    hasBeat: (ms) => intervalsThere().some(({ every }) => every < ms),
    /** The act is done; what it set going goes on. */
    end: () => {
      acting = false;
      causes.done();
    },
    tell: () => attempt("pending", tell),
  };
})();
