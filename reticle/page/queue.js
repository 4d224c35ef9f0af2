/*
 * Events on their way to the daemon: numbered, redacted, batched; capped while there is no socket, with every
 * loss declared.
 */

/** Evicted first: what a page makes in masses and a verdict seldom needs. Order: cheapest first. */
const LOW_VALUE = [
  new Set([EVENT.CONSOLE_DEBUG, EVENT.PAGE_HEALTH, EVENT.NET_STREAM, EVENT.SCROLL_POSITION, EVENT.ANIM_START, EVENT.ANIM_END, EVENT.PERF, EVENT.REVEAL_SHOWN, EVENT.RENDER_COMMIT, EVENT.WORKER_MESSAGE]),
  new Set([EVENT.DOM_ATTR, EVENT.DOM_TEXT, EVENT.CONSOLE_LOG, EVENT.CONSOLE_INFO]),
  new Set([EVENT.DOM_ADDED, EVENT.DOM_REMOVED, EVENT.STATE_CHANGE]),
];

/** What a busy page makes in each frame and what comes late anyway: it may wait for company while nobody asks. */
const PATIENT = new Set([EVENT.PERF, EVENT.RENDER_COMMIT]);
const PATIENT_MS = 250;

/** Until then, in the clock of `native.now`, an agent is taken to look at this page. */
let askedUntil = 0;

function isAsked() {
  return native.now() < askedUntil;
}

/** How often the app's code was hot-updated in this document (watch_edits.js); said in every event from then on. */
let editEpoch = 0;

class EventQueue {
  /** @param {() => void} wake called once when something waits; asks for a `drain` soon */
  constructor(wake) {
    this.wake = wake;
    this.waiting = [];
    this.nextSeq = 1;
    this.awake = false;
    this.resting = false;
    /** Type → count of what was evicted since the last declaration. */
    this.dropped = new Map();
  }

  /** Number and keep one event. `fields` must be plain and redacted; `cause` is what it goes back to, if that is known. */
  add(type, fields, ref, cause = causes.of(type)) {
    const event = { seq: this.nextSeq, t: elapsedMs(), type, documentId: identity.documentId, data: fields };
    if (ref) event.ref = ref;
    if (cause) event.cause = cause;
    if (editEpoch > 0) event.editEpoch = editEpoch;
    this.nextSeq += 1;
    this.waiting.push(event);
    if (type !== EVENT.PAGE_HEALTH && !PATIENT.has(type)) stirred();
    if (this.waiting.length > LIMIT.QUEUE_EVENTS) this.evict();
    if (this.awake) return;
    if (PATIENT.has(type) && !isAsked()) this.rest();
    else {
      this.awake = true;
      this.wake();
    }
  }

  /** Wake a little later, unless something comes that does not wait: what such a page says in each frame goes together. */
  rest() {
    if (this.resting) return;
    this.resting = true;
    native.setTimeout(() => {
      this.resting = false;
      if (this.awake || this.waiting.length === 0) return;
      this.awake = true;
      this.wake();
    }, PATIENT_MS);
  }

  /** Make room: some of the cheapest, oldest first; when all are dear, the oldest. */
  evict() {
    let left = LIMIT.QUEUE_EVICT;
    const drop = (event) => {
      left -= 1;
      this.dropped.set(event.type, (this.dropped.get(event.type) || 0) + 1);
      return false;
    };
    for (const cheap of LOW_VALUE) {
      this.waiting = this.waiting.filter((event) => !(left > 0 && cheap.has(event.type)) || drop(event));
      if (left <= 0) return;
    }
    while (left > 0) drop(this.waiting.shift());
  }

  /** Everything that waits, as texts of `events` messages, oldest first; a loss is declared at the end. */
  drain() {
    this.awake = false;
    if (this.dropped.size > 0) {
      const channels = Object.fromEntries(this.dropped);
      const total = [...this.dropped.values()].reduce((sum, count) => sum + count, 0);
      this.dropped = new Map();
      this.waiting.push({
        seq: this.nextSeq,
        t: elapsedMs(),
        type: EVENT.TRANSPORT_OVERFLOW,
        documentId: identity.documentId,
        data: { dropped: total, channels },
      });
      this.nextSeq += 1;
    }
    const waiting = this.waiting;
    this.waiting = [];
    return batches(waiting);
  }
}

/** Texts of `events` messages, each within what one message may hold. */
function batches(events) {
  const messages = [];
  let parts = [];
  let chars = 0;
  const close = () => {
    if (parts.length > 0) messages.push(`{"kind":"events","events":[${parts.join(",")}]}`);
    parts = [];
    chars = 0;
  };
  for (const event of events) {
    const text = native.stringify(event);
    if (parts.length >= LIMIT.BATCH_EVENTS || chars + text.length > LIMIT.BATCH_CHARS) close();
    parts.push(text);
    chars += text.length;
  }
  close();
  return messages;
}

/** Turned into batches by the connection; set up there because each needs the other. */
const queue = new EventQueue(() => soon(() => connection.flush()));

/**
 * Work that observers put off (mutation records): done before events are sent, and told when an answer goes with them,
 * after which nothing that came before may be missing.
 * @type {((about?: {answers: boolean}) => void)[]}
 */
const beforeFlush = [];

/**
 * Report one event.
 * @param {string} type a member of EVENT
 * @param {object} fields redacted here
 * @param {string} [ref]
 */
function emit(type, fields, ref) {
  queue.add(type, plain(fields), ref);
}

/** At most `LIMIT.STREAM_EVENTS_PER_SECOND` of one channel; the rest is declared once a second. */
const rates = new Map();
function emitRated(type, fields, ref) {
  const second = Math.floor(elapsedMs() / 1000);
  let rate = rates.get(type);
  if (!rate || rate.second !== second) {
    if (rate && rate.over > 0) emit(EVENT.TRUNCATED, { channel: type, dropped: rate.over });
    rate = { second, sent: 0, over: 0 };
    rates.set(type, rate);
  }
  if (rate.sent < LIMIT.STREAM_EVENTS_PER_SECOND) {
    rate.sent += 1;
    emit(type, fields, ref);
    return;
  }
  rate.over += 1;
  if (rate.over === 1) native.setTimeout(() => attempt("rate", () => declareOver(type, rate)), 1000);
}

function declareOver(type, rate) {
  if (rate.over > 0) emit(EVENT.TRUNCATED, { channel: type, dropped: rate.over });
  rate.over = 0;
}
