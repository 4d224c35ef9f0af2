"""
Which requests of a page were open at any cursor.

Ends are kept in order, so that answering for a cursor costs what ended since, not what ever happened.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from reticle.bridge.newest import NewestEntries
from reticle.bridge.ring import Entry
from reticle.model.bridge_limits import TRACKED_REQUEST_BYTES
from reticle.model.limits import TRACKED_REQUESTS
from reticle.model.page import PageEvent


class OpenRequests:
    """
    The requests of one page, by document and the page's own id; of those that ended also when.

    Args:
        on_forgotten: Called with the cursor-bearing entry of an open request that the cap pushed out.
        max_tracked: How many open ones, and how many ended ones, are remembered.
        max_bytes: And how much of each.
    """

    def __init__(
        self,
        on_forgotten: Callable[[Entry], None],
        max_tracked: int = TRACKED_REQUESTS,
        max_bytes: int = TRACKED_REQUEST_BYTES,
    ) -> None:
        self._on_forgotten = on_forgotten
        self._max_tracked = max_tracked
        self._max_bytes = max_bytes
        self._open: dict[Hashable, Entry] = {}
        self._open_bytes = 0
        self._ended: NewestEntries[tuple[int, Entry]] = NewestEntries(
            lambda ended: ended[1], max_tracked, max_bytes
        )

    def started(self, key: Hashable, entry: Entry) -> None:
        """
        A request began with this event. A key that is still open is taken over by the new one.
        """
        self._closed(key)
        self._open[key] = entry
        self._open_bytes += entry.size
        while len(self._open) > self._max_tracked or self._open_bytes > self._max_bytes:
            forgotten = self._closed(next(iter(self._open)))
            assert forgotten is not None
            self._on_forgotten(forgotten)

    def ended(self, key: Hashable, at: int) -> None:
        """
        The request ended with the event numbered ``at``. An unknown key began before we listened.
        """
        entry = self._closed(key)
        if entry is not None:
            self._ended.append((at, entry))

    def end_all(self, at: int) -> None:
        """
        The document that made them is gone after the event numbered ``at``.
        """
        for entry in self._open.values():
            self._ended.append((at, entry))
        self._open.clear()
        self._open_bytes = 0

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

    def newest_open(self, at_most: int) -> tuple[list[Entry], bool]:
        """
        The entries of the newest open requests, oldest first, and whether there are more; for the journal.
        """
        entries = list(self._open.values())
        return entries[-at_most:], len(entries) > at_most

    def open_keys(self) -> list[Hashable]:
        """
        Of all that are open now.
        """
        return [*self._open]

    def is_open(self, key: Hashable) -> bool:
        """
        Whether a request with that key has begun and not ended.
        """
        return key in self._open

    def _closed(self, key: Hashable) -> Entry | None:
        entry = self._open.pop(key, None)
        if entry is not None:
            self._open_bytes -= entry.size
        return entry
