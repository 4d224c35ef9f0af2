"""
Invariants judged on actions that no verdict follows.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from reticle.model.codes import CommandName, EventType
from reticle.testing.toolcalls import Scene, start_call
from reticle.tools.act import TOOLS as ACTING
from reticle.tools.act_sequence import TOOLS as SEQUENCE
from reticle.tools.spec import Tool

QUIET = {"kind": "console", "level": "error", "absent": True}


def told(scene: Scene, tool: Tool, arguments: Mapping[str, object], *errors: str) -> Mapping[str, object]:
    """
    The answer of a call in which each act writes the next of these errors to the console; "" for none.
    """
    left = list(errors)

    def act(_: Mapping[str, object]) -> object:
        if left and (message := left.pop(0)):
            scene.page.record(EventType.CONSOLE_ERROR, {"message": message})
        return {"ok": True, "ref": "e1", "role": "button", "name": "Go", "effect": {"dispatched": True}}

    scene.page.declare(json.dumps({"name": "quiet", "predicate": QUIET}))
    scene.page.answer(CommandName.ACT, act)
    call = start_call(tool, scene.context, dict(arguments))
    for _ in range(400):
        scene.clock.advance(0.05)
    answer = call.result
    assert not isinstance(answer, BaseException)
    fields: Mapping[str, object] = answer.fields  # type: ignore[attr-defined]  # a tool's answer
    return fields


def names(fields: object) -> list[str]:
    assert isinstance(fields, Mapping)
    return [one["name"] for one in fields.get("brokenInvariants", [])]


def test_an_act_that_breaks_what_must_always_hold_says_so(scene: Scene) -> None:
    """
    Whoever only clicks learns that the click made the app complain.
    """
    click = {"action": "click", "ref": "e1"}
    broken = told(scene, ACTING[0], click, "boom")
    assert names(broken) == ["quiet"]
    assert "boom" in str(broken["brokenInvariants"])


def test_an_act_that_breaks_nothing_says_nothing_of_it(scene: Scene) -> None:
    """
    What holds as ever takes no room in the answer.
    """
    assert "brokenInvariants" not in told(scene, ACTING[0], {"action": "click", "ref": "e1"}, "")


def test_each_step_of_a_sequence_is_judged_and_all_of_it(scene: Scene) -> None:
    """
    The second of three steps is named, and the steps go on.
    """
    steps = [{"action": "click", "ref": "e1"}] * 3
    fields = told(scene, SEQUENCE[0], {"steps": steps}, "", "boom", "")
    done = fields["steps"]
    assert isinstance(done, list)
    assert [names(step) for step in done] == [[], ["quiet"], []]
    assert (fields["completed"], names(fields)) == (3, ["quiet"])
