"""
Calls that wait for something to happen.
"""

from __future__ import annotations

from twisted.internet.defer import CancelledError, Deferred
from twisted.internet.task import Clock

from reticle.bridge.waiters import Waiters


def outcome_of(answer: Deferred[bool]) -> list[object]:
    """
    What an answer has fired with so far, if it has.
    """
    fired: list[object] = []
    answer.addBoth(fired.append)
    return fired


def test_what_holds_already_is_answered_at_once() -> None:
    """
    Neither a true condition nor an empty budget sets a timer.
    """
    clock = Clock()
    waiters = Waiters(clock)
    assert outcome_of(waiters.wait(lambda: True, 0)) == [True]
    assert outcome_of(waiters.wait(lambda: False, 0)) == [False]
    assert (len(waiters), clock.getDelayedCalls()) == (0, [])


def test_a_wake_answers_those_whose_condition_holds() -> None:
    """
    The others wait on, until their own time is over.
    """
    clock = Clock()
    waiters = Waiters(clock)
    there: set[str] = set()
    first = outcome_of(waiters.wait(lambda: "a" in there, 5))
    second = outcome_of(waiters.wait(lambda: "b" in there, 2))
    there.add("a")
    assert first == []
    waiters.wake()
    assert (first, second, len(waiters)) == ([True], [], 1)
    clock.advance(1.9)
    assert second == []
    clock.advance(0.1)
    assert (second, len(waiters), clock.getDelayedCalls()) == ([False], 0, [])


def test_a_cancelled_waiter_leaves_nothing_behind() -> None:
    """
    A client that gave up keeps neither a timer nor a place.
    """
    clock = Clock()
    waiters = Waiters(clock)
    answer = waiters.wait(lambda: False, 5)
    fired = outcome_of(answer)
    answer.cancel()
    waiters.wake()
    assert (len(waiters), clock.getDelayedCalls()) == (0, [])
    [failure] = fired
    assert getattr(failure, "type", None) is CancelledError


def test_an_answer_may_take_another_waiter_away() -> None:
    """
    Who is woken may cancel its neighbour, and the round goes on.
    """
    waiters = Waiters(Clock())
    there: list[int] = []
    first = waiters.wait(lambda: bool(there), 5)
    second = waiters.wait(lambda: bool(there), 5)
    third = outcome_of(waiters.wait(lambda: bool(there), 5))
    gone = outcome_of(second)
    first.addCallback(lambda _: second.cancel())
    there.append(1)
    waiters.wake()
    assert (third, len(waiters)) == ([True], 0)
    assert getattr(gone[0], "type", None) is CancelledError
