/*
 * What the code that runs now goes back to: an action of the agent, or what the document began when it was loaded. It
 * is known at the events of an act and is carried on by what the app schedules and asks for; code that runs in the same
 * task, promises included, belongs to what the task does. Where a task begins that nobody followed, nothing is known.
 *
 * The rest is told by time in the daemon, so that in doubt nothing is said here: what was scheduled for something else
 * while the action's code ran may do the action's work too (batches, debounced saves, a scheduler's one message), and
 * what the action began and repeats goes on by itself.
 */

/** The cause of what a document does when it is loaded. */
const LOADED = "load";

/**
 * What tasks belong to. `act` is the number of its act in this document, 0 for the loading; `hops` counts the delays on
 * the way.
 * @typedef {{id: string, act: number, hops: number, later: Cause | null}} Cause
 */

const causes = (() => {
  /** So many delays in a row may lie between an act and what it causes; what comes again and again is told by its pace. */
  const MOST_HOPS = 2;
  const HOP_MS = 100;
  /** What was posted over one port and did not arrive yet; more has gone elsewhere. */
  const MOST_POSTED = 64;

  /** What can be told of, beside requests. */
  const TOLD = new Set([
    EVENT.DOM_ADDED, EVENT.DOM_REMOVED, EVENT.DOM_ATTR, EVENT.DOM_TEXT, EVENT.VISIBLE_SHOWN, EVENT.NET_PENDING, EVENT.STATE_CHANGE,
    EVENT.SIGNAL, EVENT.STORAGE_CHANGE, EVENT.ROUTE_CHANGE, EVENT.ERROR_UNCAUGHT, EVENT.CONSOLE_LOG, EVENT.CONSOLE_INFO,
    EVENT.CONSOLE_DEBUG, EVENT.CONSOLE_WARN, EVENT.CONSOLE_ERROR,
  ]);

  /** How many acts began in this document. */
  let acts = 0;
  /** The name that the next act has in the daemon. */
  let named;
  /** The act whose events are being sent. @type {Cause | null} */
  let acting = null;
  /** What a task belongs to of which nothing else is known: of a document that loads, to that. @type {Cause | null} */
  let base = document.readyState === "complete" ? null : { id: LOADED, act: 0, hops: 0, later: null };
  /** @type {Cause | null} */
  let current = base;
  /** Counts how often the act's own code began to run: what was scheduled before may since have got work of it. */
  let mark = 0;

  let ending = false;
  const end = () => {
    ending = false;
    current = base;
  };
  /** Asks for a task of ours: when it comes, what ran is over. */
  const untilNextTask = (() => {
    if (!native.MessageChannel) return () => native.setTimeout(end, 0);
    const channel = new native.MessageChannel();
    channel.port1.onmessage = end;
    return channel.port2.postMessage.bind(channel.port2, 0);
  })();

  /** What runs from here to the end of the task belongs to it. @param {Cause | null} cause */
  function enter(cause) {
    current = cause;
    if (cause === base || cause === null) return;
    if (cause.act === acts && acts > 0) mark += 1;
    if (ending) return;
    ending = true;
    untilNextTask();
  }

  /** A cause as it is behind one more delay, or null behind too many. */
  function delayed(cause) {
    if (cause.act === 0) return cause;
    if (cause.hops >= MOST_HOPS) return null;
    cause.later ??= { ...cause, hops: cause.hops + 1, later: null };
    return cause.later;
  }

  /** Whether what was scheduled so can only do the work of what it was scheduled by. */
  const isWhole = ({ cause, mark: then }) => (cause.act === acts && acts > 0) || then === mark;

  /** Port → what was posted to it. @type {WeakMap<MessagePort, {peer: MessagePort, waiting: ({cause: Cause, mark: number} | null)[]}>} */
  const ports = new WeakMap();

  const carry = () => (current === null ? null : { cause: current, mark });

  /** It runs within the app's own answers and listeners, into which nothing of ours may throw. */
  function resume(carried) {
    attempt("cause", () => enter(carried && isWhole(carried) ? carried.cause : null));
  }

  function arrived(port) {
    resume(ports.get(port)?.waiting.shift() ?? null);
  }

  function pair(one, other) {
    ports.set(one, { peer: other, waiting: [] });
    native.listen.call(one, "message", () => arrived(one));
  }

  /** A database answers what was asked by this code. */
  const answering = (types) => () => ({
    returned(asked) {
      const carried = carry();
      for (const type of types) native.listen.call(asked, type, () => resume(carried));
      return asked;
    },
  });

  const READING = ["get", "getKey", "getAll", "getAllKeys", "count", "openCursor", "openKeyCursor"];
  const WRITING = ["put", "add", "delete", "clear"];

  function watchDatabases(view) {
    const of = (name) => view[name] && view[name].prototype;
    const follow = (owner, names, types) => {
      for (const name of names) replaceFunction(of(owner), name, "cause", answering(types));
    };
    follow("IDBFactory", ["open", "deleteDatabase"], ["upgradeneeded", "success", "error"]);
    follow("IDBDatabase", ["transaction"], ["complete", "abort"]);
    follow("IDBObjectStore", [...READING, ...WRITING], ["success", "error"]);
    follow("IDBIndex", READING, ["success", "error"]);
  }

  /** What only a hand sends, in tasks of its own. */
  const STROKES = ["pointerdown", "pointerup", "mousedown", "mouseup", "click", "dblclick", "auxclick", "contextmenu", "keydown", "keyup", "wheel", "touchstart", "touchend", "dragstart", "drop"];
  /** What follows from that; some of it a script can bring about too, within its own task. */
  const FOLLOWING = ["keypress", "beforeinput", "input", "change", "submit", "focus", "focusin", "blur", "pointermove", "pointerover", "mousemove", "mouseover", "dragenter", "dragover", "dragend"];

  return {
    /** The name of what runs now, if an event of this type is told with it. */
    of: (type) => (current !== null && TOLD.has(type) ? current.id : undefined),
    /** The name of what runs now. */
    now: () => (current === null ? undefined : current.id),
    carry,
    /** The task of something that was asked for: an answer, a message. @param {{cause: Cause, mark: number} | null} carried */
    resume,
    /** A task begins of which nobody knows where it comes from. */
    boundary() {
      current = base;
    },

    /** What the daemon calls the act that comes. */
    name(action) {
      named = typeof action === "string" && action.length <= LIMIT.CAUSE_CHARS ? action : undefined;
    },
    begin() {
      acts += 1;
      mark += 1;
      base = current = null;
      acting = named === undefined ? null : { id: named, act: acts, hops: 0, later: null };
      named = undefined;
    },
    /** The act is done; what it set going goes on. */
    done() {
      acting = null;
    },
    /** Our hand is about to send an event, or to call what sends one. */
    strike() {
      if (acting !== null) enter(acting);
    },

    /**
     * A one-shot runs. `entry` has `delay`, and `carried` of when it was scheduled.
     * @param {"new" | "known" | "again"} ran whether the same code with the same delay ran before, and again for the same act
     */
    oneShot({ carried, delay }, ran) {
      if (carried === null) {
        enter(null);
        return;
      }
      const { cause } = carried;
      if (cause.act > 0 && cause.act === acts) enter(ran === "again" ? null : delay >= HOP_MS ? delayed(cause) : cause);
      else enter(ran !== "new" || isWhole(carried) ? cause : null);
    },
    /** An interval ticks. What the act began is the act's once; what ticked before it goes on as it did. */
    tick(entry) {
      const { carried, ticked } = entry;
      const cause = carried && carried.cause;
      entry.ticked ??= acts;
      if (cause === null || acts === 0 || ticked < acts) enter(cause);
      else enter(ticked === undefined && cause.act === acts ? delayed(cause) : null);
    },

    /** Something is posted over a port. */
    posted(port) {
      const known = ports.get(port);
      const there = known && ports.get(known.peer);
      if (!there) return;
      if (there.waiting.length < MOST_POSTED) there.waiting.push(carry());
      else for (const end of [port, known.peer]) ports.delete(end);
    },

    /** @param {Window} [view] this window, or that of a frame of this origin */
    watch(view = window) {
      replaceFunction(view, "MessageChannel", "cause", () => ({
        returned(channel) {
          pair(channel.port1, channel.port2);
          pair(channel.port2, channel.port1);
          return channel;
        },
      }), true);
      for (const type of STROKES) listen(view, type, "cause", (event) => event.isTrusted && enter(aims.open ? acting : null));
      for (const type of FOLLOWING) listen(view, type, "cause", (event) => event.isTrusted && aims.open && enter(acting));
      listen(view, "message", "cause", causes.boundary);
      watchDatabases(view);
      if (view !== window) return;
      listen(view, "load", "cause", (event) => {
        if (event.target === document) base = null;
      });
    },
  };
})();

/** @param {Window} [view] this window, or that of a frame of this origin */
function startCauseWatch(view = window) {
  causes.watch(view);
}
