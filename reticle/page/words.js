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
  STORAGE_CHANGE: "storage.change",
  WORKER_MESSAGE: "worker.message",
  FOCUS_CHANGE: "focus.change",
  SCROLL_POSITION: "scroll.position",
  ANIM_START: "anim.start",
  ANIM_END: "anim.end",
  PERF: "perf",
  DOWNLOAD: "download",
  PAGE_OPENED: "page.opened",
  DIALOG: "dialog",
  EDIT_APPLIED: "edit.applied",
  REVEAL_SHOWN: "reveal.shown",
  RENDER_COMMIT: "render.commit",
  HUMAN_CONTROL: "human.control",
  HUMAN_MARK: "human.mark",
});

/** Commands (codes.CommandName). */
const COMMAND = Object.freeze({
  SNAPSHOT: "snapshot",
  QUERY: "query",
  MATCH: "match",
  READ: "read",
  ACT: "act",
  AIM: "aim",
  LANDED: "landed",
  STATE_READ: "state_read",
  NAVIGATE: "navigate",
  REFRESH: "refresh",
  INSPECT: "inspect",
  CAPABILITIES: "capabilities",
  STORAGE_READ: "storage_read",
  SCROLL: "scroll",
  ANIMATIONS: "animations",
  EXPLORE: "explore",
  PLACES: "places",
  NARRATE: "narrate",
  PRESENTER: "presenter",
  SESSION_CONFIG: "session_config",
});

/** Actions (codes.ActionName). */
const ACTION = Object.freeze({
  CLICK: "click",
  FILL: "fill",
  PRESS: "press",
  SELECT: "select",
  CHECK: "check",
  SUBMIT: "submit",
  DBLCLICK: "dblclick",
  HOVER: "hover",
  TYPE: "type",
  CLEAR: "clear",
  UNCHECK: "uncheck",
  FOCUS: "focus",
  BLUR: "blur",
  SCROLL_INTO_VIEW: "scrollIntoView",
  UPLOAD: "upload",
  DRAG: "drag",
});

/** Refusal codes the page may give (a subset of codes.RefusalCode). */
const REFUSAL = Object.freeze({
  STALE_REF: "stale_ref",
  STALE_REF_AFTER_EDIT: "stale_ref_after_edit",
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
  /** How long net.request waits for a body that may have no end, plain text. */
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
  /** Fields of a large store that one comparison looks at. */
  STORE_COMPARED: 200000,
  /** Values of a store that is copied at each look although it need not be. */
  STORE_COPIED: 1000,
  /** A look at a store that takes longer is followed by a rest of so many times its cost, and so long at most. */
  STORE_LOOK_MS: 1,
  STORE_REST: 20,
  STORE_REST_MS: 500,
  /** A store that is compared again and again: at most this often. */
  STORE_POLL_MS: 100,
  /** Elements and components that are looked at for stores that nobody registered, and stores that are taken. */
  DISCOVERY_NODES: 3000,
  DISCOVERED: 50,
  SNAPSHOT_NODES: 400,
  SNAPSHOT_UNREAD: 50,
  TREE_DEPTH: 250,
  FRAME_DEPTH: 3,
  /** Origins around a framed page (limits.ANCESTORS). */
  ANCESTORS: 8,
  QUERY_ELEMENTS: 200,
  MATCH_ELEMENTS: 20,
  CANDIDATES: 5,
  OPTIONS: 50,
  HEARTBEAT_MS: 5000,
  /** Press-and-hold and hovering. */
  HOLD_MS: 30000,
  /** Characters of one `type`, each of which is some key strokes for the app. */
  TYPED_CHARS: 5000,
  /** One uploaded file. */
  UPLOAD_CHARS: 1048576,
  /** Intermediate moves of a drag. */
  DRAG_STEPS: 8,
  TESTIDS: 500,
  /** Names of signals, stores and flows that are kept. */
  DECLARED: 500,
  STORAGE_KEYS: 200,
  STORAGE_CHARS: 1024,
  /** Running animations that one answer tells of. */
  ANIMATIONS: 100,
  /** Things to operate that one answer lists. */
  EXPLORED: 200,
  PLACES: 200,
  PLACES_KNOWN: 5000,
  /** Databases, stores of one and records of one store that an answer tells. */
  DATABASES: 10,
  DATABASE_STORES: 50,
  DATABASE_RECORDS: 50,
  /** How long a database may take to open: another tab may be changing it. */
  DATABASE_MS: 2000,
  /** Writes of one transaction that are told one by one. */
  DATABASE_WRITES: 200,
  /** Shapes and labels of one drawing that are looked at, and faults of it that are told. */
  CHART_MARKS: 2000,
  CHART_LABELS: 200,
  CHART_FAULTS: 10,
  /** Records of loads that wait for their request's end to be told. */
  RESOURCES: 250,
  /** Values longer than this are not compared for writes that no method call made. */
  STORAGE_COMPARED_CHARS: 65536,
  /** scroll.position: one at most in this time and one at its end, for each scroller. */
  SCROLL_MS: 100,
  HOOKS: 100,
  /** Sections whose coming into view is watched. */
  REVEALED: 200,
  /** render.commit: one at most in this time. */
  COMMITS_MS: 100,
  /** Colour tokens of a theme that are compared. */
  TOKENS: 500,
  /** Style rules that one look at the style sheets goes through. */
  STYLE_RULES: 5000,
  /** blob: URLs that are remembered. */
  BLOB_URLS: 200,
  /** Lines of the panel's log. */
  PANEL_LINES: 20,
  NOTE_CHARS: 2000,
  IDLE_END_MS: 300000,
  IDLE_END_MIN_MS: 5000,
  /** One-shot timers of one kind and window that are followed. */
  TIMERS: 5000,
  /** Loops that are told apart. */
  TIMER_CODES: 500,
  /** A longer name of an action is not told (limits.CAUSE_CHARS). */
  CAUSE_CHARS: 64,
  /** How long after its time a timer with code as text counts as run. */
  TIMER_GRACE_MS: 50,
  /** How long after its time, and after that was noticed, a one-shot of a visible page that did not run is given up. */
  TIMER_LATE_MS: 2000,
  TIMER_MISSED_MS: 200,
  /** A one-shot with a longer delay is not what an action waits for (limits.PENDING_WAIT_MS). */
  TIMER_WORK_MS: 5000,
  /** A one-shot with a longer delay is the app's housekeeping and not even told. */
  TIMER_TOLD_MS: 60000,
  SETTLE_MS: 200,
  REST_MS: 1000,
  /** How long strokes may take between `aim` and `landed`, a held mouse not counted: a long text takes some seconds. */
  AIM_MS: 15000,
  STABLE_MS: 300,
  /** For how long after it began an action is named to a probed server, unless another one begins. */
  ACTION_MS: 10000,
  RETRY_FIRST_MS: 250,
  RETRY_MAX_MS: 30000,
  /** A socket that lived this long was a good one: the next retry starts small again. */
  RETRY_RESET_MS: 5000,
  REFS_PER_BLOCK: 100,
  SELF_FAILURES: 20,
});
