"""
Holding a page: what an agent is told, and what others see.
"""

from __future__ import annotations

import pytest

from reticle.model.codes import Capability
from reticle.model.limits import PAGE_HOLD_MAX_SECONDS, PAGE_HOLD_SECONDS, PURPOSE_CHARS
from reticle.testing.context import FakeContext
from reticle.testing.pages import FakePages
from reticle.testing.toolcalls import Scene, answer_of, refusal_of
from reticle.tools.page_holds import hold_fields
from reticle.tools.session import TOOLS

SESSION = TOOLS[0]


def other_of(scene: Scene, *capabilities: Capability) -> FakeContext:
    """
    Another agent at the same page.
    """
    other = FakeContext(FakePages(scene.page), clock=scene.clock, capabilities=capabilities)
    other.holds, other.agent = scene.context.holds, "agent:other"
    other.agents["agent:other"] = "other"
    return other


def test_a_hold_without_a_time_ends_by_itself(scene: Scene) -> None:
    """
    An agent that dies does not keep a page for ever.
    """
    held = answer_of(SESSION, scene.context, {"action": "hold"}).fields
    assert held == {"action": "hold", "held": True, "agent": "agent:me", "secondsLeft": PAGE_HOLD_SECONDS}
    assert hold_fields(other_of(scene), scene.page) == {"hold": {"by": "me", "secondsLeft": 300}}
    scene.clock.advance(PAGE_HOLD_SECONDS)
    assert hold_fields(other_of(scene), scene.page) == {}


@pytest.mark.parametrize("seconds", [0, PAGE_HOLD_MAX_SECONDS + 1])
def test_a_time_that_nobody_may_ask_for(scene: Scene, seconds: int) -> None:
    """
    Neither no time nor a day: such a hold is refused before anything is done.
    """
    with pytest.raises(Exception, match=r"seconds|Expected"):
        answer_of(SESSION, scene.context, {"action": "hold", "seconds": seconds})
    assert hold_fields(scene.context, scene.page) == {}


def test_a_long_purpose_is_cut(scene: Scene) -> None:
    """
    Others read a line, not a page.
    """
    answer_of(SESSION, scene.context, {"action": "hold", "note": "x" * 999})
    shown = hold_fields(scene.context, scene.page)["hold"]
    assert isinstance(shown, dict)
    assert shown["purpose"] == "x" * PURPOSE_CHARS


def test_only_an_operator_ends_what_is_not_its_own(scene: Scene) -> None:
    """
    Another agent cannot free the page; an operator can.
    """
    answer_of(SESSION, scene.context, {"action": "hold"})
    assert refusal_of(SESSION, other_of(scene), {"action": "release"}).code == "page_held"
    operator = other_of(scene, Capability.ADMIN)
    assert answer_of(SESSION, operator, {"action": "release"}).fields["released"] is True


def test_giving_a_page_to_nobody_is_refused(scene: Scene) -> None:
    """
    A misspelt name does not lock the page.
    """
    answer_of(SESSION, scene.context, {"action": "hold"})
    refusal = refusal_of(SESSION, scene.context, {"action": "hand_over", "to": "agent:typo"})
    assert refusal.code == "not_found"
    assert "yourAgentName" in str(refusal.recovery)
    scene.context.agents["agent:other"] = "other"
    given = answer_of(SESSION, scene.context, {"action": "hand_over", "to": "agent:other"}).fields
    assert (given["handedTo"], given["secondsLeft"]) == ("other", PAGE_HOLD_SECONDS)
    assert refusal_of(SESSION, scene.context, {"action": "narrate", "text": "x"}).code == "page_held"
