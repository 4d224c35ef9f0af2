"""
What every ``ports.Page`` and ``ports.Pages`` does: the real ones and the fakes alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import pytest
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock

from reticle.errors import Refusal
from reticle.model.codes import CommandName, ControlState
from reticle.model.ids import Cursor, PageId
from reticle.model.limits import COMMAND_SECONDS
from reticle.model.page import Attachment, BufferFill
from reticle.model.window import Pending, Question
from reticle.ports import Page, Pages
from reticle.testing.bridge import Bridge, refusal_of, result_of
from reticle.testing.pages import FakePage, FakePages

START = Cursor(0)


class Subject(Protocol):
    """
    One connected page called ``p1``, and what a test may do to it.
    """

    clock: Clock
    page: Page
    pages: Pages

    def record(self, event_type: str, fields: Mapping[str, object] | None = None) -> None:
        """
        Let the page report.
        """

    def answer(self, command: CommandName, result: object) -> None:
        """
        What the page answers from now on.
        """

    def answer_route(self, answer: Mapping[str, object] | None) -> None:
        """
        What the page answers to a ``route`` question; None for an error.
        """

    def answer_pending(self, pending: Mapping[str, object] | None) -> None:
        """
        What the page says of its scheduled work when it is read.
        """

    def reload(self, document_id: str) -> None:
        """
        Let the tab load another document.
        """

    def lose(self) -> None:
        """
        Let the socket end.
        """


def done(awaitable: Any) -> Any:
    """
    What a port's call gives at once.
    """
    assert isinstance(awaitable, Deferred)
    return result_of(awaitable)


class _RealSubject:
    """
    The bridge, and a page end that answers as it is told.
    """

    def __init__(self) -> None:
        self._bridge = Bridge()
        self._results: dict[str, object] = {}
        self._end = self._bridge.connect("p1")
        self.clock = self._bridge.clock
        self.page = self._bridge.directory.resolve(None)
        self.pages = self._bridge.directory

    def record(self, event_type: str, fields: Mapping[str, object] | None = None) -> None:
        self._end.event(event_type, fields)

    def answer(self, command: CommandName, result: object) -> None:
        self._end.on(command.value, result)

    def answer_route(self, answer: Mapping[str, object] | None) -> None:
        told = {"ok": False, "error": "no"} if answer is None else {"ok": True, **answer}
        self._end.on("read", {"answers": [told]})

    def answer_pending(self, pending: Mapping[str, object] | None) -> None:
        self._end.on("read", {"answers": [], **({} if pending is None else {"pending": pending})})

    def reload(self, document_id: str) -> None:
        self._end.lose()
        self._end = self._bridge.connect("p1", document_id)

    def lose(self) -> None:
        self._end.lose()


class _FakeSubject:
    """
    The scripted page.
    """

    def __init__(self) -> None:
        self.page = FakePage("p1")
        self.page.stay_silent(CommandName.ACT)
        self.clock = self.page.clock
        self.pages = FakePages(self.page)

    def record(self, event_type: str, fields: Mapping[str, object] | None = None) -> None:
        self.page.record(event_type, fields)

    def answer(self, command: CommandName, result: object) -> None:
        self.page.answer(command, result)

    def answer_route(self, answer: Mapping[str, object] | None) -> None:
        self.page.answer_reading("route", Refusal("page_error", "no") if answer is None else answer)

    def answer_pending(self, pending: Mapping[str, object] | None) -> None:
        self.page.answer_pending(lambda: pending)

    def reload(self, document_id: str) -> None:
        self.page.load_document(document_id)

    def lose(self) -> None:
        self.page.disconnect()


@pytest.fixture(params=[_RealSubject, _FakeSubject], ids=["real", "fake"])
def subject(request: pytest.FixtureRequest) -> Subject:
    """
    A fresh page.
    """
    made: Subject = request.param()
    return made


def test_events_are_numbered_without_gaps(subject: Subject) -> None:
    """
    Cursors count events; reads are exclusive below and inclusive above.
    """
    assert (subject.page.cursor(), list(subject.page.events(START))) == (0, [])
    for name in ("a", "b", "c"):
        subject.record("signal", {"name": name})
    assert subject.page.cursor() == 3
    assert [event.seq for event in subject.page.events(START)] == [1, 2, 3]
    assert [event.data["name"] for event in subject.page.events(Cursor(1), Cursor(2))] == ["b"]


def test_time_runs_from_the_hello(subject: Subject) -> None:
    """
    Events and the page share one time base.
    """
    subject.clock.advance(1.25)
    subject.record("signal")
    assert (subject.page.elapsed_ms(), subject.page.events(START)[0].t_ms) == (1250, 1250)


def test_a_command_gets_its_answer(subject: Subject) -> None:
    """
    The result is the page's, as decoded JSON.
    """
    subject.answer(CommandName.QUERY, {"elements": [], "count": 0})
    assert done(subject.page.ask(CommandName.QUERY, {"role": "link"})) == {"elements": [], "count": 0}


def test_a_silent_page_is_a_timeout(subject: Subject) -> None:
    """
    The call ends after its own limit, or the usual one.
    """
    asked = subject.page.ask(CommandName.ACT, {}, timeout_seconds=2)
    usual = subject.page.ask(CommandName.ACT, {})
    assert isinstance(asked, Deferred)
    assert isinstance(usual, Deferred)
    subject.clock.advance(2)
    assert refusal_of(asked).code == "command_timeout"
    subject.clock.advance(COMMAND_SECONDS - 2)
    assert refusal_of(usual).code == "command_timeout"


def test_a_lost_page_refuses_actions_and_keeps_its_past(subject: Subject) -> None:
    """
    What was recorded can be read, nothing can be done.
    """
    subject.record("signal")
    subject.lose()
    acted = subject.page.ask(CommandName.ACT, {})
    assert isinstance(acted, Deferred)
    assert refusal_of(acted).code == "session_gone"
    assert [event.type for event in subject.page.events(START)] == ["signal"]
    assert not subject.page.health().connected
    assert subject.page.window(START).connection_lost


def test_readings_answer_or_fail_but_never_raise(subject: Subject) -> None:
    """
    A failed reading carries its error and the cursor it was taken at.
    """
    subject.record("signal")
    subject.answer_route({"pathname": "/"})
    [reading] = done(subject.page.read([Question("route")]))
    assert (reading.answer, reading.error, reading.at) == ({"pathname": "/"}, None, 1)
    subject.answer_route(None)
    [reading] = done(subject.page.read([Question("route")]))
    assert reading.answer is None
    assert reading.error
    subject.lose()
    [reading] = done(subject.page.read([Question("route")]))
    assert reading.answer is None
    assert reading.error


def test_waiting_ends_with_what_happens_first(subject: Subject) -> None:
    """
    An event beyond the cursor, the loss of the socket, or the time.
    """
    event, time = subject.page.changed(START, 5), subject.page.changed(Cursor(1), 5)
    subject.record("signal")
    assert done(event) is True
    subject.clock.advance(5)
    assert done(time) is False
    lost = subject.page.changed(Cursor(1), 5)
    subject.lose()
    assert done(lost) is True
    assert done(subject.page.changed(Cursor(1), 5)) is True
    assert subject.clock.getDelayedCalls() == []


def test_a_new_document_wakes_who_waits(subject: Subject) -> None:
    """
    A reload is a change.
    """
    waiting = subject.page.changed(START, 5)
    subject.reload("doc00002")
    assert done(waiting) is True
    assert subject.page.identity.document_id == "doc00002"
    assert not subject.page.window(START).connection_lost


def test_events_carry_the_action_under_way(subject: Subject) -> None:
    """
    From its begin to its end, and the cursor before it is remembered.
    """
    subject.record("signal")
    assert subject.page.last_action_cursor() == 0
    first = subject.page.begin_action()
    subject.record("signal")
    second = subject.page.begin_action()
    subject.page.end_action(first)
    subject.record("signal")
    subject.page.end_action(second)
    subject.page.end_action(second)
    subject.record("signal")
    assert first != second
    assert [event.action_id for event in subject.page.events(START)] == [None, first, second, None]
    assert subject.page.last_action_cursor() == 2


def test_a_window_knows_open_requests_and_blind_spots(subject: Subject) -> None:
    """
    Requests open at its beginning, and what could not be watched in it.
    """
    subject.record("net.pending", {"id": "n1", "url": "/a"})
    subject.record("net.pending", {"id": "n2", "url": "/b"})
    subject.record("net.request", {"id": "n1", "status": 200})
    subject.record("blind-spot", {"kind": "closed-shadow-root", "count": 1})
    window = subject.page.window(Cursor(3))
    assert [event.data["url"] for event in window.open_requests_before] == ["/b"]
    assert [event.seq for event in window.events] == [4]
    assert (window.since, window.until, window.losses) == (3, 4, [])
    assert window.blind_spots == {"closed-shadow-root": 1}


def test_a_read_tells_what_is_scheduled(subject: Subject) -> None:
    """
    No question asks for that alone; it is known of the present only, and ends with its document.
    """
    told = {"timers": 1, "animations": 0, "loads": 0, "soonestMs": 800, "latestMs": 800}
    assert subject.page.window(START).pending is None
    subject.answer_pending(told)
    subject.clock.advance(0.5)
    assert list(done(subject.page.read([]))) == []
    expected = Pending(500, 1, soonest_ms=800, latest_ms=800)
    assert subject.page.window(START).pending == expected
    subject.record("signal")
    assert subject.page.window(START).pending == expected
    assert subject.page.window(START, START).pending is None
    subject.answer_pending(None)
    done(subject.page.read([]))
    assert subject.page.window(START).pending is None
    subject.answer_pending(told)
    done(subject.page.read([]))
    subject.reload("doc00002")
    assert subject.page.window(START).pending is None


def test_the_only_page_is_resolved(subject: Subject) -> None:
    """
    By its name and without; a wrong name is refused.
    """
    assert subject.pages.resolve(None) is subject.page
    assert subject.pages.resolve(PageId("p1")) is subject.page
    assert list(subject.pages.all()) == [subject.page]
    with pytest.raises(Refusal) as refused:
        subject.pages.resolve(PageId("p9"))
    assert refused.value.code == "unknown_session"
    assert subject.pages.resolve(None, lambda page: page is subject.page) is subject.page
    for named in (None, PageId("p1")):
        with pytest.raises(Refusal) as refused:
            subject.pages.resolve(named, lambda page: page is not subject.page)
        assert refused.value.code == ("no_session" if named is None else "unknown_session")
    assert done(subject.pages.await_page(PageId("p1"), 1)) is True


def test_nobody_left_is_refused(subject: Subject) -> None:
    """
    A lost page is no longer meant by a call without a name.
    """
    subject.lose()
    assert list(subject.pages.all()) == []
    with pytest.raises(Refusal) as refused:
        subject.pages.resolve(None)
    assert refused.value.code == "no_session"
    assert refused.value.recovery
    assert (list(subject.pages.refused_dials()), subject.pages.seen_before()) == ([], 1)


def test_a_person_steers_and_it_outlasts_a_reload(subject: Subject) -> None:
    """
    Buttons, messages and flags reach the page's steering; a reload forgets none of it.
    """
    subject.record("human.control", {"kind": "pause"})
    subject.record("human.control", {"kind": "message", "text": "wait"})
    subject.record("human.mark", {"note": "wrong", "label": "button"})
    subject.reload("doc00002")
    steering = subject.page.steering
    assert (steering.state, steering.waiting()) == (ControlState.PAUSED, 1)
    assert steering.take_guidance().messages == ("wait",)
    assert [mark.mark_id for mark in steering.marks()] == ["m1"]
    assert (steering.resume(), steering.state) == (True, ControlState.ACTIVE)


def test_the_buffer_and_the_connection_are_told(subject: Subject) -> None:
    """
    Nothing was let go of a page that reported a little, and it has been connected since its hello.
    """
    subject.record("signal", {"name": "a"})
    subject.clock.advance(2)
    assert subject.page.buffer() == BufferFill(1, 0)
    assert subject.page.attachment() == Attachment(2_000)
    subject.lose()
    assert subject.page.attachment().connected_ms == 0
