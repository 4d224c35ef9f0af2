/*
 * The vocabulary of the wire and every limit of the page script.
 * A test compares these lists with reticle/model/codes.py; the wire is docs/protocol/page-wire.md.
 */

/** Event types (codes.EventType). */
const EVENT = Object.freeze({
  DOM_ADDED: "dom.added",
  DOM_REMOVED: "dom.removed",
  DOM_ATTR: "dom.attr",
  DOM_TEXT: "dom.text",
  VISIBLE_SHOWN: "visible.shown",
  NET_PENDING: "net.pending",
  NET_REQUEST: "net.request",
  NET_STREAM: "net.stream",
  ROUTE_CHANGE: "route.change",
  CONSOLE_LOG: "console.log",
  CONSOLE_INFO: "console.info",
  CONSOLE_DEBUG: "console.debug",
  CONSOLE_WARN: "console.warn",
  CONSOLE_ERROR: "console.error",
  ERROR_UNCAUGHT: "error.uncaught",
  SIGNAL: "signal",
  STATE_CHANGE: "state.change",
  PAGE_HEALTH: "page.health",
  BLIND_SPOT: "blind-spot",
  TRUNCATED: "truncated",
  TRANSPORT_OVERFLOW: "transport.overflow",
  SDK_FAILED: "sdk.failed",
});

/** Commands (codes.CommandName). */
const COMMAND = Object.freeze({
  SNAPSHOT: "snapshot",
  QUERY: "query",
  MATCH: "match",
  READ: "read",
  ACT: "act",
  STATE_READ: "state_read",
  NAVIGATE: "navigate",
  REFRESH: "refresh",
});

/** Actions (codes.ActionName). */
const ACTION = Object.freeze({
  CLICK: "click",
  FILL: "fill",
  PRESS: "press",
  SELECT: "select",
  CHECK: "check",
  SUBMIT: "submit",
});

/** Refusal codes the page may give (a subset of codes.RefusalCode). */
const REFUSAL = Object.freeze({
  STALE_REF: "stale_ref",
  NO_MATCH: "no_match",
  AMBIGUOUS_TARGET: "ambiguous_target",
  NO_SUCH_OPTION: "no_such_option",
  UNSUPPORTED_SURFACE: "unsupported_surface",
  NOT_EDITABLE: "not_editable",
  NOT_VISIBLE: "not_visible",
  OCCLUDED: "occluded",
  WRONG_TARGET: "wrong_target",
  CONFIRM_DANGEROUS: "confirm_dangerous",
  BAD_ARGUMENTS: "bad_arguments",
  PAGE_ERROR: "page_error",
});

/** What stands in place of a value that is not sent (codes.NOT_OBSERVED). */
const REDACTED = "[REDACTED]";
const TRUNCATED = "[TRUNCATED]";
const CIRCULAR = "[CIRCULAR]";
const UNSERIALIZABLE = "[UNSERIALIZABLE]";

/** Limits, unit in the name. */
const LIMIT = Object.freeze({
  /** Captured characters of one body (limits.NET_BODY_CHARS). */
  BODY_CHARS: 8192,
  /** How long net.request waits for a body. */
  BODY_WAIT_MS: 500,
  /** A longer JSON body is not parsed for redaction, only scrubbed as text. */
  BODY_PARSE_CHARS: 262144,
  CONSOLE_CHARS: 4096,
  STACK_CHARS: 4000,
  ERROR_CHARS: 4096,
  TEXT_CHARS: 200,
  NAME_CHARS: 80,
  PREVIEW_CHARS: 200,
  VALUE_CHARS: 65536,
  URL_CHARS: 4096,
  /** Events held while there is no socket. */
  QUEUE_EVENTS: 2000,
  /** Evicted together, so that a flood costs one pass in this many events. */
  QUEUE_EVICT: 200,
  /** One events message: count and characters (the daemon takes 4 MiB). */
  BATCH_EVENTS: 500,
  BATCH_CHARS: 786432,
  /** One result message; three bytes for each character still fit. */
  RESULT_CHARS: 1300000,
  /** Above this many unsent bytes events stay in the capped queue. */
  SOCKET_BYTES: 8388608,
  /** Per mutation batch and kind of change. */
  DOM_BATCH: 200,
  STREAM_EVENTS_PER_SECOND: 200,
  STORE_CHANGES: 40,
  SNAPSHOT_NODES: 400,
  SNAPSHOT_UNREAD: 50,
  TREE_DEPTH: 250,
  FRAME_DEPTH: 3,
  QUERY_ELEMENTS: 200,
  MATCH_ELEMENTS: 20,
  CANDIDATES: 5,
  OPTIONS: 50,
  HEARTBEAT_MS: 5000,
  SETTLE_MS: 200,
  STABLE_MS: 300,
  RETRY_FIRST_MS: 250,
  RETRY_MAX_MS: 30000,
  /** A socket that lived this long was a good one: the next retry starts small again. */
  RETRY_RESET_MS: 5000,
  REFS_PER_BLOCK: 100,
  SELF_FAILURES: 20,
});
