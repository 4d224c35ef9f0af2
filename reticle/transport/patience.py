"""
When a call has taken long enough that its answer should come on a stream.

Every waiting call has the same patience, so they become due in the order in which they came and one timer
does for all: a call that is answered in time costs two dictionary operations.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from twisted.internet.interfaces import IDelayedCall, IReactorTime


class Impatient(Protocol):
    """
    A call whose client waits.
    """

    def overdue(self) -> None:
        """
        The time is up. It is no longer kept.
        """


class Patience:
    """
    Args:
        clock: Where the timer is set.
        seconds: How long each may take.
    """

    def __init__(self, clock: IReactorTime, seconds: float) -> None:
        self._clock = clock
        self._seconds = seconds
        self._due: dict[Impatient, float] = {}  # oldest first
        self._timer: IDelayedCall | None = None

    def add(self, waiting: Impatient) -> None:
        """
        Tell ``waiting`` when its time is up.
        """
        self._due[waiting] = self._clock.seconds() + self._seconds
        if self._timer is None:
            self._timer = self._clock.callLater(self._seconds, self._ring)

    def discard(self, waiting: Impatient) -> None:
        """
        It waits no longer. May be called for one that is not kept.
        """
        self._due.pop(waiting, None)

    def stop(self) -> None:
        """
        Forget all. May be called twice.
        """
        self._due.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _ring(self) -> None:
        self._timer = None
        now = self._clock.seconds()
        due: list[Callable[[], None]] = []
        for waiting, at in tuple(self._due.items()):
            if at > now:
                break
            del self._due[waiting]
            due.append(waiting.overdue)
        for overdue in due:
            overdue()
        # Those that were told may have added others.
        if self._due and self._timer is None:
            first = next(iter(self._due.values()))
            self._timer = self._clock.callLater(max(0.0, first - now), self._ring)
