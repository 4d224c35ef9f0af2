"""
Every word that travels: refusal codes, verdict values, event types, commands, actions, close codes.

The page script's own lists and the pages in ``docs/`` are compared with this module by
``tests/architecture``.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum


class Verified(StrEnum):
    """The three values of a verdict. Only ``YES`` is a pass."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


class VerifiedReason(StrEnum):
    """Why a verdict has its value; the order is the order of the ladder (DESIGN §6)."""

    INCONCLUSIVE = "inconclusive"
    OBSERVATION_LOST = "observation_lost"
    ASSERTION_FAILED = "assertion_failed"
    CONTRADICTED = "contradicted"
    EVIDENCE_INCOMPLETE = "evidence_incomplete"
    ABSENCE_BLIND_SPOT = "absence_blind_spot"
    ALREADY_TRUE = "already_true"
    UNCLEAN_CAPTURE = "unclean_capture"
    NOTHING_DECLARED = "nothing_declared"
    VACUOUS_GRADE = "vacuous_grade"
    OUTCOME_PENDING = "outcome_pending"
    OUTCOME_UNREAD = "outcome_unread"
    UNSETTLED = "unsettled"
    PROVED = "proved"


class Grade(IntEnum):
    """How strong the evidence of a claim is; higher is stronger."""

    NONE = 0
    PRESENCE = 1
    STATE = 2
    NET = 3
    SIGNAL = 4


class Capability(StrEnum):
    """What a principal may do (DESIGN §5). No hierarchy: each is granted by itself and implies no other."""

    OBSERVE = "observe"
    DRIVE = "drive"
    READ = "read"
    WRITE = "write"
    REVIEW = "review"
    CLAIM = "claim"
    APPLY = "apply"
    ADMIN = "admin"
    RECOVERY = "recovery"
    SURGICAL_RECOVERY = "surgical_recovery"


class RepositoryScope(StrEnum):
    """
    For which repository a grant must be (second seed, "Discovery"): the one that the call names, all of them,
    or the one that its page belongs to (DESIGN §5).
    """

    SINGLE_REPO = "single_repo"
    DAEMON_GLOBAL = "daemon_global"
    PAGE = "page"


class Toolset(StrEnum):
    """Which part of the surface a tool belongs to (DESIGN §2)."""

    VERIFY = "verify"
    WORK = "work"


class Exposure(StrEnum):
    """
    Who is shown a tool, and whom it answers: ``deprecated`` ones are no longer listed, ``handshake`` ones
    answer on the Unix socket alone, ``hidden`` ones nobody (second seed, "Tool Calls").
    """

    LISTED = "listed"
    DEPRECATED = "deprecated"
    HANDSHAKE = "handshake"
    HIDDEN = "hidden"


class Carrier(StrEnum):
    """How a call reached the gate; stands in its audit row."""

    SSE = "sse"
    HTTP = "http"
    STDIO = "stdio"
    SOCKET = "socket"
    EMBEDDED = "embedded"


class AuditTransport(StrEnum):
    """Which door a call, or a batch of facts, came through; stands in its audit row (seed, "Tool Calls")."""

    MCP = "mcp"
    RPC = "rpc"
    UI = "ui"
    INGEST = "ingest"


class TaskSupport(StrEnum):
    """Whether a call of a tool may run as a task of the tasks extension (MCP 2026-07-28)."""

    FORBIDDEN = "forbidden"
    OPTIONAL = "optional"
    REQUIRED = "required"


class LogLevel(StrEnum):
    """How grave a log message to a client is, mildest first (MCP "Logging"; RFC 5424)."""

    DEBUG = "debug"
    INFO = "info"
    NOTICE = "notice"
    WARNING = "warning"
    ERROR = "error"
    CRITICAL = "critical"
    ALERT = "alert"
    EMERGENCY = "emergency"


class RefusalCode(StrEnum):
    """Why a call was refused; the ``error`` field of a failed tool result."""

    # which page
    NO_SESSION = "no_session"
    MULTIPLE_SESSIONS = "multiple_sessions"
    UNKNOWN_SESSION = "unknown_session"
    SCOPE_MISMATCH = "scope_mismatch"
    SESSION_GONE = "session_gone"
    # the page now
    THROTTLED = "throttled"
    COMMAND_TIMEOUT = "command_timeout"
    PAGE_ERROR = "page_error"
    PAGE_BUSY = "page_busy"
    PAGE_HELD = "page_held"
    # the browser that the daemon drives
    NO_BROWSER = "no_browser"
    BROWSER_FAILED = "browser_failed"
    BROWSER_FULL = "browser_full"
    NOT_DRIVEN = "not_driven"
    # verdicts
    NO_SUCH_VERDICT = "no_such_verdict"
    NO_WINDOW = "no_window"
    # the element
    STALE_REF = "stale_ref"
    STALE_REF_AFTER_EDIT = "stale_ref_after_edit"
    NO_MATCH = "no_match"
    AMBIGUOUS_TARGET = "ambiguous_target"
    NO_SUCH_OPTION = "no_such_option"
    UNSUPPORTED_SURFACE = "unsupported_surface"
    NOT_EDITABLE = "not_editable"
    NOT_VISIBLE = "not_visible"
    OCCLUDED = "occluded"
    WRONG_TARGET = "wrong_target"
    CONFIRM_DANGEROUS = "confirm_dangerous"
    REF_OF_ANOTHER_PAGE = "ref_of_another_page"
    # the person at the page
    PAUSED = "paused"
    # the person at the client
    CANNOT_ASK = "cannot_ask"
    NOT_ANSWERED = "not_answered"
    INPUT_REQUIRED = "input_required"
    # the arguments
    BAD_ARGUMENTS = "bad_arguments"
    BAD_PREDICATE = "bad_predicate"
    METHOD_UNKNOWN = "method_unknown"
    NOT_FOUND = "not_found"
    CONFLICT = "conflict"
    # the work
    INVALID_TRANSITION = "invalid_transition"
    LEASE_ERROR = "lease_error"
    SESSION_INACTIVE = "session_inactive"
    SESSION_TOKEN_STALE = "session_token_stale"
    DISPLACED_SESSION_LIVE = "displaced_session_live"
    WORKFLOW_ERROR = "workflow_error"
    # what the work makes
    PATH_OUTSIDE_SCOPE = "path_outside_scope"
    WRITE_SCOPE_DRIFT = "write_scope_drift"
    ARTIFACT_ERROR = "artifact_error"
    VERDICT_MISSING = "verdict_missing"
    FRESH_REVIEW_BYTE_IDENTICAL = "fresh_review_byte_identical"
    # who asks
    TOKEN_MISSING = "token_missing"
    TOKEN_MALFORMED = "token_malformed"
    TOKEN_INVALID = "token_invalid"
    TOKEN_REVOKED = "token_revoked"
    TOKEN_EXPIRED = "token_expired"
    TOKEN_RATE_LIMITED = "token_rate_limited"
    CAPABILITY_MISSING = "capability_missing"
    CAPABILITY_SCOPE_MISMATCH = "capability_scope_mismatch"
    CAPABILITY_EXPIRED = "capability_expired"
    CAPABILITY_DENIED = "capability_denied"
    REPO_NOT_REGISTERED = "repo_not_registered"
    TOOL_HIDDEN = "tool_hidden"
    VERSION_INCOMPATIBLE = "version_incompatible"
    BAD_HOST = "bad_host"
    BAD_ORIGIN = "bad_origin"
    BAD_PEER = "bad_peer"
    # the daemon
    SHUTTING_DOWN = "shutting_down"
    NOT_READY = "not_ready"
    STORAGE_FAILED = "storage_failed"
    DAEMON_UNDER_LOAD = "daemon_under_load"
    CANCELLED = "cancelled"
    INTERNAL_ERROR = "internal_error"


class FaultCode(StrEnum):
    """What the other side broke; ``error.data.code`` of a JSON-RPC error (DESIGN §4)."""

    MALFORMED_BODY = "malformed_body"
    INVALID_REQUEST = "invalid_request"
    METHOD_UNKNOWN = "method_unknown"
    BAD_PARAMS = "bad_params"
    BATCH_UNSUPPORTED = "batch_unsupported"
    ALREADY_INITIALIZED = "already_initialized"
    DUPLICATE_REQUEST = "duplicate_request"
    TOO_MANY_CALLS = "too_many_calls"
    RESOURCE_UNKNOWN = "resource_unknown"
    PROMPT_UNKNOWN = "prompt_unknown"
    TASK_UNKNOWN = "task_unknown"
    WRONG_ERA = "wrong_era"
    HEADER_MISMATCH = "header_mismatch"
    VERSION_UNSUPPORTED = "version_unsupported"
    CLIENT_CAPABILITY_MISSING = "client_capability_missing"
    STATE_INVALID = "state_invalid"
    CANCELLED = "cancelled"
    SHUTTING_DOWN = "shutting_down"
    INTERNAL_ERROR = "internal_error"
    # Streamable HTTP
    SESSION_UNKNOWN = "session_unknown"
    SESSION_MISSING = "session_missing"
    TOO_MANY_SESSIONS = "too_many_sessions"
    STREAM_TAKEN = "stream_taken"
    EVENT_UNKNOWN = "event_unknown"
    NOT_ACCEPTABLE = "not_acceptable"
    UNSUPPORTED_MEDIA_TYPE = "unsupported_media_type"
    BODY_TOO_LARGE = "body_too_large"
    NOT_READY = "not_ready"
    STORAGE_FAILED = "storage_failed"


class JsonRpcCode(IntEnum):
    """JSON-RPC 2.0 §5.1 and MCP error numbers, and our own (DESIGN §2)."""

    PARSE_ERROR = -32700
    INVALID_REQUEST = -32600
    METHOD_NOT_FOUND = -32601
    INVALID_PARAMS = -32602
    INTERNAL_ERROR = -32603
    RESOURCE_NOT_FOUND = -32002
    HEADER_MISMATCH = -32020
    MISSING_CLIENT_CAPABILITY = -32021
    UNSUPPORTED_PROTOCOL_VERSION = -32022
    REQUEST_CANCELLED = -32800
    TOKEN = -31001
    BOUNDARY = -31003


class CommandName(StrEnum):
    """What the daemon asks of a page."""

    SNAPSHOT = "snapshot"
    QUERY = "query"
    MATCH = "match"
    READ = "read"
    ACT = "act"
    AIM = "aim"
    LANDED = "landed"
    STATE_READ = "state_read"
    NAVIGATE = "navigate"
    REFRESH = "refresh"
    INSPECT = "inspect"
    CAPABILITIES = "capabilities"
    STORAGE_READ = "storage_read"
    SCROLL = "scroll"
    ANIMATIONS = "animations"
    EXPLORE = "explore"
    PLACES = "places"
    NARRATE = "narrate"
    PRESENTER = "presenter"
    SESSION_CONFIG = "session_config"


class ActionName(StrEnum):
    """What an agent may do to an element with our own page script."""

    CLICK = "click"
    FILL = "fill"
    PRESS = "press"
    SELECT = "select"
    CHECK = "check"
    SUBMIT = "submit"
    DBLCLICK = "dblclick"
    HOVER = "hover"
    TYPE = "type"
    CLEAR = "clear"
    UNCHECK = "uncheck"
    FOCUS = "focus"
    BLUR = "blur"
    SCROLL_INTO_VIEW = "scrollIntoView"
    UPLOAD = "upload"
    DRAG = "drag"


class EventType(StrEnum):
    """What a page reports. Types of the published packages that we only pass on are not listed."""

    DOM_ADDED = "dom.added"
    DOM_REMOVED = "dom.removed"
    DOM_ATTR = "dom.attr"
    DOM_TEXT = "dom.text"
    VISIBLE_SHOWN = "visible.shown"
    NET_PENDING = "net.pending"
    NET_REQUEST = "net.request"
    NET_STREAM = "net.stream"
    ROUTE_CHANGE = "route.change"
    CONSOLE_LOG = "console.log"
    CONSOLE_INFO = "console.info"
    CONSOLE_DEBUG = "console.debug"
    CONSOLE_WARN = "console.warn"
    CONSOLE_ERROR = "console.error"
    ERROR_UNCAUGHT = "error.uncaught"
    SIGNAL = "signal"
    STATE_CHANGE = "state.change"
    PAGE_HEALTH = "page.health"
    BLIND_SPOT = "blind-spot"
    TRUNCATED = "truncated"
    TRANSPORT_OVERFLOW = "transport.overflow"
    SDK_FAILED = "sdk.failed"
    STORAGE_CHANGE = "storage.change"
    WORKER_MESSAGE = "worker.message"
    FOCUS_CHANGE = "focus.change"
    SCROLL_POSITION = "scroll.position"
    ANIM_START = "anim.start"
    ANIM_END = "anim.end"
    PERF = "perf"
    DOWNLOAD = "download"
    PAGE_OPENED = "page.opened"
    DIALOG = "dialog"
    EDIT_APPLIED = "edit.applied"
    REVEAL_SHOWN = "reveal.shown"
    RENDER_COMMIT = "render.commit"
    HUMAN_CONTROL = "human.control"
    HUMAN_MARK = "human.mark"


class ControlState(StrEnum):
    """What a person lets an agent do on a page (page-wire, "The panel")."""

    ACTIVE = "active"
    PAUSED = "paused"
    ENDED = "ended"


class DialogRule(StrEnum):
    """What a driven page's own dialogs (alert, confirm, prompt, beforeunload) are answered with at once."""

    ACCEPT = "accept"
    DISMISS = "dismiss"


class DownloadRule(StrEnum):
    """What becomes of a driven page's downloads."""

    KEEP = "keep"
    REFUSE = "refuse"


class CloseCode(IntEnum):
    """WebSocket close codes that we send (RFC 6455 §7.4.1); 1008 tells a page not to come back."""

    NORMAL = 1000
    GOING_AWAY = 1001
    PROTOCOL_ERROR = 1002
    INVALID_DATA = 1007
    POLICY = 1008
    TOO_BIG = 1009
    INTERNAL = 1011
    TRY_LATER = 1013
    TAB_GONE = 4001
    """Of our own (§7.4.2), never on a wire: a tab that the daemon opened is gone, and none comes after it."""


NOT_OBSERVED: frozenset[str] = frozenset({"[TRUNCATED]", "[REDACTED]", "[CIRCULAR]", "[UNSERIALIZABLE]"})
"""Strings that a page puts in place of a value it did not send; never evidence (page-wire §1.7)."""
