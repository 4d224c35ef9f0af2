"""
Acting and proving: the main job of the daemon, over scripted pages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from twisted.internet.defer import Deferred

from reticle.domain.project_detectors import Detectors
from reticle.errors import Refusal
from reticle.model.codes import CommandName, EventType, Verified, VerifiedReason
from reticle.model.ids import PageId, VerdictId
from reticle.model.window import Question, Reading
from reticle.testing.context import FakeContext
from reticle.testing.toolcalls import HeedfulPages, Scene, answer_of, refusal_in, refusal_of, start_call
from reticle.tools.act_and_wait import TOOLS
from reticle.tools.spec import ToolAnswer

ACT_AND_WAIT = TOOLS[0]
REPORT = {
    "ok": True, "ref": "e5", "action": "click", "role": "button", "name": "Pay", "source": "cart.html:12",
    "settled": True, "effect": {"dispatched": True, "domMutatedWithin": 1},
}  # fmt: skip
CLICK = {"action": "click", "ref": "e5"}
ORDER = {"id": "n1", "method": "POST", "url": "/api/orders", "initiator": "fetch"}
ORDERED = {"kind": "net", "method": "POST", "urlContains": "/api/orders", "ok": True}
THANKS = {"kind": "text", "contains": "Thank you", "visible": True}


class Screen:
    """
    What the page's text says, for ``text`` questions.
    """

    def __init__(self, scene: Scene) -> None:
        self.shows = ""
        scene.page.answer_reading("text", self.read)

    def read(self, question: Mapping[str, object]) -> object:
        """
        Whether the screen shows what is asked for.
        """
        there = str(question["contains"]) in self.shows
        samples = [{"ref": "e9", "text": self.shows, "visible": True}] if there else []
        return {"matched": there, "count": int(there), "visibleCount": int(there), "samples": samples}


def on_click(scene: Scene, happens: Callable[[], object]) -> None:
    """
    What the page does when it is clicked, before it answers.
    """

    def act(_: Mapping[str, object]) -> object:
        happens()
        return REPORT

    scene.page.answer(CommandName.ACT, act)


def order_sent(scene: Scene) -> None:
    """
    The page begins its POST.
    """
    scene.page.record(EventType.NET_PENDING, ORDER)


def order_answered(scene: Scene, status: int, body: str = '{"id": 7}') -> None:
    """
    The POST ends.
    """
    scene.page.record(
        EventType.NET_REQUEST,
        {**ORDER, "status": status, "ok": status < 400, "durationMs": 40, "contentType": "application/json",
         "responseSize": len(body), "responseBody": body},
    )  # fmt: skip


def order_made(scene: Scene, status: int) -> None:
    """
    The POST begins and ends.
    """
    order_sent(scene)
    order_answered(scene, status)


def shown(scene: Scene, screen: Screen, text: str) -> None:
    """
    A text comes up on the screen.
    """
    screen.shows = text
    scene.page.record(EventType.DOM_ADDED, {"role": "status", "name": "", "text": text}, ref="e9")


def passing(scene: Scene, call: Deferred[ToolAnswer], seconds: float, step: float = 0.05) -> float:
    """
    Let time pass until the call is answered, at most so long; gives the time it took.
    """
    elapsed = 0.0
    while not call.called and elapsed < seconds:
        scene.clock.advance(step)
        elapsed += step
    return elapsed


def answered(call: Deferred[ToolAnswer]) -> ToolAnswer:
    """
    The answer of a call that has one.
    """
    assert isinstance(call.result, ToolAnswer)
    return call.result


def judged(scene: Scene, arguments: Mapping[str, object]) -> ToolAnswer:
    """
    The answer of a call, once the page has come to rest.
    """
    call = start_call(ACT_AND_WAIT, scene.context, arguments)
    passing(scene, call, 6)
    return answered(call)


def test_a_consequence_that_came_is_proved_recorded_and_named(scene: Scene) -> None:
    """
    The clean checkout: the POST succeeds, the screen says thanks, the verdict is yes and has an id.
    """
    screen = Screen(scene)

    def pay() -> None:
        order_sent(scene)
        order_answered(scene, 201)
        shown(scene, screen, "Thank you, order 7")

    on_click(scene, pay)
    until = {"kind": "allOf", "predicates": [ORDERED, THANKS]}
    answer = judged(scene, {**CLICK, "until": until})
    fields = answer.fields
    assert (fields["verified"], fields["verifiedReason"], fields["pass"]) == ("yes", "proved", True)
    assert fields["verdict_id"] == answer.verdict_id == "verdict_1"
    assert (fields["since"], fields["actionId"]) == (0, "a1")
    assert fields["acted"] == 'click button "Pay" (ref=e5)'
    assert "parts" not in fields  # that the whole holds says it of each
    kept = scene.context.verdicts.kept[VerdictId("verdict_1")]
    assert (kept.tool, kept.principal, kept.page_id) == ("reticle_act_and_wait", "local", "p1")
    assert kept.url == "http://localhost:8000/"
    assert kept.decision.verified is Verified.YES
    assert kept.claim["kind"] == "allOf"
    assert kept.at == pytest.approx(scene.clock.now(), abs=0.1)
    assert answer.text is not None
    assert answer.text.splitlines()[0].startswith("verified: yes (proved)")
    assert "verdict_id: verdict_1" in answer.text.splitlines()[-1]


def test_a_consequence_that_comes_within_the_budget_is_waited_for(scene: Scene) -> None:
    """
    VD-05 (c), VD-11: an answer after 3.9 s of a 4 s budget still proves the claim.
    """
    screen = Screen(scene)
    on_click(scene, lambda: order_sent(scene))

    def late() -> None:
        order_answered(scene, 200)
        shown(scene, screen, "Thank you")

    scene.clock.reactor.callLater(3.9, late)
    call = start_call(ACT_AND_WAIT, scene.context, {**CLICK, "until": THANKS})
    assert passing(scene, call, 6) == pytest.approx(3.9, abs=0.2)
    assert answered(call).fields["verified"] == "yes"


def test_a_consequence_that_never_came_is_no_when_all_is_over(scene: Scene) -> None:
    """
    A silent page after a click that did something is a failed claim, at the end of the budget.
    """
    Screen(scene)
    on_click(scene, lambda: scene.page.record(EventType.DOM_ATTR, {"attr": "class"}))
    call = start_call(ACT_AND_WAIT, scene.context, {**CLICK, "until": THANKS, "timeout_ms": 2_000})
    assert passing(scene, call, 6) == pytest.approx(2.0, abs=0.1)
    fields = answered(call).fields
    assert (fields["verified"], fields["verifiedReason"]) == ("no", "assertion_failed")
    assert fields["pass"] is False
    assert fields["source"] == "cart.html:12"


def test_a_request_that_still_hangs_at_the_end_is_not_blamed(scene: Scene) -> None:
    """
    VD-11: after the budget, while the request is still open, the answer is unknown.
    """
    Screen(scene)
    on_click(scene, lambda: order_sent(scene))
    call = start_call(ACT_AND_WAIT, scene.context, {**CLICK, "until": THANKS, "timeout_ms": 1_000})
    passing(scene, call, 3)
    assert answered(call).fields["verified"] == "unknown"


@pytest.mark.parametrize(
    ("status", "verified", "seconds"), [(201, "yes", 1.1), (500, "no", 1.1), (None, "unknown", 1.3)]
)
def test_a_request_that_has_just_begun_at_the_end_gets_its_moment(
    scene: Scene, status: int | None, verified: str, seconds: float
) -> None:
    """
    A verdict does not depend on whether a request happens to be under way when the budget ends, and waits no
    longer for it than most take.
    """
    screen = Screen(scene)

    def go_on() -> None:
        shown(scene, screen, "Thank you")
        scene.clock.reactor.callLater(0.45, shown, scene, screen, "Thank you")
        scene.clock.reactor.callLater(0.95, order_sent, scene)
        if status is not None:
            scene.clock.reactor.callLater(1.05, order_answered, scene, status)

    on_click(scene, go_on)
    call = start_call(ACT_AND_WAIT, scene.context, {**CLICK, "until": THANKS, "timeout_ms": 1_000})
    assert passing(scene, call, 3) == pytest.approx(seconds, abs=0.11)
    assert answered(call).fields["verified"] == verified


def test_a_passing_screen_over_a_failing_request_is_no(scene: Scene) -> None:
    """
    VD-05 (d): the thank-you comes up at once and the order fails later; the wait lasts until it has.
    """
    screen = Screen(scene)

    def pay() -> None:
        order_sent(scene)
        shown(scene, screen, "Thank you")

    on_click(scene, pay)
    scene.clock.reactor.callLater(1.0, order_answered, scene, 500, "boom")
    call = start_call(ACT_AND_WAIT, scene.context, {**CLICK, "until": THANKS})
    assert passing(scene, call, 6) == pytest.approx(1.5, abs=0.2)
    fields = answered(call).fields
    assert (fields["verified"], fields["verifiedReason"]) == ("no", "contradicted")
    assert fields["contradictions"]


def test_a_claim_that_is_taken_back_is_not_proved(scene: Scene) -> None:
    """
    VD-05 (b): a row that is shown at once and removed when the write fails does not count as shown.
    """
    screen = Screen(scene)

    def pay() -> None:
        order_sent(scene)
        shown(scene, screen, "Thank you")

    def fail() -> None:
        order_answered(scene, 500)
        shown(scene, screen, "Sorry")

    on_click(scene, pay)
    scene.clock.reactor.callLater(0.5, fail)
    call = start_call(ACT_AND_WAIT, scene.context, {**CLICK, "until": THANKS, "timeout_ms": 2_000})
    passing(scene, call, 4)
    assert answered(call).fields["verified"] == "no"


def test_what_was_true_before_proves_nothing(scene: Scene) -> None:
    """
    A text that stood there before the click is not a consequence of it.
    """
    screen = Screen(scene)
    screen.shows = "Thank you for visiting"
    on_click(scene, lambda: scene.page.record(EventType.DOM_ATTR, {"attr": "class"}))
    call = start_call(ACT_AND_WAIT, scene.context, {**CLICK, "until": THANKS, "timeout_ms": 500})
    passing(scene, call, 2)
    fields = answered(call).fields
    assert (fields["verified"], fields["verifiedReason"]) == ("unknown", "already_true")


def test_detectors_that_do_not_look_are_named_and_kept(scene: Scene) -> None:
    """
    A kind that is switched off in the settings is said with the verdict, and stands in its stored window.
    """
    scene.context.detection = Detectors(off=["focus-lost"], on_failure=lambda *_: None)
    screen = Screen(scene)

    def pay() -> None:
        order_made(scene, 201)
        shown(scene, screen, "Thank you")

    on_click(scene, pay)
    answer = judged(scene, {**CLICK, "until": THANKS})
    assert "not looked for, switched off: focus-lost" in str(answer.fields["because"])
    window = scene.context.verdicts.windows[VerdictId("verdict_1")]
    assert window.scrutiny.off == ("focus-lost",)


def test_without_a_consequence_the_page_is_waited_for_and_nothing_is_proved(scene: Scene) -> None:
    """
    An act without until ends when the page is quiet, and is never a pass.
    """
    on_click(scene, lambda: scene.page.record(EventType.DOM_ADDED, {"role": "row"}))
    call = start_call(ACT_AND_WAIT, scene.context, CLICK)
    assert passing(scene, call, 4) == pytest.approx(0.5, abs=0.1)
    fields = answered(call).fields
    assert (fields["verified"], fields["verifiedReason"]) == ("unknown", "nothing_declared")


def test_a_form_post_that_replaces_the_page_is_followed(scene: Scene) -> None:
    """
    A server-rendered app: the click loses its answer and the page comes back with the result.
    """
    screen = Screen(scene)

    def post(_: Mapping[str, object]) -> object:
        scene.page.record(EventType.NET_PENDING, {**ORDER, "initiator": "document"})
        scene.page.disconnect()
        raise Refusal("session_gone", "the page went away", "Look.", {"may_have_happened": True})

    def arrive() -> None:
        scene.page.load_document("doc00002", "http://localhost:8000/thanks")
        scene.page.record(
            EventType.NET_REQUEST,
            {"method": "POST", "url": "/api/orders", "initiator": "document", "status": 200, "ok": True},
        )
        shown(scene, screen, "Thank you")

    scene.page.answer(CommandName.ACT, post)
    scene.clock.reactor.callLater(0.8, arrive)
    call = start_call(ACT_AND_WAIT, scene.context, {**CLICK, "until": THANKS})
    passing(scene, call, 6)
    fields = answered(call).fields
    assert (fields["verified"], fields["verifiedReason"]) == ("yes", "proved")
    assert fields["acted"] == "click; the page left before it could report the effect"
    assert len(scene.page.asked) == 1


def test_a_form_post_whose_result_is_missing_is_no(scene: Scene) -> None:
    """
    When the action's own new document came and does not show the claim, that is a failed claim.
    """
    screen = Screen(scene)

    def post(_: Mapping[str, object]) -> object:
        scene.page.disconnect()
        raise Refusal("session_gone", "gone", "Look.", {"may_have_happened": True})

    def arrive() -> None:
        scene.page.load_document("doc00002")
        shown(scene, screen, "Server error")

    scene.page.answer(CommandName.ACT, post)
    scene.clock.reactor.callLater(0.8, arrive)
    call = start_call(ACT_AND_WAIT, scene.context, {**CLICK, "until": THANKS, "timeout_ms": 2_000})
    passing(scene, call, 6)
    assert answered(call).fields["verified"] == "no"


def test_a_page_that_went_away_is_never_the_apps_fault(scene: Scene) -> None:
    """
    VD-01: a closed tab ends the wait after a moment; unknown, without a place in the source.
    """
    Screen(scene)
    on_click(scene, lambda: scene.page.record(EventType.DOM_ADDED, {"role": "row"}))
    scene.clock.reactor.callLater(0.3, scene.page.disconnect)
    call = start_call(ACT_AND_WAIT, scene.context, {**CLICK, "until": THANKS, "timeout_ms": 20_000})
    assert passing(scene, call, 25) < 6
    fields = answered(call).fields
    assert (fields["verified"], fields["verifiedReason"]) == ("unknown", "observation_lost")
    assert "source" not in fields
    session = fields["session"]
    assert isinstance(session, dict)
    assert session["gone"] is True


def test_an_act_that_the_page_refuses_leaves_no_verdict(scene: Scene) -> None:
    """
    A stale ref is a refusal with the page's recovery; no verdict is recorded and nothing is waited for.
    """
    Screen(scene)
    scene.page.answer(CommandName.ACT, Refusal("stale_ref", "e5 is gone", "Query again."))
    refusal = refusal_of(ACT_AND_WAIT, scene.context, {**CLICK, "until": THANKS})
    assert (refusal.code, refusal.recovery) == ("stale_ref", "Query again.")
    assert scene.context.verdicts.kept == {}
    assert scene.page.record(EventType.DOM_TEXT).action_id is None
    assert scene.clock.pending() == 0


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"action": "click", "until": THANKS}, "bad_arguments"),
        ({"action": "fill", "ref": "e5", "until": THANKS}, "bad_arguments"),
        ({**CLICK, "until": {"kind": "txt", "contains": "x"}}, "bad_predicate"),
        ({**CLICK, "until": {"kind": "text"}}, "bad_predicate"),
        ({**CLICK, "until": {}}, "bad_predicate"),
        ({**CLICK, "until": THANKS, "predicate": ORDERED}, "bad_arguments"),
    ],
)
def test_a_call_that_cannot_be_judged_touches_nothing(
    scene: Scene, arguments: dict[str, object], code: str
) -> None:
    """
    A bad predicate or address is refused before the page is asked anything and before the window moves.
    """
    scene.page.record(EventType.DOM_ADDED)
    assert refusal_of(ACT_AND_WAIT, scene.context, arguments).code == code
    assert scene.page.asked == []
    assert scene.page.last_action_cursor() == 0


def test_the_claim_may_come_under_either_name(scene: Scene) -> None:
    """
    Until and predicate mean the same; given twice alike they are one claim.
    """
    screen = Screen(scene)
    on_click(scene, lambda: shown(scene, screen, "Thank you"))
    answer = judged(scene, {**CLICK, "predicate": THANKS})
    assert answer.fields["verified"] == "yes"
    screen.shows = ""
    spelt = {"kind": "text", "text": "Thank you", "visible": True}
    answer = judged(scene, {**CLICK, "until": THANKS, "predicate": spelt})
    assert answer.fields["verified"] == "yes"


@pytest.mark.parametrize(
    ("min_grade", "verified", "reason"),
    [(None, "yes", "proved"), ("presence", "yes", "proved"), ("net", "unknown", "vacuous_grade"),
     ("signal", "unknown", "vacuous_grade")],
)  # fmt: skip
def test_a_yes_below_the_demanded_grade_is_unknown(
    scene: Scene, min_grade: str | None, verified: str, reason: str
) -> None:
    """
    An agent that demands network evidence does not get a pass for a text alone.
    """
    screen = Screen(scene)
    on_click(scene, lambda: shown(scene, screen, "Thank you"))
    demanded = {} if min_grade is None else {"min_grade": min_grade}
    fields = judged(scene, {**CLICK, "until": THANKS, **demanded}).fields
    assert (fields["verified"], fields["verifiedReason"]) == (verified, reason)
    kept = scene.context.verdicts.kept[VerdictId("verdict_1")]
    assert kept.decision.reason is VerifiedReason(reason)


def test_a_budget_of_zero_looks_once(scene: Scene) -> None:
    """
    With timeout_ms 0 the answer comes without any waiting.
    """
    Screen(scene)
    on_click(scene, lambda: scene.page.record(EventType.DOM_ATTR, {"attr": "class"}))
    call = start_call(ACT_AND_WAIT, scene.context, {**CLICK, "until": THANKS, "timeout_ms": 0})
    assert answered(call).fields["verified"] == "no"


def test_a_write_that_moves_nothing_gets_a_moment_to_show(scene: Scene) -> None:
    """
    A claim on the request alone does not accuse a page that renders 200 ms after the answer.
    """

    def pay() -> None:
        order_sent(scene)
        order_answered(scene, 201)

    on_click(scene, pay)
    scene.clock.reactor.callLater(
        0.2, scene.page.record, EventType.DOM_ADDED, {"role": "status", "text": "Saved"}
    )
    call = start_call(ACT_AND_WAIT, scene.context, {**CLICK, "until": ORDERED})
    assert passing(scene, call, 3) == pytest.approx(0.7, abs=0.06)
    assert answered(call).fields["verified"] == "yes"


def test_a_look_without_budget_gives_a_fresh_write_a_moment_to_show(scene: Scene) -> None:
    """
    With timeout_ms 0 too, a page that renders 200 ms after the answer is not accused.
    """

    def pay() -> None:
        order_sent(scene)
        order_answered(scene, 201)

    on_click(scene, pay)
    moved = {"role": "status", "text": "Saved"}
    scene.clock.reactor.callLater(0.2, scene.page.record, EventType.DOM_ADDED, moved)
    call = start_call(ACT_AND_WAIT, scene.context, {**CLICK, "until": ORDERED, "timeout_ms": 0})
    assert passing(scene, call, 3) == pytest.approx(0.2, abs=0.06)
    assert answered(call).fields["verified"] == "yes"


@pytest.mark.parametrize(
    ("late", "verified", "reason"),
    [
        (lambda scene: scene.page.record(EventType.ERROR_UNCAUGHT, {"message": "x"}), "no", "contradicted"),
        (lambda scene: order_made(scene, 500), "no", "contradicted"),
        (lambda scene: order_made(scene, 201), "yes", "proved"),
    ],
)  # fmt: skip
def test_what_comes_a_moment_after_the_claim_held_still_counts(
    scene: Scene, late: Callable[[Scene], object], verified: str, reason: str
) -> None:
    """
    An error or a debounced save 300 ms after the thank-you is part of what the action did.
    """
    screen = Screen(scene)
    on_click(scene, lambda: shown(scene, screen, "Thank you"))
    scene.clock.reactor.callLater(0.3, late, scene)
    fields = judged(scene, {**CLICK, "until": THANKS}).fields
    assert (fields["verified"], fields["verifiedReason"]) == (verified, reason)


def test_a_page_that_never_rests_is_not_waited_for_in_vain(scene: Scene) -> None:
    """
    On a page with a ticking clock a claim that holds is judged after a second, and says so.
    """
    screen = Screen(scene)

    def tick() -> None:
        scene.page.record(EventType.DOM_ADDED, {"role": "timer", "name": ""})
        scene.clock.reactor.callLater(0.2, tick)

    def ring() -> None:
        shown(scene, screen, "Thank you")
        tick()

    on_click(scene, ring)
    call = start_call(ACT_AND_WAIT, scene.context, {**CLICK, "until": THANKS})
    assert passing(scene, call, 6) == pytest.approx(1.0, abs=0.1)
    fields = answered(call).fields
    assert fields["verified"] == "yes"
    assert "judged before the page had settled: quiet for only" in str(fields["because"])


def test_a_write_that_never_shows_is_not_waited_for_longer_than_its_grace(scene: Scene) -> None:
    """
    A page that ignores the answer to its write is doubted once it is quiet.
    """

    def pay() -> None:
        order_sent(scene)
        order_answered(scene, 201)

    on_click(scene, pay)
    call = start_call(ACT_AND_WAIT, scene.context, {**CLICK, "until": ORDERED})
    assert passing(scene, call, 3) == pytest.approx(0.5, abs=0.06)
    assert answered(call).fields["verified"] == "unknown"


def test_a_dead_button_is_not_proved(scene: Scene) -> None:
    """
    A click after which nothing at all happened is never a pass.
    """
    Screen(scene)
    scene.page.answer(CommandName.ACT, {**REPORT, "effect": {"dispatched": True, "domMutatedWithin": 0}})
    call = start_call(ACT_AND_WAIT, scene.context, {**CLICK, "until": THANKS, "timeout_ms": 600})
    passing(scene, call, 2)
    assert answered(call).fields["verified"] != "yes"


def test_a_verdict_that_cannot_be_kept_is_not_given(scene: Scene) -> None:
    """
    With a full disk the agent gets a refusal instead of a verdict that nobody can look up.
    """
    screen = Screen(scene)
    scene.context.verdicts.failing = True
    on_click(scene, lambda: shown(scene, screen, "Thank you"))
    call = start_call(ACT_AND_WAIT, scene.context, {**CLICK, "until": THANKS})
    passing(scene, call, 6)
    assert refusal_in(call).code == "storage_failed"


def test_a_page_that_does_not_answer_the_act_ends_in_a_refusal(scene: Scene) -> None:
    """
    A page blocked by a dialog costs the command's deadline; the act is not repeated, no verdict is made.
    """
    Screen(scene)
    scene.page.stay_silent(CommandName.ACT)
    call = start_call(ACT_AND_WAIT, scene.context, {**CLICK, "until": THANKS})
    scene.clock.advance(8)
    assert refusal_in(call).code == "command_timeout"
    assert len(scene.page.asked) == 1
    assert scene.context.verdicts.kept == {}


def test_a_page_that_goes_away_before_the_act_is_not_acted_on(scene: Scene) -> None:
    """
    When the page is lost while it is looked at beforehand, the agent learns that nothing was done.
    """

    def read(_: Mapping[str, object]) -> object:
        scene.page.disconnect()
        return {"matched": False, "count": 0, "visibleCount": 0, "samples": []}

    scene.page.answer_reading("text", read)
    refusal = refusal_of(ACT_AND_WAIT, scene.context, {**CLICK, "until": THANKS})
    assert refusal.code == "session_gone"
    assert "nothing was done" in refusal.message
    assert scene.page.asked == []


def test_a_pause_while_the_page_is_looked_at_stops_the_act(scene: Scene) -> None:
    """
    A person who presses Pause before the act is made is not overrun by it; there is no verdict.
    """

    def pause(_: Mapping[str, object]) -> object:
        scene.page.record(EventType.HUMAN_CONTROL, {"kind": "pause"})
        return {"matched": False, "count": 0, "visibleCount": 0, "samples": []}

    scene.page.answer_reading("text", pause)
    context = FakeContext(HeedfulPages(scene.page), clock=scene.clock)
    refusal = refusal_of(ACT_AND_WAIT, context, {**CLICK, "until": THANKS})
    assert (refusal.code, scene.page.asked, context.verdicts.kept) == ("paused", [], {})


def test_a_page_that_was_gone_before_the_act_leaves_no_verdict(scene: Scene) -> None:
    """
    A page that went between two looks of its dialect was never asked to act, so there is nothing to judge.
    """
    Screen(scene)
    scene.page.answer(CommandName.ACT, Refusal("session_gone", "no longer connected"))
    refusal = refusal_of(ACT_AND_WAIT, scene.context, {**CLICK, "until": THANKS})
    assert (refusal.code, scene.context.verdicts.kept) == ("session_gone", {})


def test_a_claim_about_a_part_of_another_page_is_refused(scene: Scene) -> None:
    """
    Its ref names another element here; nothing is done.
    """
    scene.context.shown["e5"] = [PageId("p9")]
    refusal = refusal_of(ACT_AND_WAIT, scene.context, {**CLICK, "until": {**THANKS, "scope": "e5"}})
    assert refusal.code == "ref_of_another_page"
    assert scene.page.asked == []


def test_a_background_tab_is_refused_on_request_and_else_believed(scene: Scene) -> None:
    """
    SN-09: a hidden tab may still prove a declared consequence; its state stands beside the verdict.
    """
    screen = Screen(scene)
    scene.page.hide()
    refused = {**CLICK, "until": THANKS, "refuseWhenThrottled": True}
    assert refusal_of(ACT_AND_WAIT, scene.context, refused).code == "throttled"
    assert scene.page.asked == []
    on_click(scene, lambda: shown(scene, screen, "Thank you"))
    fields = judged(scene, {**CLICK, "until": THANKS}).fields
    assert fields["verified"] == "yes"
    session = fields["session"]
    assert isinstance(session, dict)
    assert session["throttled"] is True


def test_a_client_is_told_that_the_wait_goes_on(scene: Scene) -> None:
    """
    A long wait reports about once a second how far it is and what is missing.
    """
    Screen(scene)
    on_click(scene, lambda: scene.page.record(EventType.DOM_ATTR, {"attr": "class"}))
    call = start_call(ACT_AND_WAIT, scene.context, {**CLICK, "until": THANKS, "timeout_ms": 3_500})
    passing(scene, call, 6)
    told = scene.context.progress.told
    assert [round(report.progress) for report in told] == [1, 2, 3]
    assert {report.total for report in told} == {3.5}
    assert all(report.message for report in told)


def test_a_cancelled_wait_leaves_nothing_behind(scene: Scene) -> None:
    """
    An agent that stops waiting leaves no timer, no verdict and no open attribution.
    """
    Screen(scene)
    on_click(scene, lambda: scene.page.record(EventType.DOM_ATTR, {"attr": "class"}))
    call = start_call(ACT_AND_WAIT, scene.context, {**CLICK, "until": THANKS})
    call.addErrback(lambda _: None)
    scene.clock.advance(0.1)
    call.cancel()
    assert scene.clock.pending() == 0
    assert scene.context.verdicts.kept == {}
    assert scene.page.record(EventType.DOM_TEXT).action_id is None


def test_a_flood_of_events_does_not_become_a_flood_of_reads(scene: Scene) -> None:
    """
    A page that mutates all the time is read at most every 25 ms.
    """
    Screen(scene)
    reads: list[float] = []
    read = scene.page.read

    def counted(questions: list[Question], *, rest_ms: int = 0) -> Deferred[list[Reading]]:
        del rest_ms
        reads.append(scene.clock.monotonic())
        return read(questions)  # type: ignore[return-value]  # the fake gives a sequence

    scene.page.read = counted  # type: ignore[method-assign,assignment]  # to count how often it is asked
    on_click(scene, lambda: scene.page.record(EventType.DOM_ATTR, {"attr": "class"}))
    call = start_call(ACT_AND_WAIT, scene.context, {**CLICK, "until": THANKS, "timeout_ms": 1_000})
    while not call.called:
        scene.page.record(EventType.DOM_TEXT, {"text": "tick", "old": ""})
        scene.clock.advance(0.001)
    assert 20 <= len(reads) <= 43


def test_a_double_submit_is_not_proved(scene: Scene) -> None:
    """
    Two identical orders for one click are caught by counting.
    """

    def pay() -> None:
        for request_id in ("n1", "n2"):
            scene.page.record(EventType.NET_PENDING, {**ORDER, "id": request_id})
        for request_id in ("n1", "n2"):
            scene.page.record(
                EventType.NET_REQUEST,
                {**ORDER, "id": request_id, "status": 201, "ok": True, "responseBody": "{}"},
            )
        scene.page.record(EventType.DOM_ADDED, {"role": "status", "text": "ok"})

    on_click(scene, pay)
    fields = answer_of(ACT_AND_WAIT, scene.context, {**CLICK, "until": {**ORDERED, "count": 1}}).fields
    assert fields["verified"] == "no"


def test_what_the_app_stores_by_itself_is_no_consequence(scene: Scene) -> None:
    """
    A draft is saved every now and then: that it is saved again after the click proves nothing of the click.
    """
    draft = {"area": "local", "key": "draft", "old": None, "new": "x"}

    def saves() -> None:
        scene.page.record(EventType.STORAGE_CHANGE, draft)
        scene.page.record(EventType.DOM_ADDED, {"role": "status", "name": "", "text": "Saved"}, ref="e9")

    on_click(scene, saves)
    until = {"kind": "storage", "key": "draft"}
    scene.page.record(EventType.SIGNAL, {"name": "ready"})
    scene.clock.advance(30)
    call = start_call(ACT_AND_WAIT, scene.context, {**CLICK, "until": until})
    passing(scene, call, 10)
    assert answered(call).fields["verified"] == "yes"
    scene.clock.advance(30)
    scene.page.record(EventType.STORAGE_CHANGE, draft)
    scene.clock.advance(0.3)
    call = start_call(ACT_AND_WAIT, scene.context, {**CLICK, "until": until})
    passing(scene, call, 10)
    fields = answered(call).fields
    assert (fields["verified"], fields["verifiedReason"]) == ("unknown", "already_true")
    assert "without it" in str(fields["because"])
