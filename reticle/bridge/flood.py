"""
How many events a page may send in a second before it is sampled.

A flood never closes the socket: a page that logs in a loop must still be drivable. What decides verdicts
(requests, errors, routes, signals, reports of loss) has a reserve of its own as large as the first.
"""

from __future__ import annotations

from reticle.model.codes import EventType
from reticle.model.limits import PAGE_EVENTS_PER_SECOND

DECISIVE: frozenset[str] = frozenset(
    {
        EventType.NET_PENDING,
        EventType.NET_REQUEST,
        EventType.NET_STREAM,
        EventType.CONSOLE_ERROR,
        EventType.CONSOLE_WARN,
        EventType.ERROR_UNCAUGHT,
        EventType.ROUTE_CHANGE,
        EventType.SIGNAL,
        EventType.STATE_CHANGE,
        EventType.VISIBLE_SHOWN,
        EventType.TRUNCATED,
        EventType.TRANSPORT_OVERFLOW,
        EventType.BLIND_SPOT,
        EventType.PAGE_HEALTH,
    }
)


class FloodGate:
    """
    Counts the events of each second of one page.
    """

    def __init__(self, per_second: int = PAGE_EVENTS_PER_SECOND) -> None:
        self._per_second = per_second
        self._second = -1
        self._ordinary = 0
        self._decisive = 0

    def takes(self, number: int, now: float) -> bool:
        """
        Whether so many events are kept, whatever they are; then they are counted. ``now`` is in monotonic
        seconds.
        """
        second = int(now)
        if second != self._second:
            self._second, self._ordinary, self._decisive = second, 0, 0
        if self._ordinary + number > self._per_second:
            return False
        self._ordinary += number
        return True

    def admits(self, event_type: str, now: float) -> bool:
        """
        Whether this event is kept, as one of more than can all be taken.
        """
        if self.takes(1, now):
            return True
        if event_type in DECISIVE and self._decisive < self._per_second:
            self._decisive += 1
            return True
        return False
