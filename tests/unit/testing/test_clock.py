"""
The hand-moved clock.
"""

from __future__ import annotations

from twisted.internet.defer import CancelledError

from reticle.testing.clock import DEFAULT_NOW, FakeClock


def test_time_moves_only_by_hand() -> None:
    """
    Both readings move together, and only when the test says so.
    """
    clock = FakeClock()
    clock.advance(2.5)
    assert (clock.now(), clock.monotonic()) == (DEFAULT_NOW + 2.5, 2.5)


def test_sleep_ends_in_time_and_can_be_cancelled() -> None:
    """
    A sleeper wakes at its time; a cancelled one leaves no timer behind.
    """
    clock = FakeClock()
    woken: list[object] = []
    clock.sleep(1).addCallback(woken.append)
    cancelled = clock.sleep(5)
    cancelled.addErrback(lambda failure: woken.append(failure.type))
    clock.advance(1)
    assert (woken, clock.pending()) == ([None], 1)
    cancelled.cancel()
    assert (woken, clock.pending()) == ([None, CancelledError], 0)
