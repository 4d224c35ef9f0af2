"""
How steadily one page has been connected; a reload is no outage.
"""

from __future__ import annotations

from reticle.model.limits import SUCCESSOR_SECONDS
from reticle.model.page import Attachment


class Outages:
    """
    The connection of one page over time. Times are monotonic seconds.
    """

    def __init__(self) -> None:
        self._since: float | None = None
        self._lost_at: float | None = None
        self._count = 0
        self._last: tuple[float, float] | None = None

    def back(self, now: float) -> None:
        """
        A socket speaks for the page; it may be the first one, or a newer one.
        """
        lost_at, self._lost_at = self._lost_at, None
        if lost_at is not None and now - lost_at <= SUCCESSOR_SECONDS:
            return
        if lost_at is not None:
            self._count += 1
            self._last = (lost_at, now - lost_at)
            self._since = now
        elif self._since is None:
            self._since = now

    def lost(self, now: float) -> None:
        """
        No socket speaks for the page any more.
        """
        self._lost_at = now

    def attachment(self, now: float) -> Attachment:
        """
        The figures for people and agents.
        """
        began, lasted = self._last if self._last is not None else (None, None)
        return Attachment(
            connected_ms=0
            if self._lost_at is not None or self._since is None
            else round((now - self._since) * 1000),
            outages=self._count,
            last_outage_ms=None if lasted is None else round(lasted * 1000),
            last_outage_ago_ms=None if began is None else round((now - began) * 1000),
        )
