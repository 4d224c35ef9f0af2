"""
Every limit, with its unit in its name and the reason for its number beside it.
"""

from __future__ import annotations

from typing import Final

# --- who may do what --------------------------------------------------------------------------
TOKEN_LIFE_SECONDS: Final = 3_600
"""How long a token counts whose life nobody named; a session's work, and short when it is lost."""

TOKEN_LONGEST_LIFE_SECONDS: Final = 366 * 86_400
"""A token is renewed once a year at least, so that a forgotten one ends."""

TOKENS_LISTED: Final = 200
"""Tokens or repositories of one answer; more would fill an agent's context."""

GRANTS_ASKED: Final = 100
"""Grants that one call may ask for: ten capabilities in ten repositories."""

DISPLAY_NAME_CHARS: Final = 100
"""A name for people fits a line of a list."""

REPOSITORY_ORIGINS: Final = 20
"""Addresses of one repository's app: its pages, its API, a few ports."""

PATH_CHARS: Final = 4_096
"""A path; Linux has no longer ones (PATH_MAX)."""

GRANT_NOTICE_SECONDS: Final = 0.2
"""Within it several changes of tokens are told once; a person does not notice the wait."""

GRANT_LOOK_SECONDS: Final = 600.0
"""How often grants that end are looked for at least, so that a clock that was set is noticed."""

RIGHTS_KEPT: Final = 1_024
"""Tokens whose rights are kept as worked out, 10 µs of work each; more than one machine has agents."""

LISTINGS_KEPT: Final = 256
"""Lists of tools kept ready, one for each revision and kind of rights; there are a dozen kinds in use, and a
list is made in a millisecond."""

# --- the HTTP side -----------------------------------------------------------------------------
DEFAULT_PORT: Final = 4400
"""The port existing clients and page packages dial without being told."""

HTTP_BODY_BYTES: Final = 8 * 1024 * 1024
"""A JSON-RPC message; the largest real ones carry a pasted file. Over it: 413, before buffering."""

FAST_HEAD_BYTES: Final = 4096
"""A head that is read in the fast lane. Clients send 300 to 700 bytes; longer ones take the ordinary road."""

REJECTED_BODY_SECONDS: Final = 2.0
"""How long the rest of a body that got 413 is read and dropped, so that the answer is not reset away."""

REQUEST_BODY_SECONDS: Final = 60.0
"""How long a whole request body may take to arrive; the largest takes 2 s at 4 MB/s."""

HTTP_IDLE_SECONDS: Final = 60.0
"""How long a connection may be silent between or inside requests; open streams are exempt."""

LOGGED_PATH_CHARS: Final = 200
"""How much of a path a log line keeps."""

METRIC_LABELS: Final = 200
"""Different values one metric label may have; further ones count as ``other``."""

SSE_KEEPALIVE_SECONDS: Final = 15.0
"""Proxies drop silent streams after 30 to 60 s; one sweep serves all streams."""

OUTBOX_BYTES: Final = 32 * 1024 * 1024
"""What one slow reader may hold in memory: one 20 MB answer and some; over it its stream is ended."""

OUTBOX_FRAMES: Final = 10_000
"""As OUTBOX_BYTES, for floods of small frames."""

MCP_SESSIONS: Final = 20_000
"""Open streams; above it new ones get 503. Each costs about 10 KB, so this bounds memory near 200 MB."""

DRAIN_SECONDS: Final = 2.0
"""How long a stop waits for farewells to reach readers; unread streams are cut then (issue: 2 s at most)."""

CALLS_IN_FLIGHT: Final = 64
"""Calls one MCP session may have running; agents run a handful."""

RETRY_AFTER_SECONDS: Final = 1
"""What 503 tells a client while the daemon starts or stops."""

MCP_SESSION_IDLE_SECONDS: Final = 1_800.0
"""A Streamable session without open stream or call is put out of memory then; its id stays good."""

MCP_SESSION_AGE_SECONDS: Final = 7 * 86_400
"""How long after its issue a Streamable session id can bring its session back (DESIGN §4)."""

ENDED_SESSIONS_KEPT: Final = 100_000
"""Ended session ids kept on disk, some 10 MB; when older ones have to go, no older id is brought back."""

PREFERENCES_KEPT: Final = 20_000
"""Sessions whose log level and subscriptions are kept for the next life; as many as can be open at once."""

PREFERENCES_BYTES: Final = 16_384
"""One session's subscriptions as kept; an agent follows a handful of resources."""

REPLAY_EVENTS: Final = 1_000
REPLAY_BYTES: Final = 8 * 1024 * 1024
REPLAY_SECONDS: Final = 300.0
"""Events of one session that a client which lost its stream can still get; a reconnect takes seconds."""

REPLAY_ALL_BYTES: Final = 128 * 1024 * 1024
"""As REPLAY_BYTES, of all sessions together."""

EVENT_ID_CHARS: Final = 64
"""A ``Last-Event-ID``; ours have some 20 characters."""

RESUMABLE_AFTER_SECONDS: Final = 0.25
"""A longer call answers on a stream with event ids, where the client can resume one (2025-11-25)."""

STREAM_AFTER_SECONDS: Final = 15.0
"""A call that takes longer answers on a stream, where keepalives show proxies that it lives."""

RETRY_MS: Final = 500
"""What a stream tells its client to wait before it comes back (SEP-1699)."""

# --- MCP ---------------------------------------------------------------------------------------
JSON_DEPTH: Final = 64
"""Nesting of a JSON-RPC message; deeper ones are refused before they cost recursion."""

BATCH_MESSAGES: Final = 100
"""Messages in one 2025-03-26 batch."""

RESOURCE_URI_CHARS: Final = 2_048
"""The address of a resource; ours are short, and subscriptions keep it."""

SUBSCRIPTIONS: Final = 256
"""Resources that one client may subscribe to; each has an id of a page or verdict in it."""

QUESTIONS_PENDING: Final = 16
"""Questions to one client that wait for an answer; a person sees them one by one."""

QUESTION_SECONDS: Final = 300.0
"""How long a client may take to answer; a person reads the question and decides."""

REQUEST_ID_CHARS: Final = 256
"""A JSON-RPC id; real ones are numbers or UUIDs, and each is kept while its call runs and echoed."""

ERROR_TEXT_CHARS: Final = 2_000
"""An error echo keeps both ends of what was sent and no more."""

ARGUMENT_TEXT_CHARS: Final = 65_536
"""One string argument of a tool."""

ARGUMENT_VALUES: Final = 20_000
"""Values in one call's arguments, at any depth; looking through so many takes some 20 ms."""

INSTRUCTIONS_CHARS: Final = 2_000
"""Claude Code cuts instructions at 2,048 characters."""

TOOLS_ADVERTISED: Final = 20
"""Tools in ``tools/list``; some editors budget 40 over all their servers (DESIGN §2)."""

LIST_PAGE: Final = 100
"""Entries in one part of a list that a client pages through; every list of ours but the pages fits in one."""

COMPLETIONS: Final = 100
"""Values in one completion; MCP allows no more."""

PAGE_NOTICE_SECONDS: Final = 1.0
"""Between two tellings that a page shows something else; a client that subscribed reads it each time."""

PAGES_OFFERED: Final = 20
"""Pages among which a person is asked to choose; more fit on no form."""

DISCOVERY_FRESH_MS: Final = 300_000
"""How long ``server/discover`` may be cached: it changes only with the daemon's version."""

LIST_FRESH_MS: Final = 60_000
"""How long a list may be cached by a client that does not listen for its changes."""

REQUEST_STATE_SECONDS: Final = 3_600
"""How long a person may take to answer a question of a 2026-07-28 call before it has to begin again."""

REQUEST_STATE_CHARS: Final = 65_536
"""A sealed state that goes to a client and back; it holds the answers of earlier rounds, which are short."""

EXCHANGES_IN_FLIGHT: Final = 1_024
"""2026-07-28 requests that run at once, all clients together: they have no session that could count them."""

LISTENERS: Final = 1_024
"""Clients listening for changes at once by ``subscriptions/listen``; each holds a stream open."""

LISTENED_NAMES: Final = 256
"""Resources and tasks that one listening client may name."""

TASKS_KEPT: Final = 512
"""Tasks that run or whose result waits to be fetched, all clients together; a result is at most an answer."""

TASKS_OF_ONE: Final = 64
"""Tasks of one principal, so that one agent cannot take everybody's."""

TASK_SECONDS: Final = 900.0
"""How long a task is kept from its start, running or not; the longest wait of a tool is a minute."""

TASK_POLL_MS: Final = 500
"""How often we ask clients to look at a task; those that listen need not."""

TASK_GRACE_SECONDS: Final = 0.5
"""A call that may become a task and is over by then is answered at once: a task costs a second request."""

PROGRESS_SECONDS: Final = 0.25
"""Progress of one call is told at most this often, completion aside; agents show it to people."""

PEER_NAME_CHARS: Final = 128
"""A tool's or client's name as the other side wrote it, in audit rows, logs and messages."""

# --- the page bridge ---------------------------------------------------------------------------
PAGE_MESSAGE_BYTES: Final = 4 * 1024 * 1024
"""One WebSocket message from a page; over it: close 1009."""

MESSAGE_EVENTS: Final = 1_000
"""Events in one message; our script sends 500 at most. A message of more is lost, and the loss declared."""

PANEL_COMMANDS: Final = 64
"""Commands for one page's panel that wait for their answer; a page that answers none is not asked more."""

EVENT_DATA_BYTES: Final = 128 * 1024
"""Data of one event, more than two bodies that need six bytes a character; more is a declared loss."""

RESULT_VALUES: Final = 250_000
"""Values in the answer to a command, some 40 ms of decoding; an answer of more is not read."""

LONE_SURROGATES: Final = 20_000
"""Half characters that are mended in one message, some 8 ms; a message of more is not read."""

HELLO_SECONDS: Final = 5.0
"""How long a socket may stay silent before its hello."""

PENDING_HELLOS: Final = 128
"""Sockets of this machine that may wait for their hello at once, as many as pages; more get 1013."""

PENDING_STRANGERS: Final = 16
"""As PENDING_HELLOS, for sockets that loopback does not vouch for: a hello must bring a token (DESIGN §3)."""

PAGES: Final = 128
"""Pages connected at once; more get 1013."""

COMMAND_SECONDS: Final = 8.0
"""How long a page may take to answer a command before the call is refused."""

PING_SECONDS: Final = 20.0
"""WebSocket ping interval; a peer that answers none for two intervals is gone."""

CLOSE_SECONDS: Final = 2.0
"""How long we wait for the peer's close frame before the socket is cut."""

SUCCESSOR_SECONDS: Final = 2.0
"""How long a read whose page went away waits for the page to dial in again; a reload takes less."""

FAREWELL_SECONDS: Final = 1.0
"""How long after its replacement a document's last events still count as its own, not as another tab's."""

STALE_SECONDS: Final = 12.0
"""A page silent for this long is throttled or lost (its heartbeat comes every 5 s)."""

PAGE_EVENTS: Final = 10_000
"""Events kept per page; eviction is counted and impeaches what needed the lost ones."""

PAGE_EVENT_BYTES: Final = 16 * 1024 * 1024
"""Bytes of events kept per page."""

PAGE_EVENTS_PER_SECOND: Final = 20_000
"""Above it a flood is sampled, with the loss declared; the socket is never closed for it."""

PAGE_UNSENT_BYTES: Final = 8 * 1024 * 1024
"""Unsent bytes towards one page; a page that does not read that much is cut off."""

CLOSE_REASON_BYTES: Final = 123
"""RFC 6455 §5.5: a control frame holds 125 bytes, two of them the code."""

SESSION_ID_CHARS: Final = 128
URL_CHARS: Final = 4_096
TITLE_CHARS: Final = 512
ADAPTERS: Final = 32
ANCESTORS: Final = 8
"""Bounds of a hello's fields; longer text is cut, never refused (page-wire §3.1)."""

EVENT_TYPE_CHARS: Final = 64
REF_CHARS: Final = 128
DOCUMENT_ID_CHARS: Final = 64
CAUSE_CHARS: Final = 64
COMMAND_ERROR_CHARS: Final = 4_096
"""Bounds of an event's and a result's fields; longer text is cut, never refused (page-wire §7)."""

CHANGES_REMEMBERED: Final = 200
"""How many events before a window are looked through for what changed already; a busy page's last seconds."""

ANSWERS_REMEMBERED: Final = 60
"""Ended requests of a page that later windows may compare with; each is at most some 20 KB."""

ACTIONS_REMEMBERED: Final = 200
"""When so many newest actions on a page began: more than the answers that they are held against came of."""

TRACKED_REQUESTS: Final = 1_000
"""Open requests remembered per page, and as many ended ones; a page with more open ones is a load test."""

LOSS_RUNS: Final = 8
LOSS_CHANNELS: Final = 64
"""Losses are kept per channel and cause as so many stretches; older stretches are merged, never dropped."""

HISTORY_MARKS: Final = 256
"""Document changes, connection changes and blind spots remembered per page, to answer for past windows."""

BLIND_SPOT_KINDS: Final = 32
"""Kinds of blind spots told apart per page; the known scripts have 8. More count as hiding anything."""

HUMAN_MESSAGES: Final = 200
"""Messages of a person that wait for the agent, per page; the oldest go first, and their number is told."""

HUMAN_TEXT_CHARS: Final = 2_000
"""One message or note of a person; the panel takes no more either."""

MARKS: Final = 100
"""Elements a person has flagged on one page; beyond it resolved ones make room first."""

FORMER_PAGES: Final = 16
"""Pages whose socket is gone that can still be read; each may hold PAGE_EVENT_BYTES."""

DEMOTED_SOCKETS: Final = 8
"""Older sockets of one session id left open (parked documents, duplicated tabs); the oldest are closed."""

GIVEN_REFS: Final = 50_000
"""Refs of one document told apart from those of others, for pages that number them anew; 4 MB at most."""

RECENT_REFUSALS: Final = 32
"""Refused dials remembered for ``reticle_sessions`` and ``reticle doctor``."""

AGENTS_REMEMBERED: Final = 512
"""Conversations of which the gate knows page, refs and unproved actions; the least recent are forgotten."""

REFS_REMEMBERED: Final = 5_000
"""Refs of one page that one agent was shown; a ref that is forgotten is only no longer told from others'."""

PAGES_REMEMBERED: Final = 8
"""Pages whose refs one agent was shown."""

ALL_REFS_REMEMBERED: Final = 400_000
"""Refs that all agents were shown, some 25 MB; those of the least recent agents are forgotten first."""

UNPROVED_ACTIONS: Final = 3
"""After so many actions without a verdict the answer reminds of one (reticle-tools §1.3, ``verify_next``)."""

AGE_WARNING_SECONDS: Final = 600.0
"""A page an agent has not used for so long may be another one by now (``session_age_warning``)."""

STALE_PAGE_SECONDS: Final = 1_800.0
"""A page silent for this long is listed as stale."""

SHOWN_PROJECTS: Final = 3
"""Projects named in one sentence about earlier lives; the rest is a number."""

# --- waiting and verdicts ----------------------------------------------------------------------
ACT_AND_WAIT_MS: Final = 4_000
ASSERT_MS: Final = 0
WAIT_FOR_MS: Final = 4_000
"""Default budgets of the three waiting tools, in milliseconds."""

WAIT_MAX_MS: Final = 50_000
"""A longer wait would run into clients' own 60 s limit."""

POLL_MS: Final = 150
"""How often a live reading is repeated when no event says that something changed."""

QUIET_MS: Final = 500
"""A page is settled when nothing happened for this long and no request is open."""

CALM_MS: Final = 30
"""
The same where the page says that nothing is due, but not that it rests: two frames at 60 a second, within
which frameworks do what an answer or an event brings. The page script's UNSURE_MS.
"""

RESTLESS_MS: Final = 1_000
"""A claim that holds is watched until the page is quiet, on a page that never is for this long."""

PENDING_WAIT_MS: Final = 5_000
"""What an app schedules for within this time is told as its work; the page script's TIMER_WORK_MS."""

KNOWN_WORK_MS: Final = 2_500
"""
Scheduled work is waited for when it is due within this time: debounced saves are. What comes later is named;
most of it are messages that take themselves away after three seconds and more.
"""

PENDING_SECONDS: Final = 1.0
"""How long a page may take to say what it has scheduled; asked for that alone it answers in milliseconds."""

OVERLAPPING_READS: Final = 60
"""The newest reads of one path, compared for answers that overtook each other (reticle-tools §3.4)."""

POLL_SPACING_MS: Final = 200
"""Two equal reads this far apart are a poll; closer ones are one effect that ran twice."""

LONG_POLL_MS: Final = 5_000
"""A read already open this long before a window is a long poll and does not keep the page busy."""

NEVER_MS: Final = 30_000
"""The longest that a ``never`` may ask to be watched: a call has to end before its client gives up."""

COUNT_HOLD_MS: Final = 300
"""An exact count is confirmed once more after this long, to catch a late duplicate."""

LAST_ANSWER_MS: Final = 300
"""What a request begun at the end of a budget may take beyond it; on loopback most take a tenth."""

REACTION_GRACE_MS: Final = 300
"""A successful write may take this long to show in the page."""

NAVIGATE_SECONDS: Final = 5.0
"""How long a navigation may take to bring a new document."""

FIRST_LOOK_SECONDS: Final = 1.5
"""How long a call waits for a page that is just starting or reloading, before it is refused."""

READ_GAP_MS: Final = 25
"""The least time between two live readings of one wait; a flood of events must not become one of reads."""

AWAY_SECONDS: Final = 5.0
"""How long a wait goes on while its page is away, as during a form post; then the page counts as lost."""

FAILURES_JUDGED: Final = 20
"""Failed requests of one window that detectors look at; each is compared with every later event."""

BODIES_JUDGED: Final = 100
"""Writes, and reads, of one window whose bodies are compared field by field; more are a load test."""

PREDICATE_DEPTH: Final = 16
"""Nesting of a predicate; real ones have 2 or 3 levels."""

PREDICATE_LEAVES: Final = 64
"""Leaves of one predicate: each may cost the page a question per look."""

RELATION_SIDES: Final = 8
"""Sides of one relation: each may cost the page a question per look."""

CONTROL_MS: Final = 1_000
"""How long before an action is looked at least for what comes without it: a poll of every second is in it."""

CONTROL_EVENTS: Final = 500
"""How many events before an action are looked through for that; of each a few microseconds."""

AFTERMATH_MS: Final = 1_000
"""What follows an action or a load with shorter pauses belongs to it; what comes later comes alone."""

INVARIANTS: Final = 32
"""Invariants of one place of declaration: each may cost the page a question per look."""

INVARIANT_NAME_CHARS: Final = 80
"""The name of one, which stands in findings."""

APP_INVARIANTS: Final = 16
"""Invariants that a page may declare; the page script refuses more, in words."""

APP_INVARIANT_CHARS: Final = 2_048
"""The text of one of them; the page script takes 2,000."""

INVARIANT_BYTES: Final = 65_536
"""A project's file of them, several times what so many need."""

PATTERN_CHARS: Final = 200
"""A ``$matches`` pattern; longer ones are programs, not expectations."""

PATTERN_SUBJECT_CHARS: Final = 4_096
"""A text longer than this is not matched against a pattern: matching costs pattern times text."""

ARRIVAL_QUIET_MS: Final = 250
"""A document that has just arrived counts as ready when nothing stirred in it for this long."""

ARRIVAL_SECONDS: Final = 2.0
"""How long ``reticle_navigate`` waits for that; a page that never rests is answered for all the same."""

PAGE_HOLD_SECONDS: Final = 300
PAGE_HOLD_MAX_SECONDS: Final = 3_600
"""How long a page is held when the call does not say, and at most; an agent that lives takes it again."""

PAGE_HOLDS: Final = 1_024
"""Pages held at once, some 300 bytes each; more than pages can be connected."""

PURPOSE_CHARS: Final = 200
"""What an agent says it holds a page for; others read it in one line."""

BROWSER_LEASE_SECONDS: Final = 300
BROWSER_LEASE_MAX_SECONDS: Final = 3_600
"""How long a browser lease lasts without a call on its pages, and at most; each call on one renews it."""

BROWSER_CALL_SECONDS: Final = 60
"""How long each call on a driven page keeps it at least: no call is longer, so none loses its page midway."""

VIEWPORT_MIN: Final = 200
VIEWPORT_MAX: Final = 4_096
"""CSS pixels of one side of a driven page's window: from a small watch to the largest screens there are."""

BROWSER_CONTEXTS: Final = 16
"""Contexts open at once in one browser, some 60 MB each; more wait their turn."""

BROWSER_QUEUE_SECONDS: Final = 30
"""How long an agent waits for a context before it is told that all are in use."""

BROWSER_TABS: Final = 16
"""Windows of one context; a page that opens more has them closed at once."""

BROWSER_DOWNLOADS: Final = 20
BROWSER_DOWNLOAD_BYTES: Final = 64 * 1024 * 1024
"""Files that a browser lease keeps, and their bytes together: 16 leases then fill at most 1 GB of disk."""

BROWSER_START_SECONDS: Final = 30
"""A browser that has not said a word by then will not: a cold start on a busy machine takes some seconds."""

BROWSER_COMMAND_SECONDS: Final = 15
"""One command to the browser itself or to a page's own process, which may be busy."""

BROWSER_LOAD_SECONDS: Final = 30
"""How long the first load of an opened page is waited for (reticle-tools §7.7)."""

BROWSER_STOP_SECONDS: Final = 1.5
"""How long a browser has to end after its pipe was closed; then it is killed: nothing in it is kept."""

BROWSER_KEEP_SECONDS: Final = 1
"""How long logins may take to be kept when the daemon stops, within 5 s in all; then they stay as before."""

BROWSER_IDLE_SECONDS: Final = 300
"""A browser without a context costs some 200 MB; after this long it is ended, and started when needed."""

BROWSER_LOGIN_BYTES: Final = 8 * 1024 * 1024
BROWSER_LOGIN_ORIGINS: Final = 16
"""What is kept of one login: its file, and the origins whose storage is read and put back, one visit each."""

CDP_PENDING: Final = 10_000
"""Commands to one browser that wait for an answer; above it something is wrong on one of the two sides."""

CDP_DECODED_HERE_BYTES: Final = 256 * 1024
"""Answers above it are decoded in a thread: 30 MB of picture would hold the reactor for 50 ms."""

CDP_MESSAGE_BYTES: Final = 64 * 1024 * 1024
"""One message of the browser: a picture of a long page is some 30 MB of base64; more is a fault."""

CDP_VERSION_BYTES: Final = 64 * 1024
"""A browser that is asked who it is answers with less than 1 KiB; whatever else listens there may not end."""

PICTURE_BYTES: Final = 16 * 1024 * 1024
"""One PNG; a larger one has to be taken of a part."""

PICTURE_SHOWN_BYTES: Final = 4 * 1024 * 1024
"""A PNG inside an answer: clients give up on images of more than some 5 MB of base64."""

BASELINES_IN_FOLDER: Final = 500
BASELINE_BYTES: Final = 1024 * 1024
"""Baselines in one folder, where nothing is deleted; and bytes of one, several times the largest outline."""

CONTRACT_BYTES: Final = 1024 * 1024
"""One app's contract: 500 names of each kind and 500 flows of a few steps are some 200 KB."""

PICTURES_IN_PROJECT: Final = 1_000
PICTURES_BYTES: Final = 256 * 1024 * 1024
"""Pictures in one project's folder, where nothing is deleted; and bytes of those in the state directory,
where the oldest make room."""

VERDICTS_KEPT: Final = 10_000
"""Verdict rows kept in the state directory; the oldest go first."""

VERDICT_WINDOW_BYTES: Final = 1024 * 1024
"""
The most that one verdict's window takes in the state directory, compressed: some 2,000 events of the largest
kind that apps send. A larger one is not kept, and the verdict cannot be judged again.
"""

VERDICT_WINDOWS_BYTES: Final = 64 * 1024 * 1024
"""What all windows of verdicts take together, compressed; the oldest go first, the verdicts stay."""

# --- answers -----------------------------------------------------------------------------------
COST_TOLD_BYTES: Final = 2_000
"""An answer's cost is told from this size on; a smaller one costs less than the telling is worth."""

OBSERVE_COSTLY_EVENTS: Final = 80
OBSERVE_COSTLY_BYTES: Final = 8_000
"""From here on ``reticle_observe`` recommends filters (reticle-tools §4.8)."""

SEQUENCE_STEPS: Final = 25
"""Steps in one ``reticle_act_sequence``; a longer journey is better proved on the way."""

SEQUENCE_STEP_MS: Final = 8_000
"""Default budget of one step, in milliseconds."""

IDLE_END_MIN_MS: Final = 5_000
"""The shortest idle time after which a panel shows the session as ended (page-wire, ``session_config``)."""

NARRATION_CHARS: Final = 500
"""A line for the panel; people read it in passing."""

FEEDBACK_TEXT_CHARS: Final = 4_000
FEEDBACK_FIELD_CHARS: Final = 1_000
FEEDBACK_TRACE_CHARS: Final = 8_000
"""Bounds of a note's fields (reticle-tools §1.4)."""

FEEDBACK_BYTES: Final = 1024 * 1024
"""The file of notes; the oldest make room, and their number is told."""

QUERY_ELEMENTS: Final = 200
LIST_ENTRIES: Final = 200
OBSERVE_EVENTS: Final = 200
ANSWER_CHARS: Final = 60_000
"""A tool answer's text; beyond it the rest is named, not sent."""

SNAPSHOTS_KEPT: Final = 50
"""Trees remembered for delta snapshots; each is at most ANSWER_CHARS, so this bounds memory near 6 MB."""

DELTA_LINES: Final = 100
"""Lines of one kind in a delta snapshot; a page that changed more is better read whole."""

EVENT_TEXT_CHARS: Final = 300
"""One text inside a listed event."""

LISTED_BODY_CHARS: Final = 2_000
"""One body in a list of network calls; a list of one call shows it whole."""

NET_BODY_CHARS: Final = 8_192
"""Captured characters of one request or response body."""

AUDIT_ROWS_KEPT: Final = 200_000
"""Audit rows kept; about 60 MB."""

# --- state, settings and logs ------------------------------------------------------------------
TOKEN_FILE_BYTES: Final = 4_096
"""A pairing token's file; a token is some 43 characters, so a longer file is the wrong file."""

PRIVATE_FILE_BYTES: Final = 16_384
"""Endpoint, lock and daemon files; each is a few hundred bytes."""

STORAGE_JOBS: Final = 4_096
"""Transactions that may wait for the writer thread; at 0.1 ms each some 0.4 s of work. More are refused."""

TOKENS_KEPT: Final = 10_000
"""Capability tokens in the database and in memory, about 1 KB each; ended ones make room first."""

RPC_CONNECTIONS: Final = 64
"""Connections on the Unix socket; a command of the shell has one for a moment, a supervisor one for long."""

RPC_DEADLINE_SECONDS: Final = 3_600.0
"""The longest deadline of a call over the Unix socket; no method runs longer."""

FAILED_TOKENS: Final = 100
"""Wrong tokens that one peer may present in a row; a client started with the wrong one tries a few."""

FAILED_TOKENS_PER_SECOND: Final = 5.0
"""How fast one peer's account of wrong tokens recovers; guessing at this rate needs ages even for 40 bits."""

FAILED_TOKEN_PEERS: Final = 1_024
"""Peers whose wrong tokens are counted, some 200 bytes each; the one that failed longest ago goes first."""

TOKEN_USE_SECONDS: Final = 60.0
"""The last use of a token is noted at most this often; people read it by the day."""

AUDIT_SEGMENT_ROWS: Final = 10_000
"""Rows of one sealed segment, the unit in which old rows make room; about 3 MB."""

AUDIT_LISTED_ROWS: Final = 500
"""Audit rows in one answer of ``audit.list``; about 200 KB."""

AUDIT_LISTED_LOOKS: Final = 20
"""How often so many are read for one answer that leaves out batches of facts: some minutes of a busy app."""

AUDIT_EXPORTED_ROWS: Final = 1_000
"""Audit rows in one page of ``audit.export``; about 400 KB, written in some 5 ms."""

AUDIT_SLICE_ROWS: Final = 2_000
"""Rows that a check of the chain looks at between two other jobs of the database; some 20 ms."""

AUDIT_PENDING_ROWS: Final = 20_000
"""Audit rows that may wait for a commit, about 6 MB; more calls are refused as not auditable."""

AUDIT_BATCH_ROWS: Final = 1_000
"""Audit rows in one commit, so that a verdict waits at most some 10 ms behind them."""

DATABASE_BUSY_MS: Final = 2_000
"""How long SQLite waits for another process's lock; below the 5 s a stop may take."""

LOAD_SECONDS: Final = 0.05
"""
Between a daemon's being announced and the loading of what a handshake does without: whoever waited for it
dials within a few milliseconds and is to be answered first.
"""

STORAGE_LOOK_SECONDS: Final = 5.0
"""How often a database that failed is tried again without a call; one that is well is let alone."""

POSTGRES_CONNECT_SECONDS: Final = 3
"""How long a PostgreSQL server may take to let us in; below the 5 s a stop may take."""

POSTGRES_UNHEARD_SECONDS: Final = 10
"""After so long without a sign of the server's machine a connection counts as lost."""

POSTGRES_LISTEN_AGAIN_SECONDS: Final = 1.0
"""Between two tries to hear of other daemons' changes again; so long a revoked token may still count then."""

POSTGRES_LOCK_MS: Final = 2_000
"""How long one try waits for a lock that another daemon holds; as long as SQLite's ``DATABASE_BUSY_MS``."""

POSTGRES_STATEMENT_MS: Final = 30_000
"""How long one statement may take, and how long a frozen daemon may sit on its locks."""

POSTGRES_TOGETHER: Final = 16
"""
Changes that wait for the server at the same moment and are committed together: some 30 ms, in which other
daemons wait for the end of the audit log.
"""

POSTGRES_TRIES: Final = 4
"""How often a change is tried when other daemons are in the way; then it is refused, with nothing changed."""

POSTGRES_TRY_AGAIN_SECONDS: Final = 0.005
"""Between two of them: a transaction takes about a millisecond."""

DATABASE_WAL_BYTES: Final = 32 * 1024 * 1024
"""What SQLite's write-ahead log may keep on disk once it has been folded into the file."""

LOG_FILE_BYTES: Final = 8 * 1024 * 1024
LOG_FILES: Final = 3
"""One log file's size before it is rotated, and how many rotated ones are kept: 32 MiB at most."""

LOG_HELD_SECONDS: Final = 0.2
LOG_LINES_HELD: Final = 100
"""How long and how many lines wait for a log file: a person who follows it sees no delay."""

LOG_MESSAGE_CHARS: Final = 8_192
"""One logged message; the rest is cut and counted."""
