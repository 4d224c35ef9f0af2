"""
A recorded verdict again.
"""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from reticle.domain.predicate import as_json, parse
from reticle.domain.rejudging import judge
from reticle.model.codes import Verified, VerifiedReason
from reticle.model.ids import VerdictId
from reticle.model.verdict import Verdict
from reticle.model.window import Window
from reticle.testing.toolcalls import Scene, answer_of, refusal_of
from reticle.testing.verdicts import recorded_verdict
from reticle.testing.windows import WindowBuilder
from reticle.tools.recorded_verdict import TOOLS

VERDICT = TOOLS[0]
CLAIM = {"kind": "net", "method": "POST", "urlContains": "/api/orders", "ok": True}


def keep(scene: Scene, name: str, window: Window, *, with_window: bool = True) -> Verdict:
    """
    What the daemon would have recorded of this window.
    """
    predicate = parse(CLAIM)
    verdict = attrs.evolve(
        recorded_verdict(name), claim=as_json(predicate), decision=judge(predicate, window)
    )
    scene.context.verdicts.kept[verdict.verdict_id] = verdict
    if with_window:
        scene.context.verdicts.windows[verdict.verdict_id] = window
    return verdict


def good() -> Window:
    """
    A click, a write that succeeded, and a text.
    """
    return WindowBuilder().click().net("POST", "/api/orders", 201).dom_added("status", "Saved").build()


def bad() -> Window:
    """
    The same click with a write that failed.
    """
    return WindowBuilder().click().net("POST", "/api/orders", 500).build()


def fields_of(scene: Scene, **asked: str) -> dict[str, Any]:
    """
    The fields of an answer.
    """
    return dict(answer_of(VERDICT, scene.context, asked).fields)


def test_a_verdict_is_read_as_it_was_given(scene: Scene) -> None:
    """
    An agent, or the person after it, finds claim, value, reason and outcome under the id.
    """
    verdict = keep(scene, "v1", good())
    fields = fields_of(scene, verdict_id="v1")
    assert (fields["verified"], fields["claim"]) == ("yes", CLAIM)
    assert fields["because"] == verdict.decision.because
    assert fields["outcome"]["held"] == "yes"


def test_each_step_to_a_verdict_is_shown(scene: Scene) -> None:
    """
    The rungs that did not fit are named before the one that decided, and what was recorded stands above.
    """
    keep(scene, "v1", bad())
    told = fields_of(scene, verdict_id="v1", action="explain")["steps"]
    steps = {step["step"]: step["lines"] for step in told}
    assert "1 net.request" in ", ".join(steps["what was recorded"])
    assert steps["the ladder"][-1].endswith("→ no: assertion_failed")
    assert steps["the ladder"][0] == "1. not so: the page went away in the window"
    assert steps["the verdict"][0].startswith("no (assertion_failed)")


def test_a_verdict_without_its_window_is_explained_as_far_as_it_goes(scene: Scene) -> None:
    """
    An old verdict still tells its parts, and says that the rest is gone.
    """
    keep(scene, "v1", good(), with_window=False)
    told = fields_of(scene, verdict_id="v1", action="explain")["steps"]
    steps = {step["step"]: step["lines"] for step in told}
    assert steps["the ladder"] == ["the window is not kept any more, so it cannot be climbed again"]
    assert steps["how each part came out"][0].startswith("yes net")


def test_a_window_judged_again_says_the_same(scene: Scene) -> None:
    """
    Whoever doubts a verdict has the daemon decide it once more from what was recorded.
    """
    keep(scene, "v1", good())
    fields = fields_of(scene, verdict_id="v1", action="reevaluate")
    assert (fields["same"], fields["reevaluated"]["verified"]) == (True, "yes")
    assert "differences" not in fields


def test_a_verdict_of_an_older_program_that_would_be_another_today_is_told(scene: Scene) -> None:
    """
    A false yes of an earlier version is found by judging its window again.
    """
    verdict = keep(scene, "v1", bad())
    lied = attrs.evolve(
        verdict.decision, verified=Verified.YES, reason=VerifiedReason.PROVED, because="it held"
    )
    scene.context.verdicts.kept[VerdictId("v1")] = attrs.evolve(
        verdict, decision=lied, versions={"reticle": "0.0.1"}
    )
    answer = answer_of(VERDICT, scene.context, {"verdict_id": "v1", "action": "reevaluate"})
    fields: dict[str, Any] = dict(answer.fields)
    assert fields["same"] is False
    assert {"path": "verified", "then": "yes", "now": "no"} in fields["differences"]
    assert "recorded by 0.0.1" in str(answer.text)


def test_two_verdicts_are_held_against_each_other(scene: Scene) -> None:
    """
    Before and after a change: what the same claim came to.
    """
    keep(scene, "v1", good())
    keep(scene, "v2", bad())
    fields = fields_of(scene, verdict_id="v1", action="compare", other_id="v2")
    assert (fields["same"], fields["sameClaim"]) == (False, True)
    assert {"path": "verified", "then": "yes", "now": "no"} in fields["differences"]


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"verdict_id": "nope"}, "no_such_verdict"),
        ({"verdict_id": "old", "action": "reevaluate"}, "no_window"),
        ({"verdict_id": "old", "action": "compare"}, "bad_arguments"),
        ({"verdict_id": "old", "other_id": "old"}, "bad_arguments"),
        ({"verdict_id": "old", "action": "compare", "other_id": "nope"}, "no_such_verdict"),
    ],
)
def test_what_cannot_be_told_is_refused(scene: Scene, asked: dict[str, object], code: str) -> None:
    """
    A wrong id, a window that is gone and a half comparison are named, each with its next step.
    """
    keep(scene, "old", good(), with_window=False)
    assert refusal_of(VERDICT, scene.context, asked).code == code
