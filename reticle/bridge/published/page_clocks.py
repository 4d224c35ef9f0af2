"""
Which document of a page of the published packages is speaking, by its clock.

They name no documents. A new one says so (``page.health`` with reason ``initial``); one that comes back from
the back/forward cache does not, it only goes on counting from its own beginning (page-wire §5.1). So each
document is known by when its clock began.
"""

from __future__ import annotations

from collections.abc import Sequence

from reticle.bridge.wire import WireEvent
from reticle.model.ids import DocumentId

SAME_MS = 60.0
"""Two beginnings so close are one document's: an event is on its way for a few milliseconds."""

QUEUE_SECONDS = 1.0
"""What comes later than this after a new socket has not waited in the page's queue."""

REMEMBERED = 20
"""Documents of one tab that can come back; browsers keep fewer."""


class PageClocks:
    """
    The documents of one page.
    """

    def __init__(self) -> None:
        self._began: dict[DocumentId, float] = {}
        self._opened_at = float("-inf")
        self._asks = False

    def reconnected(self, now: float) -> None:
        """
        A new socket speaks for the page at ``now``: whose it is, its next events tell.
        """
        self._opened_at = now
        self._asks = True

    def speaker(self, events: Sequence[WireEvent], present: DocumentId, now: float) -> DocumentId:
        """
        The document that reported these events at ``now`` (monotonic seconds): the present one unless their
        times fit another that is known.
        """
        for event in events:
            if event.page_time is None:
                continue
            began = now * 1000 - event.page_time
            if self._asks and (other := self._other(began, present, now)) is not None:
                self._asks = False
                return other
            self._began[present] = min(began, self._began.get(present, began))
            if abs(began - self._began[present]) <= SAME_MS and now - self._opened_at > QUEUE_SECONDS:
                self._asks = False
        while len(self._began) > REMEMBERED:
            del self._began[next(iter(self._began))]
        return present

    def _other(self, began: float, present: DocumentId, now: float) -> DocumentId | None:
        here = self._began.get(present)
        if here is None or abs(began - here) <= SAME_MS:
            return None
        for document, known in self._began.items():
            # an event that waited in the queue seems to have a later beginning, never an earlier one
            certain = known < here or now - self._opened_at > QUEUE_SECONDS
            if document != present and certain and abs(began - known) <= SAME_MS:
                return document
        return None
