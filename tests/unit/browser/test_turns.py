"""
Places for contexts, and the queue for them.
"""

from __future__ import annotations

from twisted.internet.defer import CancelledError
from twisted.internet.task import Clock

from reticle.browser.failures import failed
from reticle.browser.turns import Turns
from reticle.model.limits import BROWSER_QUEUE_SECONDS
from reticle.testing.bridge import refusal_of, result_of


def test_whoever_came_first_is_served_first() -> None:
    """
    And nobody before a place is free.
    """
    clock = Clock()
    turns = Turns(clock, 2)
    held = [turns.take(), turns.take()]
    queue = [turns.take(), turns.take(), turns.take()]
    assert [each.called for each in (*held, *queue)] == [True, True, False, False, False]
    turns.give()
    assert ([each.called for each in queue], turns.waiting) == ([True, False, False], 2)
    turns.give()
    turns.give()
    assert (turns.waiting, clock.getDelayedCalls()) == (0, [])
    for _ in range(3):
        turns.give()
    assert turns.take().called


def test_a_place_that_is_passed_on_is_taken() -> None:
    """
    However often one was handed to who waited, there are no more contexts than places.
    """
    turns = Turns(Clock(), 1)
    turns.take()
    for _ in range(3):
        waiting = turns.take()
        assert not waiting.called
        turns.give()
        assert waiting.called
    assert not turns.take().called


def test_a_place_is_not_waited_for_for_ever() -> None:
    """
    The agent hears that the browser is full, and what it can release.
    """
    clock = Clock()
    turns = Turns(clock, 1)
    turns.take()
    late = turns.take()
    clock.advance(BROWSER_QUEUE_SECONDS)
    refused = refusal_of(late)
    assert refused.code == "browser_full"
    assert "reticle_lease" in refused.recovery
    turns.give()
    assert result_of(turns.take()) is None


def test_who_gives_up_leaves_the_queue() -> None:
    """
    A cancelled call does not take the next place.
    """
    clock = Clock()
    turns = Turns(clock, 1)
    turns.take()
    gone, stays = turns.take(), turns.take()
    gone.cancel()
    gone.addErrback(lambda failure: failure.trap(CancelledError))
    turns.give()
    assert (stays.called, clock.getDelayedCalls()) == (True, [])


def test_all_that_wait_can_be_refused() -> None:
    """
    When the browser ends, or the daemon stops.
    """
    clock = Clock()
    turns = Turns(clock, 1)
    turns.take()
    waiting = [turns.take(), turns.take()]
    turns.refuse(failed("gone"))
    assert [refusal_of(each).message for each in waiting] == ["gone", "gone"]
    assert clock.getDelayedCalls() == []
