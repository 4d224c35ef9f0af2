"""
Time that a test moves by hand.
"""

from __future__ import annotations

from twisted.internet.defer import Deferred
from twisted.internet.task import Clock

DEFAULT_NOW = 1_750_000_000.0
"""The wall clock of a fresh ``FakeClock``; any fixed instant would do."""


class FakeClock:
    """
    Provides ``ports.Clock`` over a ``twisted.internet.task.Clock``.

    Args:
        reactor: The clock that timers are set on; give the same one to whatever else shall live in the
            same time, such as a ``FakePage``.
        now: Seconds since the epoch at the clock's zero.
    """

    def __init__(self, reactor: Clock | None = None, *, now: float = DEFAULT_NOW) -> None:
        self.reactor = Clock() if reactor is None else reactor
        self._now = now

    def now(self) -> float:
        """
        Seconds since the epoch.
        """
        return self._now + float(self.reactor.seconds())

    def monotonic(self) -> float:
        """
        Seconds since the clock's zero.
        """
        return float(self.reactor.seconds())

    def sleep(self, seconds: float) -> Deferred[None]:
        """
        Fires when ``advance`` has passed ``seconds``; cancelling it takes its timer away.
        """

        def stop(_: Deferred[None]) -> None:
            timer.cancel()

        slept: Deferred[None] = Deferred(stop)
        timer = self.reactor.callLater(seconds, slept.callback, None)
        return slept

    def set_back(self, seconds: float) -> None:
        """
        Somebody sets the time of day; forward with a negative number.
        """
        self._now -= seconds

    def advance(self, seconds: float) -> None:
        """
        Let time pass and run what became due.
        """
        self.reactor.advance(seconds)

    def pending(self) -> int:
        """
        How many timers are set; a test that ends with any has left something behind.
        """
        return len(self.reactor.getDelayedCalls())
