"""
A journal in memory, which a test can damage.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace
from twisted.internet.defer import Deferred, fail, succeed

from reticle.model.ids import PageId
from reticle.model.journal import JournalChunk, JournalFigures, JournalPart, judged_clean
from reticle.testing.stores import storage_failed


class MemoryJournal:
    """
    Provides ``ports.Journal``. ``chunks`` are what is kept; set ``failing`` to have every recall refused,
    ``full`` to have chunks left out, and ``held`` to have recalls wait in it. ``life`` is that of the daemon.
    """

    def __init__(self) -> None:
        self.chunks: list[JournalChunk] = []
        self.failing = False
        self.full = False
        self.known = True
        self.life = 1
        self.held: list[Deferred[Sequence[JournalChunk]]] | None = None
        self._lost = 0

    def admits(self, events: int, size_bytes: int) -> bool:
        """
        Unless ``full``.
        """
        del size_bytes
        if self.full:
            self._lost += events
        return not self.full

    def keep(self, page_id: PageId, events: int, size_bytes: int, make: Callable[[], JournalChunk]) -> None:
        """
        At once.
        """
        del page_id, events, size_bytes
        self.chunks.append(replace(make(), life=self.life))

    def may_hold(self, page_id: PageId) -> bool:
        """
        See ``ports.Journal``.
        """
        return not self.known or self.holds(page_id)

    def holds(self, page_id: PageId) -> bool:
        """
        See ``ports.Journal``.
        """
        return any(chunk.page_id == page_id for chunk in self.chunks)

    def recall(self, page_id: PageId) -> Deferred[Sequence[JournalChunk]]:
        """
        Everything there is.
        """
        if self.failing:
            return fail(storage_failed())
        if self.held is not None:
            self.held.append(Deferred())
            return self.held[-1]
        return succeed(judged_clean(self.of(page_id), self.life))

    def of(self, page_id: PageId) -> Sequence[JournalChunk]:
        """
        The chunks of one page.
        """
        return [chunk for chunk in self.chunks if chunk.page_id == page_id]

    def read(self, page_id: PageId, since: int, after: int = 0) -> Deferred[JournalPart]:
        """
        One chunk a part; ``after`` is how many were read.
        """
        found = [chunk for chunk in self.of(page_id) if chunk.newest >= since]
        more = after + 1 < len(found)
        return succeed(JournalPart(chunks=found[after : after + 1], next=after + 1 if more else None))

    def figures(self) -> JournalFigures:
        """
        See ``ports.Journal``.
        """
        events = sum(len(chunk.events) for chunk in self.chunks)
        return JournalFigures(chunks=len(self.chunks), events=events, lost_events=self._lost)
