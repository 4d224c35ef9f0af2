"""
Dangerous acts that a person is asked about.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from reticle.errors import Refusal
from reticle.model.codes import CommandName, RefusalCode
from reticle.testing.toolcalls import Scene, answer_of, open_scene, refusal_of, start_call
from reticle.tools import act, act_and_wait
from reticle.tools.consent import question_name
from reticle.tools.spec import ToolAnswer

DELETE = 'Acting on button "Delete" may be destructive: it says "delete". Nothing was done.'
CALL = {"action": "click", "ref": "e4"}


def danger(message: str = DELETE) -> Refusal:
    """
    The page's own refusal.
    """
    return Refusal(RefusalCode.CONFIRM_DANGEROUS, message, "If that is intended, call again.")


def guarded(*messages: str) -> Callable[[Mapping[str, object]], object]:
    """
    A page that acts only when it is confirmed, refusing in these words, the last of them for ever.
    """
    words = list(messages or (DELETE,))

    def act_on(asked: Mapping[str, object]) -> object:
        args = asked.get("args")
        if isinstance(args, Mapping) and args.get("confirmDangerous") is True:
            return {"effect": {}, "settled": True}
        raise danger(words.pop(0) if len(words) > 1 else words[0])

    return act_on


@pytest.fixture
def scene() -> Scene:
    """
    A page with a dangerous button.
    """
    made = open_scene()
    made.page.answer(CommandName.ACT, guarded())
    return made


def answer_with(scene: Scene, answer: Mapping[str, object], message: str = DELETE) -> None:
    """
    What the person says when asked.
    """
    scene.context.answers[question_name(danger(message))] = answer


def acts(scene: Scene) -> list[object]:
    """
    Whether each act that reached the page was confirmed.
    """
    return [bool(asked.args.get("args")) for asked in scene.page.asked if asked.command is CommandName.ACT]


def test_a_yes_goes_on_and_is_told(scene: Scene) -> None:
    """
    The person says yes once; the act is done once, and the answer says whose decision it was.
    """
    answer_with(scene, {"action": "accept", "content": {}})
    answer = answer_of(act.TOOLS[0], scene.context, CALL)
    assert answer.fields["confirmed"] == "by the person"
    assert acts(scene) == [False, False, True]
    [question] = [each for asked in scene.context.asked for each in asked.values()]
    assert question.params["message"] == f"The agent wants to do this on the page. {DELETE} Let it?"


def test_a_yes_goes_on_to_a_verdict(scene: Scene) -> None:
    """
    What was named beforehand is judged after the confirmed act, and the text says who confirmed it.
    """
    answer_with(scene, {"action": "accept", "content": {}})
    call = start_call(act_and_wait.TOOLS[0], scene.context, {**CALL, "timeout_ms": 0})
    told: list[ToolAnswer] = []
    call.addCallback(told.append)
    for _ in range(20):
        scene.clock.reactor.advance(0.5)
    [answer] = told
    assert answer.verdict_id is not None
    assert answer.fields["confirmed"] == "by the person"
    assert (answer.text or "").endswith("confirmed: by the person")
    assert acts(scene) == [False, False, True]


def test_a_no_is_the_refusal(scene: Scene) -> None:
    """
    Nothing is done, and the agent hears that it was the person who did not want it.
    """
    answer_with(scene, {"action": "decline"})
    refusal = refusal_of(act.TOOLS[0], scene.context, CALL)
    assert (refusal.code, refusal.details) == ("confirm_dangerous", {"declined": True})
    assert "did not agree" in refusal.message
    assert "confirmDangerous" not in refusal.recovery
    assert acts(scene) == [False]


def test_a_dismissed_question_decides_nothing(scene: Scene) -> None:
    """
    A client with nobody in front of it leaves the agent as free as one that cannot be asked.
    """
    answer_with(scene, {"action": "cancel"})
    refusal = refusal_of(act.TOOLS[0], scene.context, CALL)
    assert (refusal.code, refusal.details) == ("confirm_dangerous", {})
    assert (refusal.message, refusal.recovery) == (
        f"{DELETE} The person was asked and did not decide.",
        "If that is intended, call again.",
    )
    assert acts(scene) == [False]


def test_who_cannot_be_asked_gets_the_refusal_as_before(scene: Scene) -> None:
    """
    A client without forms sees no difference.
    """
    refusal = refusal_of(act.TOOLS[0], scene.context, CALL)
    assert (refusal.message, refusal.recovery) == (DELETE, "If that is intended, call again.")
    assert scene.context.asked == []


def test_no_answer_is_the_refusal(scene: Scene) -> None:
    """
    A question that nobody answers ends as if it had not been put.
    """
    scene.context.answers["something_else"] = {"action": "accept"}
    refusal = refusal_of(act.TOOLS[0], scene.context, CALL)
    assert (refusal.code, refusal.message) == ("confirm_dangerous", DELETE)
    assert acts(scene) == [False]


def test_a_yes_is_only_for_what_was_asked(scene: Scene) -> None:
    """
    When another dangerous thing stands there by the time of the answer, it is not touched.
    """
    scene.page.answer(CommandName.ACT, guarded(DELETE, DELETE.replace("Delete", "Delete account")))
    answer_with(scene, {"action": "accept"})
    refusal = refusal_of(act.TOOLS[0], scene.context, CALL)
    assert "Delete account" in refusal.message
    assert acts(scene) == [False, False]


def test_other_refusals_ask_nobody(scene: Scene) -> None:
    """
    A stale ref is no question for a person.
    """
    scene.page.answer(CommandName.ACT, Refusal(RefusalCode.STALE_REF, "gone"))
    scene.context.answers["any"] = {"action": "accept"}
    assert refusal_of(act.TOOLS[0], scene.context, CALL).code == "stale_ref"
    assert scene.context.asked == []


def test_a_confirmed_call_asks_nobody(scene: Scene) -> None:
    """
    An agent that was told to confirm does not bother the person again.
    """
    scene.context.answers["any"] = {"action": "accept"}
    answer = answer_of(act.TOOLS[0], scene.context, {**CALL, "args": {"confirmDangerous": True}})
    assert "confirmed" not in answer.fields
    assert scene.context.asked == []
