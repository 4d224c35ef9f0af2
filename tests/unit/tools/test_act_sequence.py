"""
Several actions in one call.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reticle.errors import Refusal
from reticle.model.codes import CommandName, EventType, RefusalCode
from reticle.model.ids import Cursor, PageId
from reticle.testing.context import FakeContext
from reticle.testing.toolcalls import HeedfulPages, Scene, answer_of, refusal_of, start_call
from reticle.tools.act_sequence import TOOLS

SEQUENCE = TOOLS[0]
REPORT = {
    "ok": True,
    "ref": "e1",
    "role": "button",
    "name": "Go",
    "settled": True,
    "effect": {"dispatched": True},
}
SHOWN = {"action": "click", "ref": "e1", "role": "button", "name": "Go", "effect": {}, "settled": True}


def click(number: int, **more: object) -> dict[str, object]:
    """
    A step.
    """
    return {"action": "click", "ref": f"e{number}", **more}


def acted(scene: Scene) -> list[object]:
    """
    The refs that the page was asked to act on.
    """
    return [asked.args["ref"] for asked in scene.page.asked if asked.command is CommandName.ACT]


def test_all_steps_are_taken_in_their_order(scene: Scene) -> None:
    """
    The answer tells each step briefly, the stretch of events, and no verdict.
    """
    scene.page.record(EventType.DOM_ADDED)

    def act(_: object) -> object:
        scene.page.record(EventType.DOM_TEXT)
        return REPORT

    scene.page.answer(CommandName.ACT, act)
    answer = answer_of(SEQUENCE, scene.context, {"steps": [click(1), click(2)]})
    assert answer.fields == {
        "since": 1, "until": 3, "completed": 2, "dispatched": 2, "steps": [SHOWN, SHOWN],
    }  # fmt: skip
    assert (answer.verdict_id, answer.actions, acted(scene)) == (None, 2, ["e1", "e2"])
    assert [event.action_id for event in scene.page.events(Cursor(1))] == ["a1", "a2"]


def test_the_first_refused_step_ends_it(scene: Scene) -> None:
    """
    What was done stays done and is told; what comes after a failing step never runs.
    """
    scene.page.answer(CommandName.ACT, REPORT, times=1)
    scene.page.answer(CommandName.ACT, Refusal("no_match", "nothing", "Look.", {"candidates": ["e4"]}))
    fields = answer_of(SEQUENCE, scene.context, {"steps": [click(1), click(2), click(3)]}).fields
    assert (fields["completed"], fields["dispatched"], fields["stalled_at"]) == (1, 1, 1)
    assert fields["note"] == "Stopped at steps[1]; 1 after it did not run."
    assert fields["steps"] == [
        SHOWN,
        {"action": "click", "error": "no_match", "message": "nothing", "recovery": "Look.",
         "details": {"candidates": ["e4"]}},
    ]  # fmt: skip
    assert acted(scene) == ["e1", "e2"]


def test_an_act_without_an_answer_is_never_repeated(scene: Scene) -> None:
    """
    A step that may have happened ends the sequence and says so.
    """
    scene.page.answer(
        CommandName.ACT,
        Refusal(RefusalCode.SESSION_GONE, "left", "Look first.", {"may_have_happened": True}),
    )
    answer = answer_of(SEQUENCE, scene.context, {"steps": [click(1), click(2)]})
    steps = answer.fields["steps"]
    assert isinstance(steps, list)
    [step] = steps
    assert (step["error"], step["mayHaveHappened"]) == ("session_gone", True)
    assert (answer.fields["completed"], answer.fields["dispatched"], answer.actions) == (0, 1, 1)
    assert acted(scene) == ["e1"]


def test_a_slow_page_costs_the_steps_budget(scene: Scene) -> None:
    """
    A page that does not answer is given up after the time of the step, a held mouse not counted.
    """
    scene.page.stay_silent(CommandName.ACT)
    held = click(1, timeout_ms=2_000, args={"holdMs": 3_000})
    got: list[Any] = []
    start_call(SEQUENCE, scene.context, {"steps": [held, click(2)]}).addCallback(got.append)
    scene.clock.advance(4.9)
    assert got == []
    scene.clock.advance(0.2)
    assert got[0].fields["steps"][0]["error"] == "command_timeout"
    assert acted(scene) == ["e1"]


def test_the_next_step_waits_for_until(scene: Scene) -> None:
    """
    A step runs only when what the one before had to bring about is there.
    """
    scene.page.answer(CommandName.ACT, REPORT)
    there = {"matched": True, "count": 1, "visibleCount": 1, "samples": []}
    scene.page.answer_reading("text", {**there, "matched": False, "count": 0, "visibleCount": 0})
    steps = [click(1, until={"kind": "text", "contains": "Ready"}), click(2)]
    got: list[Any] = []
    start_call(SEQUENCE, scene.context, {"steps": steps}).addCallback(got.append)
    scene.clock.advance(1)
    assert (got, acted(scene)) == ([], ["e1"])
    scene.page.answer_reading("text", there)
    scene.page.record(EventType.DOM_TEXT)
    scene.clock.advance(1)
    assert got[0].fields["steps"][0] == {**SHOWN, "until": {"pass": True}}
    assert acted(scene) == ["e1", "e2"]


def test_an_until_that_does_not_hold_ends_it(scene: Scene) -> None:
    """
    A journey does not go on over a page that is not where it should be; the act itself was made.
    """
    scene.page.answer(CommandName.ACT, REPORT)
    step = click(1, until={"kind": "signal", "name": "ready"}, timeout_ms=500)
    got: list[Any] = []
    start_call(SEQUENCE, scene.context, {"steps": [step, click(2)]}).addCallback(got.append)
    for _ in range(10):
        scene.clock.advance(0.1)
    fields: Mapping[str, Any] = got[0].fields
    assert (fields["completed"], fields["dispatched"], fields["stalled_at"]) == (0, 1, 0)
    assert fields["steps"][0]["until"]["pass"] is False
    assert "ready" in fields["steps"][0]["until"]["failureReason"]
    assert "verified" not in fields
    assert acted(scene) == ["e1"]


def test_a_person_stops_it_between_two_steps(scene: Scene) -> None:
    """
    Pause holds at once: the step under way ends, the next one does not begin.
    """

    def act(_: object) -> object:
        scene.page.record(EventType.HUMAN_CONTROL, {"kind": "pause"})
        return REPORT

    scene.page.answer(CommandName.ACT, act)
    context = FakeContext(HeedfulPages(scene.page), clock=scene.clock)
    fields = answer_of(SEQUENCE, context, {"steps": [click(1), click(2)]}).fields
    assert (fields["completed"], fields["stalled_at"]) == (1, 1)
    assert fields["steps"][1]["error"] == "paused"  # type: ignore[index]  # a list of two
    assert acted(scene) == ["e1"]


def test_a_pause_while_a_step_is_prepared_stops_it(scene: Scene) -> None:
    """
    A person who presses Pause while the page is still being looked at is not overrun by the act.
    """

    def pause(_: object) -> object:
        scene.page.record(EventType.HUMAN_CONTROL, {"kind": "pause"})
        return {"matched": False, "count": 0, "visibleCount": 0, "samples": []}

    scene.page.answer_reading("text", pause)
    context = FakeContext(HeedfulPages(scene.page), clock=scene.clock)
    steps = [click(1, until={"kind": "text", "contains": "Ready"})]
    fields = answer_of(SEQUENCE, context, {"steps": steps}).fields
    assert fields["steps"][0]["error"] == "paused"  # type: ignore[index]  # a list of one
    assert (fields["dispatched"], acted(scene)) == (0, [])


def test_a_call_ends_before_its_client_gives_up(scene: Scene) -> None:
    """
    Many slow steps stop at 50 s, with the step to go on from.
    """

    def act(_: object) -> object:
        scene.clock.advance(20)
        return REPORT

    scene.page.answer(CommandName.ACT, act)
    fields = answer_of(SEQUENCE, scene.context, {"steps": [click(number) for number in range(1, 6)]}).fields
    assert (fields["completed"], fields["stalled_at"]) == (3, 3)
    assert "Go on from this step" in fields["steps"][3]["recovery"]  # type: ignore[index]  # a list of four
    assert len(acted(scene)) == 3


def test_nothing_runs_when_the_call_is_wrong(scene: Scene) -> None:
    """
    A fault in the last step, a background tab and a foreign ref are found before the first act.
    """
    wrong = {"steps": [click(1), {"action": "fill", "ref": "e2"}]}
    assert refusal_of(SEQUENCE, scene.context, wrong).code == "bad_arguments"
    scene.context.shown["e7"] = [PageId("p9")]
    assert refusal_of(SEQUENCE, scene.context, {"steps": [click(1), click(7)]}).code == "ref_of_another_page"
    claimed = click(1, until={"kind": "text", "contains": "Ready", "scope": "e7"})
    assert refusal_of(SEQUENCE, scene.context, {"steps": [claimed]}).code == "ref_of_another_page"
    scene.page.hide()
    hidden = {"steps": [click(1)], "refuseWhenThrottled": True}
    assert refusal_of(SEQUENCE, scene.context, hidden).code == "throttled"
    assert acted(scene) == []


def test_progress_is_told_step_by_step(scene: Scene) -> None:
    """
    A client that waits sees how far the journey is.
    """
    scene.page.answer(CommandName.ACT, REPORT)
    answer_of(SEQUENCE, scene.context, {"steps": [click(1), click(2)]})
    assert [(told.progress, told.total, told.message) for told in scene.context.progress.told] == [
        (0, 2, "step 1: click"), (1, 2, "step 2: click"),
    ]  # fmt: skip
