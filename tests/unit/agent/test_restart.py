"""
Whether an agent that has ended is started again.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.agent.restart import (
    FIRST_PAUSE_SECONDS,
    LONGEST_PAUSE_SECONDS,
    STEADY_SECONDS,
    Ending,
    Policy,
    Restarting,
)

GOOD, BAD, KILLED, INTERRUPTED = Ending(0), Ending(7), Ending(signal=9), Ending(signal=2)
NO_PROGRAM = Ending(127)
AGAIN = {
    Policy.NEVER: set(),
    Policy.ON_FAILURE: {BAD, KILLED},
    Policy.ALWAYS: {GOOD, BAD, KILLED},
}


@pytest.mark.parametrize("policy", Policy)
@pytest.mark.parametrize("ending", [GOOD, BAD, KILLED, INTERRUPTED, Ending(130), NO_PROGRAM])
def test_each_policy_and_each_ending(policy: Policy, ending: Ending) -> None:
    """
    A failure is tried again where that is wanted; what a person interrupted, or what is no program, never.
    """
    again = Restarting(policy).after(ending, 1.0)
    assert (again is not None) is (ending in AGAIN[policy])


def test_starts_again_end() -> None:
    """
    An agent that fails at once is given up after its number of starts, with longer and longer pauses.
    """
    restarting, pauses = Restarting(Policy.ON_FAILURE, 4), []
    while (again := restarting.after(BAD, 0.1)) is not None:
        restarting = again
        pauses.append(again.pause_seconds)
    assert pauses == [1.0, 2.0, 4.0, 8.0]


def test_a_long_run_is_a_new_beginning() -> None:
    """
    An agent that fails once a day goes on for ever.
    """
    restarting = Restarting(Policy.ON_FAILURE, 1)
    for _ in range(100):
        again = restarting.after(BAD, STEADY_SECONDS)
        assert again is not None
        assert again.pause_seconds == FIRST_PAUSE_SECONDS
        restarting = again


@given(st.integers(0, 10_000))
def test_a_pause_has_a_bound(count: int) -> None:
    """
    However often it failed, the next start is at most a minute away.
    """
    assert FIRST_PAUSE_SECONDS <= Restarting(in_a_row=count).pause_seconds <= LONGEST_PAUSE_SECONDS


def test_exit_codes_are_a_shells() -> None:
    """
    A script that looks at the exit code sees what a shell would have said.
    """
    assert [each.exit_code for each in (GOOD, BAD, KILLED, INTERRUPTED)] == [0, 7, 137, 130]
    assert [str(each) for each in (BAD, KILLED)] == ["exit code 7", "signal 9"]
