"""
Acting on an element without proof.
"""

from __future__ import annotations

import pytest

from reticle.errors import Refusal
from reticle.model.codes import CommandName, EventType
from reticle.model.ids import Cursor
from reticle.testing.pages import Asked
from reticle.testing.toolcalls import Scene, answer_of, refusal_in, refusal_of, start_call
from reticle.tools.act import TOOLS

ACT = TOOLS[0]
REPORT = {
    "ok": True, "ref": "e4", "action": "click", "role": "button", "name": "Save", "settled": True,
    "settleReason": "quiet", "source": "app.html:12",
    "effect": {
        "dispatched": True, "targetMatched": True, "visible": True, "enabled": True,
        "defaultPrevented": False, "focusMoved": True, "valueChanged": False, "domMutatedWithin": 0,
        "occluded": False, "occludedBy": None, "scrolledIntoView": False, "alreadyAtValue": False,
    },
}  # fmt: skip


def test_an_act_is_asked_once_and_reported_briefly(scene: Scene) -> None:
    """
    The answer holds the cursor before the act and only the unusual parts of its effect.
    """
    scene.page.record(EventType.DOM_ADDED)

    def act(_: object) -> object:
        scene.page.record(EventType.DOM_TEXT)
        return REPORT

    scene.page.answer(CommandName.ACT, act)
    answer = answer_of(ACT, scene.context, {"action": "click", "ref": "e4"})
    assert answer.fields == {
        "since": 1,
        "actionId": "a1",
        "action": "click",
        "ref": "e4",
        "role": "button",
        "name": "Save",
        "source": "app.html:12",
        "effect": {"focusMoved": True, "domMutatedWithin": 0},
        "settled": True,
    }
    assert scene.page.asked == [Asked(CommandName.ACT, {"ref": "e4", "action": "click"})]
    assert [event.action_id for event in scene.page.events(Cursor(0))] == [None, "a1"]
    assert scene.page.record(EventType.DOM_TEXT).action_id is None


@pytest.mark.parametrize(
    ("effect", "shown"),
    [
        ({"dispatched": False}, {"dispatched": False}),
        ({"alreadyAtValue": True}, {"alreadyAtValue": True}),
        ({"occluded": True, "occludedBy": "div.modal"}, {"occluded": True, "occludedBy": "div.modal"}),
        ({"value": "", "valueChanged": True}, {"value": "", "valueChanged": True}),
        ({"appeared": "Saved"}, {"appeared": "Saved"}),
    ],
)
def test_what_is_unusual_about_an_effect_is_shown(
    scene: Scene, effect: dict[str, object], shown: dict[str, object]
) -> None:
    """
    A click that was not dispatched, hit something else or did nothing is seen at once.
    """
    scene.page.answer(
        CommandName.ACT, {"ok": True, "effect": effect, "settled": False, "settleReason": "timeout"}
    )
    answer = answer_of(ACT, scene.context, {"action": "click", "ref": "e4"})
    assert answer.fields["effect"] == shown
    assert (answer.fields["settled"], answer.fields["settleReason"]) == (False, "timeout")


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ({"action": "fill", "ref": "e1"}, "fill needs args.value"),
        ({"action": "fill", "ref": "e1", "args": {"value": 4}}, "fill needs args.value"),
        ({"action": "fill", "ref": "e1", "args": {"text": "x"}}, "text"),
        ({"action": "select", "ref": "e1", "args": {}}, "select needs args.value"),
        ({"action": "select", "ref": "e1", "args": {"value": []}}, "select needs args.value"),
        ({"action": "select", "ref": "e1", "args": {"value": ["de", 4]}}, "select needs args.value"),
        ({"action": "fill", "ref": "e1", "args": {"value": ["de"]}}, "fill needs args.value"),
        ({"action": "press", "ref": "e1"}, "press needs args.key"),
        ({"action": "press", "ref": "e1", "args": {"key": ""}}, "press needs args.key"),
        ({"action": "check", "ref": "e1", "args": {"value": "x"}}, "value"),
        ({"action": "click"}, "neither ref nor target"),
    ],
)
def test_an_act_with_wrong_args_is_refused_before_it_is_asked(
    scene: Scene, arguments: dict[str, object], part: str
) -> None:
    """
    A fill without a value never wipes a field: nothing reaches the page.
    """
    refusal = refusal_of(ACT, scene.context, arguments)
    assert refusal.code == "bad_arguments"
    assert part in refusal.message
    assert scene.page.asked == []


@pytest.mark.parametrize(
    "code",
    [
        "stale_ref", "stale_ref_after_edit", "no_match", "ambiguous_target", "no_such_option",
        "unsupported_surface", "not_editable", "not_visible", "occluded", "wrong_target", "confirm_dangerous",
        "page_error", "session_gone",
    ],
)  # fmt: skip
def test_the_pages_refusals_keep_code_recovery_and_details(scene: Scene, code: str) -> None:
    """
    An act that the page refuses tells the agent why and what to do, in the page's own words.
    """
    scene.clock.reactor.advance(1)  # the page has come to rest: nothing is on its way
    scene.page.answer(CommandName.ACT, Refusal(code, "no", "do this", {"candidates": ["e1"]}))
    refusal = refusal_of(ACT, scene.context, {"action": "click", "target": {"text": "Save"}})
    assert (refusal.code, refusal.message, refusal.recovery, refusal.details) == (
        code, "no", "do this", {"candidates": ["e1"]},
    )  # fmt: skip
    assert scene.page.record(EventType.DOM_TEXT).action_id is None


def test_a_page_that_does_not_answer_ends_in_a_refusal(scene: Scene) -> None:
    """
    A blocked page costs the command's deadline and not more; the act is not repeated.
    """
    scene.page.stay_silent(CommandName.ACT)
    call = start_call(ACT, scene.context, {"action": "click", "ref": "e4"})
    scene.clock.advance(8)
    assert refusal_in(call).code == "command_timeout"
    assert len(scene.page.asked) == 1


def test_a_background_tab_is_refused_on_request(scene: Scene) -> None:
    """
    With refuseWhenThrottled nothing is done in a hidden tab; without it, the answer warns.
    """
    scene.page.hide()
    scene.page.answer(CommandName.ACT, REPORT)
    refused = {"action": "click", "ref": "e4", "refuseWhenThrottled": True}
    assert refusal_of(ACT, scene.context, refused).code == "throttled"
    assert scene.page.asked == []
    answer = answer_of(ACT, scene.context, {"action": "click", "ref": "e4"})
    session = answer.fields["session"]
    assert isinstance(session, dict)
    assert session["throttled"] is True


def test_confirmation_reaches_the_page(scene: Scene) -> None:
    """
    An agent that confirmed a dangerous click is not asked again.
    """
    scene.page.answer(CommandName.ACT, REPORT)
    answer_of(ACT, scene.context, {"action": "click", "ref": "e4", "args": {"confirmDangerous": True}})
    assert scene.page.asked[0].args["args"] == {"confirmDangerous": True}
