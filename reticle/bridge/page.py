"""
One page: provides ``ports.Page`` over whichever socket speaks for it at the moment.

The object outlives its sockets. A reload that keeps its session id keeps the object and changes the
document; after the last socket what was recorded can still be read. What is past is in the recording,
what differs between page scripts in the dialect, who may speak for a page is decided by the directory.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

import attrs
from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IReactorTime
from twisted.logger import Logger
from twisted.python.failure import Failure

from reticle.bridge.command_line import CommandLine
from reticle.bridge.commands import BridgeIds
from reticle.bridge.dialect import Answered, Dialect, Send
from reticle.bridge.losses import ANY_CHANNEL
from reticle.bridge.outages import Outages
from reticle.bridge.past import Past
from reticle.bridge.pending import PendingReport
from reticle.bridge.recording import Recording
from reticle.bridge.ring import Entry
from reticle.bridge.ring_space import RingSpace
from reticle.bridge.self_report import SelfReport
from reticle.bridge.sources.atlas import Atlas, unread_atlas
from reticle.bridge.sources.page_places import PagePlaces
from reticle.bridge.sources.place_queries import asks_for_place, teach_places
from reticle.bridge.steering import PanelSteering
from reticle.bridge.tape import Tape, Tapes, without_values
from reticle.bridge.waiters import Waiters
from reticle.bridge.wire import CommandResult, Hello, WireEvent, read_data
from reticle.errors import Refusal
from reticle.model.browser import Attestation
from reticle.model.codes import CloseCode, CommandName, EventType
from reticle.model.ids import ActionId, Cursor, DocumentId, PageId
from reticle.model.journal import RecordingState
from reticle.model.limits import COMMAND_SECONDS, NAVIGATE_SECONDS, PANEL_COMMANDS, PENDING_SECONDS
from reticle.model.page import App, Attachment, BufferFill, Loss, PageEvent, PageHealth, PageIdentity
from reticle.model.runs import Position
from reticle.model.source_limits import SOURCE_WAIT_SECONDS
from reticle.model.window import Question, Reading, Window
from reticle.ports import ServerFacts, SocketWriter

_UNSEEN_ENDINGS: Final = frozenset(
    {CloseCode.PROTOCOL_ERROR, CloseCode.INVALID_DATA, CloseCode.TOO_BIG, CloseCode.INTERNAL}
)
_SHOWN: Final = frozenset(
    {
        EventType.DOM_ADDED, EventType.DOM_REMOVED, EventType.DOM_ATTR, EventType.DOM_TEXT,
        EventType.VISIBLE_SHOWN, EventType.ROUTE_CHANGE,
    }
)  # fmt: skip
"""Events after which a snapshot differs."""
_IDLE: Final = frozenset({EventType.PAGE_HEALTH})
"""What a page says that nobody uses."""
NAMES_REMEMBERED: Final = 20
"""Documents of one page under other names that may come back; browsers keep fewer."""

_LEAVING: Final = frozenset({CommandName.NAVIGATE, CommandName.REFRESH})


class BridgedPage:
    """
    A page that is or was connected.

    Args:
        page_id: Its name.
        session_id: What its hello called it; several pages may share one.
        hello: The hello that brought it.
        dialect: How to speak with its script.
        ids: Where command and action ids come from.
        clock: For deadlines and time stamps.
        served_script: The content hash of the page script that this daemon serves, if it serves one.
        attested: What the daemon knows of a page that it opened itself.
        on_change: Called with its name whenever it comes, goes, or may show something else.
        space: What its events share with those of other pages.
        atlas: Where the source maps of its scripts are; without one places are told as they were served.
        tapes: The way into the journal; None: nothing is journalled.
        past: What an earlier life of the daemon knows of it.
        server_facts: What the server behind it tells.
    """

    _log = Logger()

    def __init__(
        self,
        page_id: PageId,
        session_id: str,
        hello: Hello,
        *,
        dialect: Dialect,
        ids: BridgeIds,
        clock: IReactorTime,
        served_script: str | None = None,
        attested: Attestation | None = None,
        on_change: Callable[[PageId], object] = lambda _page: None,
        space: RingSpace | None = None,
        atlas: Atlas | None = None,
        tapes: Tapes | None = None,
        past: Past | None = None,
        server_facts: ServerFacts | None = None,
    ) -> None:
        self._page_id = page_id
        self._server_facts = server_facts
        self.session_id = session_id
        self.session_ids = deque([session_id], maxlen=NAMES_REMEMBERED)
        self._on_change = partial(on_change, page_id)
        self._clock = clock
        self._ids = ids
        self._dialect = dialect
        self._waiters = Waiters(clock)
        self._line = CommandLine(ids, clock, self._waiters, self)
        self._report = SelfReport(hello, page_id, self._document_loaded, served_script, attested)
        self._outages = Outages()
        self._places = PagePlaces(unread_atlas(clock) if atlas is None else atlas, lambda: self.identity)
        self.steering = PanelSteering(self._tell)
        self._recording = Recording(
            clock.seconds,
            space=space,
            watchers={
                EventType.ROUTE_CHANGE: self._report.route_changed,
                EventType.PAGE_HEALTH: self._report.health_said,
                EventType.DIALOG: self._report.dialog_said,
                EventType.HUMAN_CONTROL: lambda entry: self.steering.controlled(
                    read_data(entry.raw), entry.app
                ),
                EventType.HUMAN_MARK: lambda entry: self.steering.marked(read_data(entry.raw), entry.app),
                EventType.ERROR_UNCAUGHT: self._error_reported,
                EventType.CONSOLE_ERROR: self._error_reported,
            },
        )
        self._recording.document_loaded(self.identity.document_id)
        self._document_since = clock.seconds()
        self._show_app()
        self._pending = PendingReport(self._recording.elapsed_ms)
        self._unseen_ending = False
        self._attachments = 0
        self._panel_commands = 0
        self._heard_at = self._active_at = clock.seconds()
        self._action: ActionId | None = None
        self._acted_at = self._began_at = float("-inf")
        self._began_hidden = False
        self._last_action_cursor = Cursor(0)
        if past is not None:
            self._resume(past)
        self._tape = None if tapes is None else Tape(page_id, tapes, self._state)
        if self._tape is not None:
            self._recording.journalled(self._tape)

    # --- what its sockets do -----------------------------------------------------------------

    def attach(self, writer: SocketWriter, hello: Hello) -> None:
        """
        A socket speaks for this page from now on; it said ``hello``.
        """
        self._line.attach(writer)
        self._attachments += 1
        self._heard_at = self._active_at = self._clock.seconds()
        self._outages.back(self._heard_at)
        if not self._report.introduced(hello) and self._attachments > 1:
            self._dialect.reconnected(self._clock.seconds())
        self._show_app()
        self._recording.connection(connected=True)
        self._waiters.wake()
        self._on_change()

    def refresh(self, hello: Hello) -> None:
        """
        The page said hello again on its socket: title, adapters, capabilities may have changed.
        """
        self._heard_at = self._clock.seconds()
        self._report.introduced(hello)
        self._show_app()
        self._on_change()

    def detach(self, code: int) -> None:
        """
        The socket that spoke for this page is gone or was demoted; ``code`` is its close code.
        """
        self._unseen_ending = code in _UNSEEN_ENDINGS
        self._recording.connection(connected=False)
        self._line.detach(for_good=code == CloseCode.TAB_GONE)
        self._outages.lost(self._clock.seconds())
        self._waiters.wake()
        self._on_change()

    def record(self, events: Sequence[WireEvent]) -> None:
        """
        Take a batch of events; also late ones of a document that was just replaced.
        """
        now = self._heard_at = self._clock.seconds()
        types = {event.type for event in events}
        if not types <= _IDLE:
            self._active_at = now
        identity = self._report.identity
        if identity.document_id is not None:
            speaker = self._dialect.speaker(events, identity.document_id, now)
            if speaker != identity.document_id:
                identity = self._report.came_back(speaker)
        self._pending.stirred()
        self._recording.record(events, identity.document_id, counted=identity.own_script)
        for channel, dropped in self._dialect.undeclared_losses(events, now):
            self._recording.lose(channel, dropped, "page")
        self._waiters.wake()
        if not types.isdisjoint(_SHOWN):
            self._on_change()

    def fetching(self, scripts: int, elements: int) -> None:
        """
        The browser fetches so many scripts for it, and so much for its elements.
        """
        self._pending.fetching(scripts, elements)
        self._waiters.wake()

    def forget(self) -> None:
        """
        It is found by nobody any more: its memory is given back now, not when cycles are looked for.
        """
        self.end_journal()
        self._recording.forget()

    def end_journal(self) -> None:
        """
        Nothing is recorded any more: the journal has it all. May be called twice.
        """
        if self._tape is not None:
            self._tape.hand_over(clean=True)

    def unread(self, number: int) -> None:
        """
        So many things that it said could not be read; any of them may have been an event.
        """
        self._recording.lose(ANY_CHANNEL, number, "page")

    def answered(self, result: CommandResult) -> None:
        """
        Take the answer to a command; late and unknown ones are counted.
        """
        self._heard_at = self._clock.seconds()
        self._line.answered(result)

    # --- what the directory needs ------------------------------------------------------------

    @property
    def connected(self) -> bool:
        """
        Whether a socket speaks for it.
        """
        return self._line.attached

    @property
    def acting(self) -> ActionId | None:
        """
        The action that is under way, or None.
        """
        return self._action

    @property
    def active_at(self) -> float:
        """
        When it last did something beyond its heartbeat, or an agent used it; monotonic seconds.
        """
        return self._active_at

    @property
    def lost_at(self) -> float:
        """
        When its last socket went; monotonic seconds.
        """
        return self._line.lost_at

    @property
    def leaving(self) -> bool:
        """
        Whether its document goes away while an agent acts, or just after: its socket is gone since, or it
        said that it is hidden with the focus still its own. A tab that another covers loses the focus first.
        """
        now = self._clock.seconds()
        if self._action is None and now - self._acted_at >= NAVIGATE_SECONDS:
            return False
        if not self.connected:
            return self.lost_at >= self._began_at
        return self._report.hidden and self._report.focused and not self._began_hidden

    def led_on(self, session_id: str) -> None:
        """
        Its next document calls itself so; it keeps its name and is found by either.
        """
        if session_id not in self.session_ids:
            self.session_ids.append(session_id)
        self.session_id = session_id

    def touch(self) -> None:
        """
        An agent uses this page.
        """
        self._active_at = self._clock.seconds()

    def figures(self) -> Mapping[str, int]:
        """
        Counts for status pages: events, bytes, lost, late and unknown answers, commands in flight.
        """
        events, held_bytes = self._recording.held()
        return {
            "events": events,
            "bytes": held_bytes,
            "lost": self._recording.lost(),
            **self._line.figures(),
        }

    # --- ports.Page --------------------------------------------------------------------------

    @property
    def identity(self) -> PageIdentity:
        """
        See ``ports.Page``.
        """
        return self._report.identity

    def take_skew(self) -> bool:
        """
        See ``ports.Page``.
        """
        return self._report.take_skew()

    def health(self) -> PageHealth:
        """
        See ``ports.Page``.
        """
        return PageHealth(
            silent_seconds=self._clock.seconds() - self._heard_at,
            hidden=self._report.hidden,
            focused=self._report.focused,
            connected=self.connected,
            dialog=self._report.dialog,
            gone=self._line.gone_for_good,
        )

    def buffer(self) -> BufferFill:
        """
        See ``ports.Page``.
        """
        return self._recording.buffer()

    def attachment(self) -> Attachment:
        """
        See ``ports.Page``.
        """
        return self._outages.attachment(self._clock.seconds())

    def cursor(self) -> Cursor:
        """
        See ``ports.Page``.
        """
        return self._recording.cursor()

    def elapsed_ms(self) -> int:
        """
        See ``ports.Page``.
        """
        return self._recording.elapsed_ms()

    def document_ms(self) -> int:
        """
        See ``ports.Page``.
        """
        return round((self._clock.seconds() - self._document_since) * 1000)

    def last_action_cursor(self) -> Cursor:
        """
        See ``ports.Page``.
        """
        return self._last_action_cursor

    def events(self, since: Cursor, until: Cursor | None = None) -> Sequence[PageEvent]:
        """
        See ``ports.Page``.
        """
        return self._recording.events(since, until)

    def apps(self, since: Cursor, until: Cursor | None = None) -> Sequence[tuple[Cursor, App | None]]:
        """
        See ``ports.Page``.
        """
        return self._recording.apps(since, until)

    def window(self, since: Cursor, until: Cursor | None = None) -> Window:
        """
        See ``ports.Page``. ``connection_lost`` tells that no socket spoke for the page at the window's end.
        """
        window = self._with_server(self._recording.window(self.identity, since, until))
        if window.until < self.cursor():
            return window
        silent_ms = round((self._clock.seconds() - self._heard_at) * 1000)
        return attrs.evolve(
            window, hidden=self._report.hidden, silent_ms=silent_ms, pending=self._pending.latest
        )

    def placed(self, window: Window, wait_seconds: float) -> Deferred[Window]:
        """
        See ``ports.Page``.
        """
        return Deferred.fromCoroutine(self._places.window(window, wait_seconds))

    def texts(self, addresses: Sequence[str]) -> Deferred[Sequence[str]]:
        """
        See ``ports.Page``.
        """
        return Deferred.fromCoroutine(self._places.texts(addresses))

    def located(self, positions: Sequence[Position], wait_seconds: float) -> Deferred[Sequence[str | None]]:
        """
        See ``ports.Page``.
        """
        return Deferred.fromCoroutine(self._places.located(positions, wait_seconds))

    def ask(
        self, command: CommandName, args: Mapping[str, object], *, timeout_seconds: float | None = None
    ) -> Deferred[object]:
        """
        See ``ports.Page``.
        """
        return Deferred.fromCoroutine(self._ask(command, args, timeout_seconds))

    def read(self, questions: Sequence[Question], *, rest_ms: int = 0) -> Deferred[Sequence[Reading]]:
        """
        See ``ports.Page``. A page without a socket answers at once, so that a waiting caller keeps its pace.
        """
        return Deferred.fromCoroutine(self._read(questions, rest_ms))

    def changed(self, since: Cursor, timeout_seconds: float) -> Deferred[bool]:
        """
        See ``ports.Page``.
        """
        attachments = self._attachments
        return self._waiters.wait(
            lambda: self.cursor() > since or not self.connected or self._attachments != attachments,
            timeout_seconds,
        )

    def begin_action(self) -> ActionId:
        """
        See ``ports.Page``.
        """
        self._action = self._ids.new_action()
        self._recording.attribute(self._action)
        self._mark_action()
        self._began_at, self._began_hidden = self._clock.seconds(), self._report.hidden
        return self._action

    def end_action(self, action_id: ActionId) -> None:
        """
        See ``ports.Page``.
        """
        if self._action == action_id:
            self._action = None
            self._acted_at = self._clock.seconds()
            self._recording.attribute(None)

    # --- inside ------------------------------------------------------------------------------

    def _with_server(self, window: Window) -> Window:
        """
        The window with what was seen of the server in its stretch, and what was lost of that.
        """
        if self._server_facts is None:
            return window
        server, dropped = self._server_facts.sight(self._page_id, window, self.elapsed_ms())
        if not server.probes:
            return window
        lost = [Loss(window.since, "server", dropped, "probe")] if dropped else []
        return attrs.evolve(window, server=server, losses=(*window.losses, *lost))

    async def _ask(
        self, command: CommandName, args: Mapping[str, object], timeout_seconds: float | None
    ) -> object:
        if self._tape is None:
            return await self._carry_out(command, args, timeout_seconds)
        began, code = self._clock.seconds(), ""
        self._note("command", {"name": command.value, "args": without_values(args)})
        try:
            return await self._carry_out(command, args, timeout_seconds)
        except Refusal as refusal:
            code = refusal.code
            raise
        finally:
            self._note_reply(command, code, began)

    async def _carry_out(
        self, command: CommandName, args: Mapping[str, object], timeout_seconds: float | None
    ) -> object:
        if command in _LEAVING:
            self._mark_action()
        seconds = COMMAND_SECONDS if timeout_seconds is None else timeout_seconds
        send = self._sender(seconds)
        if asks_for_place(args):
            await self._teach_places(send)
        try:
            answer = await self._dialect.ask(send, self.identity, command, args)
        except Refusal as refusal:
            refusal.details = await self._places.answer(refusal.details, SOURCE_WAIT_SECONDS)
            raise
        return await self._places.answer(answer, SOURCE_WAIT_SECONDS)

    async def _teach_places(self, send: Send) -> None:
        if self.identity.own_script:
            await teach_places(send, self._places)

    def _sender(self, seconds: float) -> Send:
        return self._pending.heard_by(self._line.sender(seconds))

    async def _read(self, questions: Sequence[Question], rest_ms: int) -> Sequence[Reading]:
        seconds = COMMAND_SECONDS if questions else PENDING_SECONDS
        began, code = self._clock.seconds(), ""
        self._note("command", {"name": CommandName.READ.value, "args": {"questions": len(questions)}})
        try:
            if not self.connected:
                raise self._line.gone()
            send = self._sender(seconds)
            if any(asks_for_place(question.fields) for question in questions):
                await self._teach_places(send)
            answers = await self._dialect.read(send, self.identity, questions, rest_ms=rest_ms)
        except Refusal as refusal:
            self._pending.forget()
            code = refusal.code
            answers = [Answered(error=refusal.message)] * len(questions)
        finally:
            self._note_reply(CommandName.READ, code, began)
        at, t_ms = self.cursor(), self.elapsed_ms()
        return [
            Reading(question, at, t_ms, answered.answer, answered.error)
            for question, answered in zip(questions, answers, strict=True)
        ]

    def _state(self) -> RecordingState:
        return self._recording.state(self._last_action_cursor, attested=self.identity.attested is not None)

    def _resume(self, past: Past) -> None:
        self._recording.resume(past)
        self._last_action_cursor = Cursor(past.state.last_action)
        self._unseen_ending = True  # another document's last events would be in no recording

    def _note(self, kind: str, fields: Mapping[str, object]) -> None:
        if self._tape is not None:
            self._tape.note(self.cursor(), self.elapsed_ms(), kind, fields)

    def _note_reply(self, command: CommandName, code: str, began: float) -> None:
        ms = round((self._clock.seconds() - began) * 1000)
        self._note("reply", {"name": command.value, "ok": not code, "code": code, "ms": ms})

    def _error_reported(self, entry: Entry) -> None:
        self._places.expect(read_data(entry.raw), entry.document_id)

    def _document_loaded(self, document_id: DocumentId) -> None:
        if self._unseen_ending:
            self._recording.document_ended_unseen()
        self._unseen_ending = False
        self._pending.forget()
        self._recording.document_loaded(document_id)
        self._document_since = self._clock.seconds()
        self._show_app()
        recently_acted = self._clock.seconds() - self._acted_at < NAVIGATE_SECONDS
        if self._action is None and not recently_acted:
            self._last_action_cursor = self.cursor()
        self.steering.renew()

    def _show_app(self) -> None:
        """
        Before the first event of what its last hello named.
        """
        self._recording.shows(self.identity.app, self.identity.document_id)

    def _tell(self, command: CommandName, args: Mapping[str, object]) -> None:
        """
        For the panel: nobody waits, and a page that has none is no loss.
        """
        if self.connected and self._panel_commands < PANEL_COMMANDS:
            self._panel_commands += 1
            self.ask(command, args).addBoth(self._told)

    def _told(self, answer: object) -> None:
        self._panel_commands -= 1
        if isinstance(answer, Failure):
            answer.trap(Refusal)
            self._log.debug("the panel was not told: {fault}", fault=answer.value)

    def _mark_action(self) -> None:
        self._last_action_cursor = self.cursor()
        self._acted_at = self._clock.seconds()
