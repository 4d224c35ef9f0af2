"""
Real time, for whoever takes a ``ports.Clock``.
"""

from __future__ import annotations

import time

from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IReactorTime


class ReactorClock:
    """
    Provides ``ports.Clock`` over a reactor.
    """

    def __init__(self, reactor: IReactorTime) -> None:
        self._reactor = reactor

    def now(self) -> float:
        """
        Seconds since the epoch; the one place where the daemon reads the wall clock.
        """
        return time.time()  # noqa: TID251 - everybody else gets this as an argument

    def monotonic(self) -> float:
        """
        Seconds that never go backwards.
        """
        return time.monotonic()

    def sleep(self, seconds: float) -> Deferred[None]:
        """
        Fires after ``seconds``; cancelling it takes its timer away.
        """

        def stop(_: Deferred[None]) -> None:
            timer.cancel()

        slept: Deferred[None] = Deferred(stop)
        timer = self._reactor.callLater(seconds, slept.callback, None)
        return slept
