"""
One page in memory: no socket, no browser; what it did and what it answers is scripted by the test.

Time comes from a ``twisted.internet.task.Clock``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from urllib.parse import urlsplit

import attrs
from twisted.internet.defer import Deferred, succeed
from twisted.internet.task import Clock

from reticle.bridge.apps import Apps
from reticle.bridge.pending import read_pending
from reticle.bridge.script_skew import SkewNotice
from reticle.bridge.steering import PanelSteering
from reticle.errors import Refusal
from reticle.model.browser import Attestation
from reticle.model.codes import CommandName, EventType, RefusalCode
from reticle.model.ids import ActionId, Cursor, DocumentId, PageId
from reticle.model.limits import COMMAND_SECONDS
from reticle.model.page import (
    App,
    Attachment,
    BufferFill,
    PageEvent,
    PageHealth,
    PageIdentity,
)
from reticle.model.runs import Position
from reticle.model.server_facts import ServerSight
from reticle.model.window import Pending, Question, QuestionKind, Reading, Window
from reticle.testing.page_answers import Scripted, ScriptedAnswers
from reticle.testing.page_past import PagePast


@attrs.frozen
class Asked:
    """
    One command that reached the page.
    """

    command: CommandName
    args: Mapping[str, object]


class FakePage:
    """
    A scripted page.

    Args:
        page_id: Its name.
        clock: Whose time it lives in; a fresh ``task.Clock`` unless given.
        url: Where it is.
        own_script: Whether it runs our page script.
        attested: Set where a driven browser opened it.
        age_seconds: How long ago it said hello.

    ``asked`` holds every command, ``panel`` what the panel was told. Set ``evicted`` to let its buffer have
    let events go, ``written`` to say what source maps make of a window.
    """

    def __init__(
        self,
        page_id: str = "p1",
        *,
        clock: Clock | None = None,
        url: str = "http://localhost:8000/",
        title: str = "Fake",
        own_script: bool = True,
        project_id: str | None = None,
        attested: Attestation | None = None,
        age_seconds: float = 0.0,
    ) -> None:
        self.clock = Clock() if clock is None else clock
        self.asked: list[Asked] = []
        self.panel: list[Asked] = []
        self.server = ServerSight()
        self.steering = PanelSteering(lambda command, args: self.panel.append(Asked(command, dict(args))))
        self.evicted = 0
        self.served: dict[str, str] = {}
        self.written: Callable[[Window, float], Window] = lambda window, _: window
        self._skew = SkewNotice()
        self._identity = PageIdentity(
            page_id=PageId(page_id),
            url=url,
            title=title,
            own_script=own_script,
            document_id=DocumentId("doc00001"),
            project_id=project_id,
            attested=attested,
        )
        self._heard = self.clock.seconds()
        self._born = self._heard - age_seconds
        self.document_born = self._heard - age_seconds
        self._connected = True
        self._gone = False
        self._hidden = False
        self._focused = True
        self._past = PagePast()
        self._apps = Apps()
        self._apps.shows(self._identity.app, self._identity.document_id, Cursor(0))
        self._answers = ScriptedAnswers()
        self._scheduled: Callable[[], Mapping[str, object] | None] = lambda: None
        self._pending: Pending | None = None
        self._silent: set[CommandName] = set()
        self._waiters: list[tuple[Cursor, Deferred[bool]]] = []
        self._action: ActionId | None = None
        self._actions = 0
        self._acted: list[tuple[Cursor, int]] = []
        self._last_action_cursor = Cursor(0)

    # --- the script --------------------------------------------------------------------------

    def record(
        self, event_type: str, data: Mapping[str, object] | None = None, *, ref: str | None = None
    ) -> PageEvent:
        """
        Let the page report something now; the event is stamped as a real one would be.
        """
        event = PageEvent(
            seq=self.cursor() + 1,
            t_ms=self.elapsed_ms(),
            type=event_type,
            data=dict(data or {}),
            ref=ref,
            document_id=self._identity.document_id,
            action_id=self._action,
            app=self._identity.app,
        )
        self._past.reported.append(event)
        if event_type == EventType.HUMAN_CONTROL:
            self.steering.controlled(event.data, event.app)
        if event_type == EventType.HUMAN_MARK:
            self.steering.marked(event.data, event.app)
        self._heard = self.clock.seconds()
        self._wake()
        return event

    def lose(self, channel: str, dropped: int = 1, where: str = "page") -> None:
        """
        Let evidence of a channel be lost at the present cursor.
        """
        self._past.lost(channel, dropped, where)

    def answer(self, command: CommandName, result: Scripted, *, times: int | None = None) -> None:
        """
        What the page answers to a command: always, or for the next ``times`` only (in order).
        """
        self._answers.script(command, result, times)

    def answer_reading(self, kind: QuestionKind, answer: Scripted) -> None:
        """
        What the page answers to questions of a kind; a ``Refusal`` becomes the reading's error.
        """
        self._answers.script_reading(kind, answer)

    def answer_pending(self, told: Callable[[], Mapping[str, object] | None]) -> None:
        """
        What the page says of its scheduled work whenever it is read; None, as before, for nothing.
        """
        self._scheduled = told

    def stay_silent(self, command: CommandName) -> None:
        """
        Never answer a command: asking it ends in ``command_timeout``.
        """
        self._silent.add(command)

    def load_document(
        self, document_id: str, url: str | None = None, *, project_id: str | None = None
    ) -> None:
        """
        Let the tab load another document and say hello again.
        """
        self._identity = attrs.evolve(
            self._identity,
            document_id=DocumentId(document_id),
            url=self._identity.url if url is None else url,
            project_id=self._identity.project_id if project_id is None else project_id,
        )
        self._last_action_cursor = self.cursor()
        self._past.loaded()
        self._apps.shows(self._identity.app, self._identity.document_id, self.cursor())
        self._pending = None
        self._connected = True
        self._past.connected(now=True)
        self.steering.renew()
        self._wake(moved=True)

    def run_old_script(self) -> None:
        """
        Let the page run another script of ours than the daemon serves.
        """
        self._identity = attrs.evolve(self._identity, script_hash="0" * 16, version_skew=True)

    def declare(self, *invariants: str) -> None:
        """
        The app says what must always hold, each as the JSON of a declaration.
        """
        self._identity = attrs.evolve(self._identity, invariants=invariants)

    def hide(self, *, hidden: bool = True) -> None:
        """
        Put the tab into the background, or back.
        """
        self._hidden, self._focused = hidden, not hidden

    def disconnect(self, *, for_good: bool = False) -> None:
        """
        Let the page's socket end; ``for_good`` as when its tab is closed.
        """
        self._connected, self._gone = False, for_good
        self._past.connected(now=False)
        self._wake(moved=True)

    # --- ports.Page --------------------------------------------------------------------------

    @property
    def identity(self) -> PageIdentity:
        """
        See ``ports.Page``.
        """
        return self._identity

    def take_skew(self) -> bool:
        """
        See ``ports.Page``.
        """
        return self._skew.take(self._identity)

    def health(self) -> PageHealth:
        """
        See ``ports.Page``.
        """
        silent = self.clock.seconds() - self._heard
        return PageHealth(
            silent,
            hidden=self._hidden,
            focused=self._focused,
            connected=self._connected,
            gone=self._gone and not self._connected,
        )

    def buffer(self) -> BufferFill:
        """
        See ``ports.Page``.
        """
        return BufferFill(self.cursor(), self.evicted)

    def attachment(self) -> Attachment:
        """
        See ``ports.Page``.
        """
        return Attachment(self.elapsed_ms() if self._connected else 0)

    def cursor(self) -> Cursor:
        """
        See ``ports.Page``.
        """
        return self._past.cursor()

    def elapsed_ms(self) -> int:
        """
        See ``ports.Page``.
        """
        return round((self.clock.seconds() - self._born) * 1000)

    def document_ms(self) -> int:
        """
        See ``ports.Page``; a reload is for the test to set.
        """
        return round((self.clock.seconds() - self.document_born) * 1000)

    def last_action_cursor(self) -> Cursor:
        """
        See ``ports.Page``.
        """
        return self._last_action_cursor

    def events(self, since: Cursor, until: Cursor | None = None) -> Sequence[PageEvent]:
        """
        See ``ports.Page``.
        """
        return self._past.events(since, until)

    def apps(self, since: Cursor, until: Cursor | None = None) -> Sequence[tuple[Cursor, App | None]]:
        """
        See ``ports.Page``.
        """
        return self._apps.during(since, self.cursor() if until is None else until)

    def window(self, since: Cursor, until: Cursor | None = None) -> Window:
        """
        See ``ports.Page``.
        """
        window = self._past.window(self._identity, since, until, self.elapsed_ms())
        return attrs.evolve(
            window,
            hidden=self._hidden,
            silent_ms=round((self.clock.seconds() - self._heard) * 1000),
            pending=self._pending if window.until == self.cursor() else None,
            acted_at=[t_ms for at, t_ms in self._acted if at <= window.until],
            server=self.server,
        )

    def placed(self, window: Window, wait_seconds: float) -> Deferred[Window]:
        """
        See ``ports.Page``; by what ``written`` says.
        """
        return succeed(self.written(window, wait_seconds))

    def texts(self, addresses: Sequence[str]) -> Deferred[Sequence[str]]:
        """
        See ``ports.Page``: what ``served`` has.
        """
        return succeed([self.served.get(address, "") for address in addresses])

    def located(self, positions: Sequence[Position], wait_seconds: float) -> Deferred[Sequence[str | None]]:
        """
        See ``ports.Page``: the path of each address, as where no build is.
        """
        del wait_seconds
        return succeed([f"{urlsplit(one.address).path}:{one.line}" for one in positions])

    def ask(
        self, command: CommandName, args: Mapping[str, object], *, timeout_seconds: float | None = None
    ) -> Deferred[object]:
        """
        See ``ports.Page``. A command without a script is answered as ``unknown command``.
        """
        answer: Deferred[object] = Deferred()
        if not self._connected:
            answer.errback(
                Refusal(RefusalCode.SESSION_GONE, f"Page {self._identity.page_id} is no longer connected.")
            )
            return answer
        self.asked.append(Asked(command, dict(args)))
        if command in self._silent:
            seconds = COMMAND_SECONDS if timeout_seconds is None else timeout_seconds
            late = Refusal(
                RefusalCode.COMMAND_TIMEOUT, f"The page did not answer {command} within {seconds:g} s."
            )
            self.clock.callLater(seconds, answer.errback, late)
            return answer
        try:
            result = self._answers.result(command, args)
        except Refusal as refusal:
            answer.errback(refusal)
        else:
            if command is CommandName.ACT:
                self._pending = read_pending(result, self.elapsed_ms())
            answer.callback(result)
        return answer

    def read(self, questions: Sequence[Question], *, rest_ms: int = 0) -> Deferred[Sequence[Reading]]:
        """
        See ``ports.Page``. It answers at once, and never knows that it rests.
        """
        del rest_ms
        told = {"pending": self._scheduled()} if self._connected else None
        self._pending = read_pending(told, self.elapsed_ms())
        return succeed([self._reading(question) for question in questions])

    def changed(self, since: Cursor, timeout_seconds: float) -> Deferred[bool]:
        """
        See ``ports.Page``.
        """
        if self.cursor() > since or not self._connected:
            return succeed(True)
        waiter: Deferred[bool] = Deferred(lambda _: None)
        entry = (since, waiter)
        self._waiters.append(entry)
        timer = self.clock.callLater(timeout_seconds, waiter.callback, False)

        def forget(result: object) -> object:
            if entry in self._waiters:
                self._waiters.remove(entry)
            if timer.active():
                timer.cancel()
            return result

        return waiter.addBoth(forget)

    def begin_action(self) -> ActionId:
        """
        See ``ports.Page``.
        """
        self._actions += 1
        self._action = ActionId(f"a{self._actions}")
        self._last_action_cursor = self.cursor()
        self._acted.append((self.cursor(), self.elapsed_ms()))
        return self._action

    def end_action(self, action_id: ActionId) -> None:
        """
        See ``ports.Page``.
        """
        if self._action == action_id:
            self._action = None

    # --- inside ------------------------------------------------------------------------------

    def _wake(self, *, moved: bool = False) -> None:
        for since, waiter in list(self._waiters):
            if (moved or self.cursor() > since) and not waiter.called:
                waiter.callback(True)

    def _reading(self, question: Question) -> Reading:
        if not self._connected:
            return Reading(
                question, self.cursor(), self.elapsed_ms(), error="the page is no longer connected"
            )
        return self._answers.reading(question, self.cursor(), self.elapsed_ms())
