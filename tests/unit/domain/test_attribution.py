"""
What is known to be the action's is never taken for a poll, what is known to be another's proves nothing and
is nobody's fault, and the rest is judged by time as it always was.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs
import pytest

from reticle.domain.attribution import Initiator, initiator_of, tells_causes
from reticle.domain.explanation import explain
from reticle.domain.predicate import parse
from reticle.domain.rejudging import judge
from reticle.domain.settle import settle
from reticle.model.ids import ActionId, VerdictId
from reticle.model.verdict import Decision, Verdict
from reticle.model.window import Window
from reticle.testing.windows import WindowBuilder

STATS = {"kind": "net", "urlContains": "/api/stats", "ok": True}
SAVED = {"kind": "net", "method": "POST", "urlContains": "/api/save", "ok": True}
CALM = {"kind": "signal", "name": "done"}


def page() -> WindowBuilder:
    """
    A page that was loaded long ago, and is clicked now.
    """
    return WindowBuilder(opened_t_ms=100_000).answered_before("GET", "/index.json", age_ms=60_000).click()


def polling(builder: WindowBuilder, *ages_ms: int, status: int = 200) -> WindowBuilder:
    """
    A loop of the page that asked for the same long ago.
    """
    builder.caused("load")
    for age_ms in ages_ms:
        builder.answered_before("GET", "/api/stats", status, age_ms=age_ms)
    return builder


def decided(claim: Mapping[str, object], builder: WindowBuilder) -> Decision:
    return judge(parse(claim), builder.build())


def said(decision: Decision) -> tuple[str, str]:
    return decision.verified.value, decision.reason.value


def uncaused(window: Window) -> Window:
    """
    The window as a page tells it that follows nothing.
    """
    told = ("events", "answers_before", "changes_before", "control", "open_requests_before")
    events: dict[str, Any] = {
        name: tuple(attrs.evolve(event, cause=None) for event in getattr(window, name)) for name in told
    }
    return attrs.evolve(window, **events)


def test_what_a_loop_of_the_page_did_before_too_proves_nothing() -> None:
    """
    A poll that beats too rarely to be known by its pace is known by whose it is, and the answer says so.
    """
    window = polling(page(), 30_000).net("GET", "/api/stats").caused("a1").dom_added().build()
    decision = judge(parse(STATS), window)
    assert said(decision) == ("unknown", "already_true")
    assert "what the page does by itself since it was loaded" in decision.because
    assert decision.honesty.attributed == "other"
    assert said(judge(parse(STATS), uncaused(window))) == ("yes", "proved")


def test_what_the_action_asked_for_is_its_own_though_a_poll_asks_the_same() -> None:
    """
    A button that asks again for what is polled anyway has done it: no doubt by the pace of the poll.
    """
    builder = polling(page(), 400).caused("a1").net("GET", "/api/stats").dom_added()
    decision = decided(STATS, builder)
    assert said(decision) == ("yes", "proved")
    assert decision.honesty.attributed == "action"
    assert said(judge(parse(STATS), uncaused(builder.build()))) == ("unknown", "already_true")


def test_what_fails_in_a_loop_of_the_page_is_not_the_actions_fault() -> None:
    """
    A poll fails beside a save: the save is judged, by itself.
    """
    builder = polling(page(), 30_000).net("GET", "/api/stats", 503)
    builder.caused("a1").net("POST", "/api/save", 200, requestBody="{}", responseBody="{}").dom_added()
    window = builder.build()
    assert said(judge(parse(SAVED), window)) == ("yes", "proved")
    assert said(judge(parse(SAVED), uncaused(window))) == ("no", "contradicted")


def test_what_the_action_asked_for_and_failed_is_its_fault_at_whatever_pace() -> None:
    """
    It came right on the beat of a poll, and is no poll for that.
    """
    builder = page()
    for age_ms in (3_000, 2_000, 1_000):
        builder.answered_before("GET", "/api/stats", age_ms=age_ms)
    builder.caused("a1").net("GET", "/api/stats", 503).signal("done").dom_added()
    window = builder.build()
    assert said(judge(parse(CALM), window))[0] == "no"
    assert said(judge(parse(CALM), uncaused(window)))[0] == "yes"


@pytest.mark.parametrize("cause", ["load", "a0"])
def test_a_first_time_is_nobody_elses(cause: str) -> None:
    """
    A loop, or what is left of an older action, that saves what this action changed did not do so before.
    """
    builder = page().caused(cause).answered_before("POST", "/api/save", requestBody='{"n": 1}', age_ms=9_000)
    builder.net("POST", "/api/save", 200, requestBody='{"n": 2}', responseBody="{}").dom_added()
    decision = decided(SAVED, builder)
    assert said(decision) == ("yes", "proved")
    assert decision.honesty.attributed == "time"


def test_another_initiator_that_did_the_same_makes_it_nobody_elses() -> None:
    """
    What the page asked for when it was loaded may be asked for again by what an earlier action left behind.
    """
    builder = page().caused("load").answered_before("GET", "/api/stats", age_ms=60_000)
    builder.caused("a0").net("GET", "/api/stats").dom_added()
    assert decided(STATS, builder).honesty.attributed == "time"


@pytest.mark.parametrize(
    ("type_", "data"),
    [
        ("net.stream", {"transport": "sse", "direction": "in", "id": "s1", "preview": "saved"}),
        ("worker.message", {"id": "k1", "direction": "in", "preview": "saved"}),
    ],
)
def test_what_comes_from_outside_is_judged_by_time(type_: str, data: Mapping[str, object]) -> None:
    """
    A server answers a write over a stream that is older than it: nobody can tell whose that message is.
    """
    window = page().caused("load").changed_before(type_, data).event(type_, data).build()
    assert initiator_of(window.events[-1], window) is Initiator.UNKNOWN


def test_a_step_before_it_in_a_sequence_is_no_stranger() -> None:
    """
    The window of several steps begins with the first: what any of them did is the action's.
    """
    window = page().caused("a7").signal("done").build()
    event = attrs.evolve(window.events[-1], action_id=ActionId("a7"))
    window = attrs.evolve(window, events=(event,))
    assert initiator_of(event, window) is Initiator.ACTION


def test_without_an_action_nothing_is_attributed() -> None:
    """
    A call that only watches has nothing that it could be the doing of.
    """
    builder = WindowBuilder().caused("load").changed_before("signal", {"name": "done"}).signal("done")
    window = builder.build()
    assert initiator_of(window.events[-1], window) is Initiator.UNKNOWN
    assert judge(parse(CALM), window).honesty.attributed is None


def test_an_open_poll_of_the_page_does_not_keep_it_busy() -> None:
    """
    Its answer is nothing to wait for; that of the action's own read is, though it looks like a poll.
    """
    builder = polling(page(), 30_000).pending("GET", "/api/stats")
    assert settle(builder.build()).settled
    own = page().caused("a1").net("GET", "/api/b").wait(600).pending("GET", "/api/b")
    assert not settle(own.build()).settled
    assert settle(uncaused(own.build())).settled


def test_evidence_that_is_cut_off_is_not_anothers() -> None:
    """
    Of six that fit five are listed: the sixth may be the action's.
    """
    builder = polling(page(), 30_000)
    for _ in range(5):
        builder.net("GET", "/api/stats")
    builder.caused(None).net("GET", "/api/stats").dom_added()
    assert decided(STATS, builder).honesty.attributed == "time"


@pytest.mark.parametrize(("last", "verdict"), [("load", "unknown"), (None, "yes")])
def test_however_often_a_loop_goes_round_it_proves_nothing(last: str | None, verdict: str) -> None:
    """
    A quick loop that goes on for the whole watch brings more than evidence lists; one call of another's
    pace among them is enough.
    """
    builder = polling(page(), 30_000)
    for _ in range(8):
        builder.net("GET", "/api/stats")
    builder.caused(last).net("GET", "/api/stats").caused("a1").dom_added()
    assert decided(STATS, builder).verified.value == verdict


def test_a_page_that_follows_nothing_is_judged_as_ever() -> None:
    """
    Recordings of before, and pages with the published packages: the record says nothing of attribution.
    """
    builder = page().net("POST", "/api/save", 200, requestBody="{}", responseBody="{}").dom_added()
    assert not tells_causes(builder.build())
    assert decided(SAVED, builder).honesty.attributed is None


def test_the_explanation_names_whose_doing_each_piece_of_evidence_is() -> None:
    """
    ``reticle explain`` tells what was followed to the action from what merely came after it.
    """
    builder = page().caused("a1").net("POST", "/api/save", 200, requestBody="{}", responseBody="{}")
    window = builder.caused(None).signal("done").dom_added().build()
    claim = {"allOf": [SAVED, CALM]}
    decision = judge(parse(claim), window)
    verdict = Verdict(VerdictId("v1"), 0.0, "t", "local", "s1", "http://localhost/", claim, decision)
    text = explain(verdict, window).text
    assert "(followed to the action)" in text
    assert "(by time)" in text
    assert "attributed by time" in text
