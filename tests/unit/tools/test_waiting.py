"""
Looking until it is decided.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from twisted.internet.defer import Deferred

from reticle.domain.predicate import parse, questions
from reticle.model.codes import EventType
from reticle.model.ids import ActionId, Cursor
from reticle.model.limits import AWAY_SECONDS, POLL_MS
from reticle.model.server_facts import FactKind, ProbedProcess, ServerFact, ServerSight
from reticle.model.verdict import Held
from reticle.model.window import ActionRecord, Effect, Pending, Question, Reading
from reticle.testing.toolcalls import Scene
from reticle.tools.waiting import Sight, Watch

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


RID = "a" * 32
PROBE = ProbedProcess("p1", 42, "flask 3.1", "/srv/shop", attested=True, serves=True, silent_ms=0)


def answered(scene: Scene) -> Watch:
    """
    A click whose request was answered at once by a server with a probe.
    """
    scene.page.server = ServerSight((PROBE,))
    scene.page.record(EventType.NET_REQUEST, {**ORDER, "status": 200, "ok": True, "rid": RID})
    action = ActionRecord(ActionId("a1"), "click", {"ref": "e1"}, Effect({"ok": True}))
    return watch(scene, {"kind": "sql", "verb": "INSERT"}, 3.0, action=action)


def handled(scene: Scene, *more: FactKind) -> None:
    """
    The probe's word on it.
    """
    facts = [
        ServerFact(kind, "p1", seq, 1, RID, None, {"verb": "INSERT", "status": 200}, attested=True)
        for seq, kind in enumerate((*more, FactKind.REQUEST_HANDLED), 1)
    ]
    scene.page.server = ServerSight((PROBE,), tuple(facts))


def test_the_probes_word_is_waited_for_after_the_answer(scene: Scene) -> None:
    """
    The page has the answer before the probe's next batch tells what was written for it.
    """
    waiting = answered(scene)
    done = Deferred.fromCoroutine(waiting.decided())
    for _ in range(10):
        scene.clock.advance(0.01)
    assert not done.called
    handled(scene, FactKind.SQL)
    for _ in range(200):
        scene.clock.advance(0.01)
    assert isinstance(done.result, Sight)
    assert done.result.outcome.held is Held.YES


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


def test_a_page_whose_browser_ended_is_not_waited_for(scene: Scene) -> None:
    """
    It cannot come back: the agent hears of it at once.
    """
    scene.page.disconnect(for_good=True)
    sight, elapsed = decided(scene, watch(scene, {"kind": "route", "contains": "/x"}, 40.0), 45)
    assert sight.window.connection_lost is True
    assert elapsed < 0.3


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


# --- what the page has scheduled -----------------------------------------------------------------

NOTHING = {"timers": 0, "animations": 0, "loads": 0}
SAVED: Mapping[str, object] = {"kind": "net", "urlContains": "/api/orders", "status": 201}
TOAST: Mapping[str, object] = {"kind": "element", "role": "status"}
ACTED = ActionRecord(ActionId("a1"), "click", {})


def due(scene: Scene, *seconds: float) -> None:
    """
    Let the page say that timers are due at these moments of the test.
    """

    def told() -> Mapping[str, object]:
        left = sorted(round((at - scene.clock.monotonic()) * 1000) for at in seconds)
        coming = [ms for ms in left if ms > 0]
        times = {"soonestMs": coming[0], "latestMs": coming[-1]} if coming else {}
        return {**NOTHING, "timers": len(coming), **times}

    scene.page.answer_pending(told)


def acted(scene: Scene, predicate: Mapping[str, object], seconds: float = 4.0) -> tuple[Sight, float]:
    """
    What was seen after an act, and when it was decided.
    """
    return decided(scene, watch(scene, predicate, seconds, action=ACTED), seconds + 1)


def saved(scene: Scene, status: int = 201) -> None:
    """
    Let the page report that the order was answered.
    """
    scene.page.record(EventType.NET_REQUEST, {**ORDER, "status": status, "ok": status < 400})


def test_a_debounced_save_is_waited_for(scene: Scene) -> None:
    """
    What the act scheduled is seen before the claim is judged: quiet only counts from then on.
    """
    saved(scene)
    due(scene, scene.clock.monotonic() + 0.8)
    scene.clock.reactor.callLater(
        0.8, scene.page.record, EventType.NET_REQUEST, {**ORDER, "id": "n2", "url": "/api/log", "status": 500}
    )
    sight, elapsed = acted(scene, SAVED)
    assert [event.data["status"] for event in sight.window.events] == [201, 500]
    assert 1.3 <= elapsed <= 1.5


def test_nothing_scheduled_costs_nothing(scene: Scene) -> None:
    """
    A page that has nothing to do, and one that does not say, are judged as soon as they are quiet.
    """
    saved(scene)
    due(scene)
    known, took = acted(scene, SAVED)
    scene.page.answer_pending(lambda: None)
    unknown, after = acted(scene, SAVED)
    assert (known.outcome.held, unknown.outcome.held) == (Held.YES, Held.YES)
    assert known.window.pending == Pending(known.window.closed_t_ms)
    assert unknown.window.pending is None
    assert 0.5 <= took <= 0.7
    assert 0.5 <= after <= 0.7


def test_a_page_that_knows_that_nothing_comes_is_judged_after_two_frames(scene: Scene) -> None:
    """
    A claim of presence is proved at once; one that is taken back meanwhile is not, and a doubt has its time.
    """
    effect = ActionRecord(ActionId("a1"), "click", {}, Effect({"ok": True}))
    scene.page.answer_pending(lambda: {**NOTHING, "quietMs": 60_000})
    toast(scene, shown=True)
    scene.page.record(EventType.DOM_ADDED, {"role": "status", "name": "Saved"})
    early, took = decided(scene, watch(scene, TOAST, 4.0, action=effect, before=unseen()), 5)
    assert (early.outcome.held, early.window.closed_t_ms < 200) == (Held.YES, True)
    assert 0.03 <= took <= 0.06
    scene.page.record(EventType.DOM_TEXT, {"text": "Saved"})
    scene.clock.reactor.callLater(0.02, lambda: toast(scene, shown=False))
    back, _ = decided(scene, watch(scene, TOAST, 1.0, action=effect, before=unseen()), 2)
    assert back.outcome.held is Held.NO
    toast(scene, shown=True)
    scene.page.record(EventType.DOM_ADDED, {"role": "status", "name": "Saved"})
    saved(scene, 202)
    doubtful, late = decided(scene, watch(scene, TOAST, 4.0, action=effect, before=unseen()), 5)
    assert doubtful.outcome.held is Held.YES
    assert 0.5 <= late <= 0.7


def test_a_page_that_has_come_to_rest_is_read_once(scene: Scene) -> None:
    """
    A page says itself when it rests: it is asked for that within a look, and no time is waited for after it.
    """
    told = {**NOTHING, "quietMs": 60_000, "rested": True}
    scene.page.answer_pending(lambda: told)
    toast(scene, shown=True)
    reads: list[int] = []
    read = scene.page.read

    def counted(questions: Sequence[Question], *, rest_ms: int = 0) -> Deferred[Sequence[Reading]]:
        reads.append(rest_ms)
        return read(questions)

    scene.page.read = counted  # type: ignore[method-assign]  # to count how often it is asked
    effect = ActionRecord(ActionId("a1"), "click", {}, Effect({"ok": True}))
    scene.page.record(EventType.DOM_ADDED, {"role": "status", "name": "Saved"})
    sight, elapsed = decided(scene, watch(scene, TOAST, 4.0, action=effect, before=unseen()), 5)
    assert sight.outcome.held is Held.YES
    assert reads == [POLL_MS]
    assert elapsed == 0.0


def test_a_page_whose_rest_counts_for_nothing_is_read_at_once(scene: Scene) -> None:
    """
    A claim that names a time of its own, and a look that does not act, wait for no rest of the page.
    """
    asked: list[int] = []
    read = scene.page.read

    def counted(questions: Sequence[Question], *, rest_ms: int = 0) -> Deferred[Sequence[Reading]]:
        asked.append(rest_ms)
        return read(questions)

    scene.page.read = counted  # type: ignore[method-assign]  # to see what is asked
    toast(scene, shown=True)
    effect = ActionRecord(ActionId("a1"), "click", {}, Effect({"ok": True}))
    settles = {"kind": "allOf", "predicates": [TOAST, {"kind": "settled"}]}
    decided(scene, watch(scene, settles, 0.2, action=effect, before=unseen()), 1)
    decided(scene, watch(scene, TOAST, 0.2), 1)
    assert asked
    assert set(asked) == {0}


def test_a_page_that_keeps_scheduling_is_given_up(scene: Scene) -> None:
    """
    One second beyond what it had named first, and the verdict knows what was not waited for.
    """
    saved(scene)
    scene.page.answer_pending(lambda: {**NOTHING, "timers": 1, "soonestMs": 200, "latestMs": 250})
    sight, elapsed = acted(scene, SAVED)
    assert sight.outcome.held is Held.YES
    assert sight.window.pending is not None
    assert 1.25 <= elapsed <= 1.45


def test_what_is_due_after_the_budget_is_not_waited_for(scene: Scene) -> None:
    """
    A verdict comes at once where waiting could not bring what is scheduled.
    """
    saved(scene)
    due(scene, scene.clock.monotonic() + 4.5)
    sight, elapsed = acted(scene, SAVED)
    assert 0.5 <= elapsed <= 0.7
    assert sight.window.pending is not None
    assert sight.window.pending.timers == 1


def test_a_claim_without_questions_asks_only_when_it_holds(scene: Scene) -> None:
    """
    A claim about requests costs the page nothing while it does not hold.
    """
    asked: list[int] = []

    def told() -> Mapping[str, object]:
        asked.append(1)
        return NOTHING

    scene.page.answer_pending(told)
    sight, _ = acted(scene, SAVED, 1.0)
    assert (sight.outcome.held, asked) == (Held.NO, [])


def test_a_script_under_way_is_waited_for_a_second(scene: Scene) -> None:
    """
    What has no known time does not hold a verdict for ever.
    """
    saved(scene)
    scene.page.answer_pending(lambda: {**NOTHING, "loads": 1})
    _, elapsed = acted(scene, SAVED)
    assert 1.0 <= elapsed <= 1.2


def unseen() -> list[Reading]:
    """
    What was read before the act: that there is no message.
    """
    [question] = questions(parse(TOAST))
    return [Reading(question, Cursor(0), 0, {"matched": False, "count": 0, "candidates": 0, "elements": []})]


def toast(scene: Scene, *, shown: bool) -> None:
    """
    Let the page have a message, or none.
    """
    described = [{"ref": "e1", "role": "status", "name": "Saved", "states": ["visible"]}] if shown else []
    answer = {"matched": shown, "count": len(described), "candidates": len(described), "elements": described}
    answer["perceivable"] = shown
    scene.page.answer_reading("match", answer)
    if not shown:
        scene.page.record(EventType.DOM_REMOVED, {"role": "status", "name": "Saved"})


def test_a_toast_that_expires_while_work_is_waited_for_was_there(scene: Scene) -> None:
    """
    The timer that takes a message out is waited for like any other and does not undo the message; that it
    is gone by now is known.
    """
    toast(scene, shown=True)
    due(scene, scene.clock.monotonic() + 2, scene.clock.monotonic() + 2.5)
    scene.clock.reactor.callLater(2, lambda: toast(scene, shown=False))
    sight, elapsed = acted(scene, TOAST)
    assert (sight.outcome.held, sight.window.expired) == (Held.YES, True)
    assert 2.9 <= elapsed <= 3.2


def test_a_claim_that_was_taken_back_does_not_hold(scene: Scene) -> None:
    """
    A row that a late answer removes is not there, although it was for a while.
    """

    def taken_back() -> None:
        saved(scene, 500)
        toast(scene, shown=False)

    toast(scene, shown=True)
    due(scene, scene.clock.monotonic() + 2)
    scene.clock.reactor.callLater(2, taken_back)
    sight, _ = acted(scene, TOAST)
    assert (sight.outcome.held, sight.window.expired) == (Held.NO, False)
