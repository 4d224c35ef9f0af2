"""
The one sweep that keeps every silent stream of the daemon alive.

Proxies drop a connection on which nothing is said for half a minute. One timer for all streams, in slices,
so that 20,000 of them do not hold the loop for a fifth of a second.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IReactorTime
from twisted.internet.task import Cooperator, LoopingCall, SchedulerStopped
from twisted.logger import Logger

_log = Logger()


class KeptAlive(Protocol):
    """
    Something with a connection that must not fall silent.
    """

    def keep_alive(self) -> None:
        """
        Write a comment line, unless other bytes are on their way anyhow.
        """


class KeepaliveSweep:
    """
    Args:
        clock: Where the timer is set.
        seconds: Time between two sweeps.
    """

    def __init__(self, clock: IReactorTime, seconds: float) -> None:
        self._seconds = seconds
        self._kept: dict[KeptAlive, None] = {}
        self._chores: list[Callable[[], Iterable[None]]] = []
        self._loop = LoopingCall(self._sweep)
        self._loop.clock = clock
        self._cooperator = Cooperator(scheduler=lambda turn: clock.callLater(0, turn), started=False)

    def add(self, stream: KeptAlive) -> None:
        """
        Keep a stream alive from now on.
        """
        self._kept[stream] = None

    def discard(self, stream: KeptAlive) -> None:
        """
        Its connection is gone or about to. May be called for one that is not kept.
        """
        self._kept.pop(stream, None)

    def also(self, chore: Callable[[], Iterable[None]]) -> None:
        """
        Do ``chore`` in each sweep too, a slice for each item that it yields.
        """
        self._chores.append(chore)

    def start(self) -> None:
        """
        Begin to sweep.
        """
        self._cooperator.start()
        self._loop.start(self._seconds, now=False).addErrback(
            lambda failure: _log.failure("the keepalive of streams died", failure)
        )

    def stop(self) -> None:
        """
        Sweep no more. May be called twice.
        """
        if self._loop.running:
            self._loop.stop()
            self._cooperator.stop()

    def _sweep(self) -> Deferred[Any]:
        def each() -> Iterator[None]:
            for chore in self._chores:
                try:
                    yield from chore()
                except Exception:  # noqa: BLE001 - a bug in one must not end the sweeps of all
                    _log.failure("a chore of the sweep failed")
            for stream in tuple(self._kept):
                try:
                    stream.keep_alive()
                except Exception:  # noqa: BLE001 - as above
                    self.discard(stream)
                    _log.failure("a stream could not be kept alive")
                yield None

        # The sweep that a stop interrupts has nothing left to do.
        swept = self._cooperator.coiterate(each())
        return swept.addErrback(lambda failure: failure.trap(SchedulerStopped))
