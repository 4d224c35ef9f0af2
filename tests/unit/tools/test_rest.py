"""
How long a claim that holds is watched.
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs
import pytest

from reticle.model.codes import EventType
from reticle.model.ids import Cursor, DocumentId
from reticle.model.page import Loss
from reticle.model.window import Pending, Window
from reticle.testing.clock import FakeClock
from reticle.testing.pages import FakePage
from reticle.testing.windows import WindowBuilder
from reticle.tools.rest import Patience, Rest, open_requests, went_by_itself

ORDER = {"id": "n1", "method": "POST", "url": "/api/orders", "initiator": "fetch"}
QUIET = WindowBuilder().build()


def windowed(*events: tuple[str, Mapping[str, object]], before: int = 0) -> list[str]:
    """
    The open requests after such events, of which so many happened before the window.
    """
    page = FakePage()
    for kind, fields in events:
        page.record(kind, fields)
        page.clock.advance(0.001)
    return [one.url for one in open_requests(page.window(Cursor(before)))]


def test_only_requests_of_the_window_are_waited_for() -> None:
    """
    A request that was open before the act, tooling and finished calls do not hold up a verdict.
    """
    begun, ended = EventType.NET_PENDING, EventType.NET_REQUEST
    assert windowed((begun, ORDER)) == ["/api/orders"]
    assert windowed((begun, ORDER), before=1) == []
    assert windowed((begun, ORDER), (ended, {**ORDER, "status": 201, "ok": True})) == []
    assert windowed((begun, {**ORDER, "url": "/@vite/ping", "method": "GET"})) == []


def busy(latest_ms: int, soonest_ms: int | None = None) -> Window:
    """
    A quiet window whose page has timers due.
    """
    soonest = latest_ms if soonest_ms is None else soonest_ms
    return attrs.evolve(QUIET, pending=Pending(QUIET.closed_t_ms, 1, soonest_ms=soonest, latest_ms=latest_ms))


def test_an_act_is_watched_from_when_its_claim_holds() -> None:
    """
    Silence from before the act proves nothing about it; for a state that was asked about it does.
    """
    clock = FakeClock()
    acted, asked = Rest(clock, acted=True), Rest(clock, acted=False)
    assert asked.judge(QUIET, 4) is Patience.ENOUGH
    assert acted.judge(QUIET, 4) is Patience.ON
    clock.advance(0.5)
    assert acted.judge(QUIET, 4) is Patience.ENOUGH


def test_quiet_begins_when_known_work_is_done() -> None:
    """
    As long as work is due only that is waited for, and after it there is half a second of quiet.
    """
    clock = FakeClock()
    rest = Rest(clock, acted=True)
    assert rest.judge(busy(800), 4) is Patience.ON
    clock.advance(0.7)
    assert rest.judge(busy(100), 3.3) is Patience.FOR_KNOWN_WORK
    clock.advance(0.2)
    assert rest.judge(QUIET, 3.1) is Patience.ON
    clock.advance(0.3)
    assert rest.judge(QUIET, 2.8) is Patience.ENOUGH


@pytest.mark.parametrize(("left", "patience"), [(2.0, Patience.ENOUGH), (3.0, Patience.FOR_KNOWN_WORK)])
def test_only_what_the_budget_reaches_is_waited_for(left: float, patience: Patience) -> None:
    """
    A timer beyond the time that is left cannot be seen and delays nothing.
    """
    clock = FakeClock()
    rest = Rest(clock, acted=True)
    rest.judge(busy(2500), left + 0.6)
    clock.advance(0.6)
    assert rest.judge(busy(2500), left) is patience


def test_what_may_be_a_poll_is_waited_for_without_beginning_again() -> None:
    """
    A page that reads the same twice is restless or tries again: its last read is answered before the verdict.
    """
    clock = FakeClock()
    rest = Rest(clock, acted=True)
    twice = WindowBuilder().net("GET", "/viewers").wait(400)
    assert rest.judge(twice.build(), 5) is Patience.ON
    clock.advance(10)
    assert rest.judge(twice.pending("GET", "/viewers", id_="last").quiet(10).build(), 5) is Patience.ON
    answered = twice.answered("last", "GET", "/viewers", 200).quiet(10).build()
    assert rest.judge(answered, 5) is Patience.ENOUGH


def test_an_open_request_begins_the_watch_again() -> None:
    """
    A chain of answers and timers is followed to its end, each with its own time.
    """
    clock = FakeClock()
    rest = Rest(clock, acted=True)
    page = FakePage()
    page.record(EventType.NET_PENDING, ORDER)
    for _ in range(3):
        assert rest.judge(busy(300), 20) is not Patience.ENOUGH
        clock.advance(1.2)
        assert rest.judge(page.window(Cursor(0)), 20) is Patience.ON
        clock.advance(1.2)


@pytest.mark.parametrize(
    ("later", "by_itself"),
    [
        ((EventType.DOM_REMOVED, {"role": "status"}), True),
        ((EventType.DOM_ATTR, {"attr": "class", "value": "out"}), True),
        ((EventType.DOM_TEXT, {"text": "10:01"}), True),
        ((EventType.DOM_ADDED, {"role": "alert"}), False),
        ((EventType.NET_REQUEST, {**ORDER, "status": 200}), False),
        ((EventType.ERROR_UNCAUGHT, {"message": "x"}), False),
        ((EventType.STATE_CHANGE, {"path": "cart"}), False),
    ],
)
def test_a_message_leaves_nothing_but_its_place(
    later: tuple[str, Mapping[str, object]], *, by_itself: bool
) -> None:
    """
    An answer, an error or other words after the page had come to rest may have taken the claim back.
    """
    rested = WindowBuilder().event(EventType.DOM_TEXT, {"text": "10:00"}, ref="e9")
    now = WindowBuilder().event(EventType.DOM_TEXT, {"text": "10:00"}, ref="e9").event(*later, ref="e9")
    assert went_by_itself(rested.build(), now.build()) is by_itself


def test_words_elsewhere_are_no_clock() -> None:
    """
    A text that changes for the first time says something new.
    """
    now = WindowBuilder().event(EventType.DOM_TEXT, {"text": "Failed"}, ref="e2").build()
    assert went_by_itself(QUIET, now) is False


@pytest.mark.parametrize(
    "change",
    [
        {"connection_lost": True},
        {"losses": [Loss(Cursor(0), "dom", 1, "page")]},
        {"document_id": DocumentId("d2")},
    ],
)
def test_what_was_not_seen_did_not_go_by_itself(change: Mapping[str, object]) -> None:
    """
    Where evidence may be missing, or the document is another, nothing is taken for an expired message.
    """
    assert went_by_itself(QUIET, attrs.evolve(QUIET, **change)) is False  # type: ignore[arg-type]  # by name


@pytest.mark.parametrize(
    ("due_ms", "expected"),
    [
        (800, Patience.FOR_KNOWN_WORK),
        (1_400, Patience.FOR_KNOWN_WORK),
        (2_000, Patience.ENOUGH),
        (4_000, Patience.ENOUGH),
    ],
)
def test_a_save_is_waited_for_and_a_toast_is_not(due_ms: int, expected: Patience) -> None:
    """
    A debounced save is seen through; a message that takes itself away three seconds after the claim came to
    hold delays no verdict, however long that was watched already.
    """
    clock = FakeClock()
    rest = Rest(clock, acted=True)
    opened = WindowBuilder().build()
    rest.judge(opened, 9.0)
    clock.reactor.advance(1)
    quiet = WindowBuilder().quiet(1_000).build()
    pending = Pending(quiet.closed_t_ms, timers=1, soonest_ms=due_ms, latest_ms=due_ms)
    assert rest.judge(attrs.evolve(quiet, pending=pending), 9.0) is expected
