"""
Looking until it is decided.
"""

from __future__ import annotations

from collections.abc import Mapping

from twisted.internet.defer import Deferred

from reticle.domain.predicate import parse
from reticle.model.codes import EventType
from reticle.model.ids import Cursor
from reticle.model.limits import AWAY_SECONDS
from reticle.model.verdict import Held
from reticle.testing.pages import FakePage
from reticle.testing.toolcalls import Scene
from reticle.tools.waiting import Sight, Watch, open_requests

ORDER = {"id": "n1", "method": "POST", "url": "/api/orders", "initiator": "fetch"}


def watch(scene: Scene, predicate: Mapping[str, object], seconds: float, **fields: object) -> Watch:
    """
    A watch from the page's beginning.
    """
    return Watch(
        scene.page,
        scene.clock,
        parse(predicate),
        Cursor(0),
        seconds,
        scene.context.progress,
        **fields,  # type: ignore[arg-type]  # by name
    )


def decided(scene: Scene, waiting: Watch, seconds: float) -> tuple[Sight, float]:
    """
    What was seen, and when it was decided.
    """
    done = Deferred.fromCoroutine(waiting.decided())
    elapsed = 0.0
    while not done.called and elapsed < seconds:
        scene.clock.advance(0.01)
        elapsed += 0.01
    assert isinstance(done.result, Sight)
    return done.result, elapsed


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


def test_the_window_is_whole_at_every_look(scene: Scene) -> None:
    """
    What is judged holds readings before and after, and says when the budget is spent.
    """
    scene.page.answer_reading("text", {"matched": False, "count": 0, "visibleCount": 0, "samples": []})
    waiting = watch(scene, {"kind": "text", "contains": "x"}, 1.0)
    first = Deferred.fromCoroutine(waiting.look()).result
    assert isinstance(first, Sight)
    assert (first.window.budget_spent, len(first.window.after), first.outcome.held) == (False, 1, Held.NO)
    sight, elapsed = decided(scene, waiting, 2)
    assert sight.window.budget_spent is True
    assert 0.99 <= elapsed <= 1.02
    assert scene.clock.pending() == 0


def test_an_answer_that_nothing_can_change_ends_the_wait(scene: Scene) -> None:
    """
    One request too many is final: the budget is not waited out.
    """
    for request_id in ("n1", "n2"):
        scene.page.record(EventType.NET_REQUEST, {**ORDER, "id": request_id, "status": 201, "ok": True})
    once = {"kind": "net", "urlContains": "/api/orders", "count": 1}
    sight, elapsed = decided(scene, watch(scene, once, 4.0), 5)
    assert (sight.outcome.held, sight.outcome.final) == (Held.NO, True)
    assert elapsed == 0.0


def test_an_exact_count_is_held_for_a_moment(scene: Scene) -> None:
    """
    "Exactly one" is not said before a late duplicate had its chance.
    """
    scene.page.record(EventType.NET_REQUEST, {**ORDER, "status": 201, "ok": True})
    once = {"kind": "net", "urlContains": "/api/orders", "count": 1}
    sight, elapsed = decided(scene, watch(scene, once, 4.0), 5)
    assert sight.outcome.held is Held.YES
    assert 0.5 <= elapsed <= 0.61


def test_a_page_that_stays_away_is_given_up(scene: Scene) -> None:
    """
    A long budget is not spent on a closed tab, and a page that is away does not make a busy loop.
    """
    scene.page.disconnect()
    sight, elapsed = decided(scene, watch(scene, {"kind": "route", "contains": "/x"}, 40.0), 45)
    assert sight.window.connection_lost is True
    assert AWAY_SECONDS <= elapsed <= AWAY_SECONDS + 0.3


def test_a_page_that_is_back_is_waited_for_again(scene: Scene) -> None:
    """
    Two short absences do not add up to a lost page.
    """
    waiting = watch(scene, {"kind": "console", "contains": "done"}, 20.0)
    for start in (1.0, 6.0):
        scene.clock.reactor.callLater(start, scene.page.disconnect)
        scene.clock.reactor.callLater(start + 4, scene.page.load_document, f"doc{start:g}")
    scene.clock.reactor.callLater(12, scene.page.record, EventType.CONSOLE_LOG, {"message": "done"})
    sight, elapsed = decided(scene, waiting, 21)
    assert sight.outcome.held is Held.YES
    assert 12 <= elapsed <= 12.1
