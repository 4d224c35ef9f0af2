"""
Which requests of a page were open at any cursor.

Ends are kept in order, so that answering for a cursor costs what ended since, not what ever happened.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable

from reticle.bridge.ring import Entry
from reticle.model.limits import TRACKED_REQUESTS
from reticle.model.page import PageEvent


class OpenRequests:
    """
    The requests of one page, by document and the page's own id; of those that ended also when.

    Args:
        on_forgotten: Called with the cursor-bearing entry of an open request that the cap pushed out.
        max_tracked: How many open ones, and how many ended ones, are remembered.
    """

    def __init__(self, on_forgotten: Callable[[Entry], None], max_tracked: int = TRACKED_REQUESTS) -> None:
        self._on_forgotten = on_forgotten
        self._max_tracked = max_tracked
        self._open: dict[Hashable, Entry] = {}
        self._ended: deque[tuple[int, Entry]] = deque(maxlen=max_tracked)

    def started(self, key: Hashable, entry: Entry) -> None:
        """
        A request began with this event. A key that is still open is taken over by the new one.
        """
        self._open.pop(key, None)
        self._open[key] = entry
        if len(self._open) > self._max_tracked:
            self._on_forgotten(self._open.pop(next(iter(self._open))))

    def ended(self, key: Hashable, at: int) -> None:
        """
        The request ended with the event numbered ``at``. An unknown key began before we listened.
        """
        entry = self._open.pop(key, None)
        if entry is not None:
            self._ended.append((at, entry))

    def end_all(self, at: int) -> None:
        """
        The document that made them is gone after the event numbered ``at``.
        """
        self._ended.extend((at, entry) for entry in self._open.values())
        self._open.clear()

    def open_at(self, cursor: int) -> list[PageEvent]:
        """
        The ``net.pending`` events of requests that were open right after the event numbered ``cursor``.
        """
        entries = [entry for entry in self._open.values() if entry.seq <= cursor]
        for at, entry in reversed(self._ended):
            if at <= cursor:
                break
            if entry.seq <= cursor:
                entries.append(entry)
        return [entry.event() for entry in sorted(entries, key=lambda entry: entry.seq)]
