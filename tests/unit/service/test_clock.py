"""
Real time over a reactor.
"""

from __future__ import annotations

from twisted.internet.defer import CancelledError
from twisted.internet.task import Clock

from reticle.service.clock import ReactorClock


def test_a_sleep_fires_after_its_time() -> None:
    """
    Whoever waits a second waits a second of the reactor.
    """
    reactor = Clock()
    fired: list[object] = []
    ReactorClock(reactor).sleep(1.0).addCallback(fired.append)
    reactor.advance(0.9)
    assert fired == []
    reactor.advance(0.1)
    assert fired == [None]


def test_a_cancelled_sleep_leaves_no_timer() -> None:
    """
    A call that was given up keeps nothing in the reactor.
    """
    reactor = Clock()
    failures: list[type[BaseException] | None] = []
    slept = ReactorClock(reactor).sleep(1.0)
    slept.addErrback(lambda failure: failures.append(failure.type))
    slept.cancel()
    assert (failures, reactor.getDelayedCalls()) == ([CancelledError], [])
