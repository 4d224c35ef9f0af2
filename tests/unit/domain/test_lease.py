"""
Who holds a page, for how long, and who may change that.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.domain.lease import (
    Rule,
    alive,
    hand_over,
    held_by_another,
    release,
    seconds_left,
    take,
)
from reticle.errors import Refusal
from reticle.model.leases import Lease

ANNE = Lease("token:anne", "Anne's lane", "checkout", 100.0, 200.0)


def refused(rule: Rule, lease: Lease | None) -> Refusal:
    """
    Why a rule was refused.
    """
    with pytest.raises(Refusal) as caught:
        rule(lease)
    return caught.value


def test_a_free_page_is_held_until_its_time_is_over() -> None:
    """
    Whoever asks first has the page to itself for as long as it asked, and not a moment longer.
    """
    lease = take("a", "a", "filling the form", 60, 100.0)(None)
    assert lease == Lease("a", "a", "filling the form", 100.0, 160.0)
    assert held_by_another(lease, "b", 159.9) is lease
    assert held_by_another(lease, "a", 159.9) is None
    assert held_by_another(lease, "b", 160.0) is None
    assert alive(None, 0.0) is None


def test_another_agent_is_told_who_and_how_long() -> None:
    """
    The refusal names the holder, what it does, the time left, and the asker's own name to be handed the page.
    """
    refusal = refused(take("b", "b", "", 60, 150.5), ANNE)
    assert refusal.code == "page_held"
    assert 'held by Anne\'s lane ("checkout") for 50 more seconds' in refusal.message
    assert refusal.details == {"heldBy": "Anne's lane", "secondsLeft": 50, "yourAgentName": "b"}
    assert "hand_over" in str(refusal.recovery)


def test_taking_again_goes_on() -> None:
    """
    A holder that asks again keeps the page longer, as one hold since its beginning.
    """
    assert take(ANNE.holder, "Anne's lane", "paying", 60, 190.0)(ANNE) == Lease(
        ANNE.holder, "Anne's lane", "paying", 100.0, 250.0
    )
    later = take("b", "b", "", 60, 200.0)(ANNE)
    assert later is not None
    assert (later.holder, later.since) == ("b", 200.0)


def test_a_holder_that_is_gone_holds_nothing() -> None:
    """
    Nobody waits for an agent that cannot come back.
    """
    assert held_by_another(ANNE, "b", 150.0, [ANNE.holder]) is None
    taken = take("b", "B", "", 60, 150.0, gone=[ANNE.holder])(ANNE)
    assert taken == Lease("b", "B", "", 150.0, 210.0)


def test_only_the_holder_gives_it_up() -> None:
    """
    Nobody can free a page that another agent holds, but the operator can; there is nothing to free twice.
    """
    assert release(ANNE.holder, 150.0)(ANNE) is None
    assert refused(release("b", 150.0), ANNE).code == "page_held"
    assert release("b", 150.0, by_operator=True)(ANNE) is None
    assert refused(release(ANNE.holder, 200.0), ANNE).code == "conflict"
    assert refused(release("b", 0.0, by_operator=True), None).code == "conflict"


def test_handing_over_keeps_the_time() -> None:
    """
    The other agent has the page for what was left, and who gave it away may no longer act.
    """
    given_away = hand_over(ANNE.holder, "b", "B", 150.0)(ANNE)
    assert given_away == Lease("b", "B", "", 150.0, 200.0)
    assert held_by_another(given_away, ANNE.holder, 160.0) is given_away
    assert refused(hand_over("b", "c", "C", 150.0), ANNE).code == "page_held"
    assert refused(hand_over(ANNE.holder, "b", "B", 300.0), ANNE).code == "conflict"


_AGENTS = st.sampled_from(["a", "b", "c"])
_STEPS = st.tuples(st.sampled_from(["take", "release", "hand_over"]), _AGENTS, _AGENTS, st.integers(1, 50))


@given(st.lists(_STEPS, max_size=30))
def test_no_order_of_requests_lets_two_agents_in(steps: list[tuple[str, str, str, int]]) -> None:
    """
    Whatever agents ask in whatever order, a page that one holds changes hands only by its word or its time.
    """
    lease: Lease | None = None
    now = 0.0
    for what, agent, other, seconds in steps:
        now += seconds / 2
        before = alive(lease, now)
        rule = {
            "take": take(agent, agent, "", seconds, now),
            "release": release(agent, now),
            "hand_over": hand_over(agent, other, other, now),
        }[what]
        try:
            lease = rule(lease)
        except Refusal:
            assert before is None or before.holder != agent
            continue
        assert before is None or before.holder == agent
        assert sum(held_by_another(lease, each, now) is None for each in "abc") in (1, 3)


@given(st.floats(0.001, 1e6), st.floats(0, 1e6))
def test_a_hold_that_binds_has_time_left(left: float, now: float) -> None:
    """
    Nobody is told to wait for zero seconds.
    """
    lease = Lease("a", "a", "", now, now + left)
    assert seconds_left(lease, now) >= (1 if alive(lease, now) else 0)
