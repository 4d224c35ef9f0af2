"""
When a call has taken long enough.
"""

from __future__ import annotations

from collections.abc import Callable

from twisted.internet.task import Clock

from reticle.transport.patience import Patience


class Call:
    """
    One that waits; counts how often its time was up.
    """

    def __init__(self, on_overdue: Callable[[], None] = lambda: None) -> None:
        self.overdue_count = 0
        self._on_overdue = on_overdue

    def overdue(self) -> None:
        """
        Count.
        """
        self.overdue_count += 1
        self._on_overdue()


def test_each_is_told_in_its_own_time() -> None:
    """
    Two calls that came one after the other become streams one after the other, each once.
    """
    clock = Clock()
    patience = Patience(clock, 10.0)
    first, second = Call(), Call()
    patience.add(first)
    clock.advance(4)
    patience.add(second)
    clock.advance(6)
    assert (first.overdue_count, second.overdue_count) == (1, 0)
    clock.advance(4)
    assert (first.overdue_count, second.overdue_count) == (1, 1)
    assert clock.getDelayedCalls() == []


def test_an_answer_in_time_is_not_overdue() -> None:
    """
    A call that was answered is left alone, and the timer does not go on for nothing.
    """
    clock = Clock()
    patience = Patience(clock, 10.0)
    call = Call()
    patience.add(call)
    patience.discard(call)
    patience.discard(call)
    clock.advance(10)
    assert call.overdue_count == 0
    assert clock.getDelayedCalls() == []


def test_a_call_that_comes_meanwhile_waits_its_time() -> None:
    """
    A call begun because another became overdue has its whole patience.
    """
    clock = Clock()
    patience = Patience(clock, 10.0)
    later = Call()
    patience.add(Call(lambda: patience.add(later)))
    clock.advance(10)
    clock.advance(9)
    assert later.overdue_count == 0
    clock.advance(1)
    assert later.overdue_count == 1


def test_a_stop_leaves_no_timer() -> None:
    """
    A stopped daemon holds nothing.
    """
    clock = Clock()
    patience = Patience(clock, 10.0)
    patience.add(Call())
    patience.stop()
    patience.stop()
    assert clock.getDelayedCalls() == []
