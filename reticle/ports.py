"""
What the rules and the tools need of the outside world, as contracts.

``bridge`` and ``storage`` provide them for real, ``reticle.testing`` in memory; both pass the same
contract tests. Waiting is an ``Awaitable`` so that nothing here names an event loop.
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from typing import Protocol

from reticle.model.codes import Capability, Carrier, CommandName, ControlState
from reticle.model.human import Guidance, Mark
from reticle.model.ids import ActionId, AuditId, Cursor, PageId, VerdictId
from reticle.model.page import (
    Attachment,
    BufferFill,
    EarlierLives,
    PageEvent,
    PageHealth,
    PageIdentity,
    RefusedDial,
)
from reticle.model.trust import Principal
from reticle.model.verdict import Verdict
from reticle.model.window import Question, Reading, Window


class Clock(Protocol):
    """
    Time, as an argument.
    """

    def now(self) -> float:
        """
        Wall clock, seconds since the epoch; for records shown to people.
        """

    def monotonic(self) -> float:
        """
        Seconds that never go backwards; for every duration and deadline.
        """

    def sleep(self, seconds: float) -> Awaitable[None]:
        """
        Ready after ``seconds``; cancelling the call that awaits it cancels the timer.
        """


class Steering(Protocol):
    """
    How a person steers the agents of one page, by its panel. It survives reloads; changes are shown there.
    """

    @property
    def state(self) -> ControlState:
        """
        Whether agents may act. The gate refuses what acts while it is not ``active``.
        """

    @property
    def ended_by_person(self) -> bool:
        """
        Whether ``ended`` is what a person wanted; an agent's own end is over with its next act.
        """

    def acts(self) -> None:
        """
        An agent acts: an end that an agent declared is over. Changes nothing of what a person decided.
        """

    def resume(self) -> bool:
        """
        An agent goes on, because the person said so; whether there was anything to lift.
        """

    def finish(self, summary: str) -> None:
        """
        An agent is done; the panel shows the summary.
        """

    def take_guidance(self) -> Guidance:
        """
        What the person wrote since the last time; each message is given once.
        """

    def waiting(self) -> int:
        """
        How many messages ``take_guidance`` would give.
        """

    def marks(self) -> Sequence[Mark]:
        """
        Every flagged element that is remembered, oldest first.
        """

    def marks_lost(self) -> int:
        """
        How many more were flagged and forgotten before anybody had answered them.
        """

    def resolve(self, mark_id: str, resolution: str) -> Mark | None:
        """
        Say what became of a mark, also to the person; None when there is no such mark. May be called twice.
        """


class Page(Protocol):
    """
    One connected page.

    A page object stays usable after its socket is gone: reads of what was recorded work, commands are
    refused with ``session_gone``. A reload keeps the object where the page keeps its session id; the
    identity then shows the new document.
    """

    @property
    def identity(self) -> PageIdentity:
        """
        What the page last said of itself; follows route changes.
        """

    def health(self) -> PageHealth:
        """
        How it is right now.
        """

    @property
    def steering(self) -> Steering:
        """
        What a person wants of the agents on this page.
        """

    def buffer(self) -> BufferFill:
        """
        How full the event buffer is.
        """

    def attachment(self) -> Attachment:
        """
        How steadily it is connected.
        """

    def cursor(self) -> Cursor:
        """
        The number of the newest event.
        """

    def elapsed_ms(self) -> int:
        """
        Milliseconds since the first hello, the time base of ``PageEvent.t_ms``.
        """

    def last_action_cursor(self) -> Cursor:
        """
        The cursor before the last action or navigation; 0 when there was none.
        """

    def events(self, since: Cursor, until: Cursor | None = None) -> Sequence[PageEvent]:
        """
        Recorded events with ``since < seq <= until``, oldest first, as far as they are still held.
        """

    def window(self, since: Cursor, until: Cursor | None = None) -> Window:
        """
        Events, losses, blind spots and open requests of a stretch; without readings and action.
        """

    def ask(
        self, command: CommandName, args: Mapping[str, object], *, timeout_seconds: float | None = None
    ) -> Awaitable[object]:
        """
        Send one command and get the page's result as decoded JSON.

        Every event that the page produced before it answered is recorded when this is ready.
        Raises ``Refusal``: ``session_gone``, ``command_timeout``, or the page's own refusal with its
        code and recovery. A read may be asked again; an action must not be: it may have happened.
        """

    def read(self, questions: Sequence[Question]) -> Awaitable[Sequence[Reading]]:
        """
        Ask several questions at one instant of the page. Never raises for a page that fails to answer:
        each reading then carries ``error``. The page's windows then hold what it has scheduled
        (``Window.pending``); no question at all asks for that alone, ``PENDING_SECONDS`` at most.
        """

    def changed(self, since: Cursor, timeout_seconds: float) -> Awaitable[bool]:
        """
        Ready with True as soon as an event beyond ``since`` is recorded or the socket is lost, else with
        False after ``timeout_seconds``.
        """

    def begin_action(self) -> ActionId:
        """
        Start attributing events to a new action; remembers the cursor for ``last_action_cursor``.
        """

    def end_action(self, action_id: ActionId) -> None:
        """
        Stop attributing. Harmless when another action has begun since.
        """


class Pages(Protocol):
    """
    The connected pages.
    """

    def all(self) -> Sequence[Page]:
        """
        Connected pages, the most recently active first.
        """

    def resolve(self, page_id: PageId | None) -> Page:
        """
        The page a call means: the named one, or the only sensible one.

        Raises ``Refusal``: ``no_session``, ``unknown_session``, ``multiple_sessions``,
        ``scope_mismatch``; each names the candidates and the next step.
        """

    def await_page(self, page_id: PageId | None, timeout_seconds: float) -> Awaitable[bool]:
        """
        Ready with True when a page (that page) is connected, False after the time.
        """

    def refused_dials(self) -> Sequence[RefusedDial]:
        """
        Recently refused connections, newest first.
        """

    def seen_before(self) -> int:
        """
        How many pages have connected in this daemon's life.
        """

    def earlier_lives(self) -> EarlierLives | None:
        """
        What is known of the time before this start; None where nothing is.
        """


class VerdictStore(Protocol):
    """
    Verdicts that survive a restart.
    """

    def put(self, verdict: Verdict) -> Awaitable[None]:
        """
        Ready when the verdict is committed. Raises ``Refusal`` ``storage_failed``.
        """

    def get(self, verdict_id: VerdictId) -> Awaitable[Verdict | None]:
        """
        The verdict, or None when it never was or is no longer kept.
        """


class AuditLog(Protocol):
    """
    One row for every tool call. No row, no answer.
    """

    def record(
        self,
        *,
        principal: str,
        carrier: Carrier,
        tool: str,
        decision: str,
        arguments_sha256: str,
        duration_ms: float,
        verdict_id: VerdictId | None = None,
    ) -> Awaitable[AuditId]:
        """
        Ready with the row's id when it is committed; rows arriving while a commit runs share the next.

        Raises ``Refusal`` ``storage_failed``; the caller then must not give the answer.
        """


class FeedbackStore(Protocol):
    """
    What agents say about reticle itself, kept on this machine and sent nowhere.
    """

    @property
    def place(self) -> str:
        """
        The file, for people.
        """

    def keep(self, note: Mapping[str, object]) -> Awaitable[int]:
        """
        Ready when the note (JSON values, free of secrets) is in the file; gives how many older notes made
        room. Raises ``Refusal`` ``storage_failed``.
        """


class Progress(Protocol):
    """
    Tells a waiting client that work goes on.
    """

    def __call__(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        """
        Say how far it is; ignored where the client did not ask.
        """


class Answer(Protocol):
    """
    What a tool gives back: the fields of the flat result object, and their text.
    """

    @property
    def fields(self) -> Mapping[str, object]:
        """
        JSON values only; without ``ok``, ``method`` and ``audit_id``, which the gate adds.
        """

    @property
    def text(self) -> str | None:
        """
        The outline for ``content``; None asks the gate to make it from the fields.
        """

    @property
    def verdict_id(self) -> VerdictId | None:
        """
        For the audit row.
        """

    @property
    def actions(self) -> int:
        """
        How many actions it carried out on a page without a verdict on them.
        """


class CallContext(Protocol):
    """
    What one tool call may use.
    """

    @property
    def principal(self) -> Principal:
        """
        Who calls.
        """

    @property
    def pages(self) -> Pages:
        """
        The connected pages.
        """

    @property
    def verdicts(self) -> VerdictStore:
        """
        Where a verdict is recorded before it is answered.
        """

    @property
    def feedback(self) -> FeedbackStore:
        """
        Where notes about reticle are kept.
        """

    @property
    def clock(self) -> Clock:
        """
        Time.
        """

    @property
    def progress(self) -> Progress:
        """
        Where a wait reports.
        """

    @property
    def conversation_id(self) -> str:
        """
        Names the agent's conversation: the same in all of its calls, another for every other agent.

        For what is remembered between two calls of one agent, such as its last snapshot. Not a secret.
        """

    @property
    def daemon_url(self) -> str:
        """
        Where a page on this machine reaches the daemon, such as ``http://127.0.0.1:4400``; no slash
        at the end.
        """

    def pages_showing(self, ref: str) -> Sequence[PageId]:
        """
        Pages of which this conversation was shown that ref. Refs are per page: two may have the same.
        """

    def may(self, capability: Capability) -> bool:
        """
        Whether the principal has a capability; the gate has already checked the tool's own.
        """

    def new_verdict_id(self) -> VerdictId:
        """
        A fresh, unguessable id.
        """

    def call(self, tool: str, arguments: Mapping[str, object]) -> Awaitable[Answer]:
        """
        Run another tool through the same gate (for ``reticle_run``); audited as that tool.
        """

    def catalogue(self) -> Sequence[Mapping[str, object]]:
        """
        Every tool the principal may call, advertised or not: name, title, summary, inputSchema,
        outputSchema, example, advertised.
        """


class MessageSink(Protocol):
    """
    Where one conversation's JSON-RPC messages go; the transport frames and bounds them.
    """

    def send(self, message: bytes) -> None:
        """
        Queue one complete JSON-RPC message. Never blocks; after the peer is gone it does nothing.
        """


class SocketWriter(Protocol):
    """
    The outgoing half of one page's WebSocket.
    """

    def send_text(self, payload: bytes) -> None:
        """
        Queue one text message of valid UTF-8.
        """

    def close(self, code: int, reason: str) -> None:
        """
        Start the closing handshake; further sends do nothing. The reason is cut to 123 bytes.
        """

    def unsent_bytes(self) -> int:
        """
        Bytes the peer has not taken yet.
        """


class Conversation(Protocol):
    """
    One agent: its MCP session, its principal, its calls in flight.
    """

    def receive(self, body: bytes) -> None:
        """
        Take one JSON-RPC message (or a batch where the revision has them); answers go to the sink.

        Raises ``PeerFault`` when the body is not a JSON-RPC message, before anything was done with it;
        the transport answers in its own manner. Faults that have an id to answer to go to the sink.
        """

    def drain(self, reason: str) -> Awaitable[None]:
        """
        Answer every call in flight with ``shutting_down`` and take no more. Ready when all is sent to
        the sink. May be called twice.
        """

    def close(self) -> None:
        """
        The peer is gone: stop its calls and forget them. Nothing is sent afterwards. May be called twice.
        """


class Conversations(Protocol):
    """
    Where a transport gets conversations from.
    """

    def open(self, principal: Principal, carrier: Carrier, sink: MessageSink) -> Conversation:
        """
        A fresh conversation whose answers go to ``sink``.
        """


class PageLink(Protocol):
    """
    The bridge's end of one page socket; the WebSocket drives it.
    """

    def text_received(self, payload: bytes) -> None:
        """
        One whole text message, valid UTF-8, at most ``PAGE_MESSAGE_BYTES``. Never raises for bad input.
        """

    def socket_closed(self, code: int, reason: str) -> None:
        """
        The socket is gone, for whatever reason. Called once.
        """


class PageLinks(Protocol):
    """
    Where the WebSocket gets its bridge ends from.
    """

    def admit(self, writer: SocketWriter, origin: str, *, needs_token: bool) -> PageLink | None:
        """
        A link that waits for its hello, or None after closing ``writer`` because too many wait.

        ``needs_token`` is set when the upgrade was not trusted by loopback: then the hello must carry
        the pairing token.
        """

    def refused(self, origin: str, reason: str, next_step: str) -> None:
        """
        Remember an upgrade that was refused before there was a link.
        """
