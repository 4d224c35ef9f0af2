"""
The journal: everything that pages reported and were asked, kept over a restart; provided by
``reticle.storage``.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from reticle.model.ids import PageId
    from reticle.model.journal import JournalChunk, JournalFigures, JournalPart


class Journal(Protocol):
    """
    Chunks in the order in which they were handed over, capped by size and age.
    """

    def admits(self, events: int, size_bytes: int) -> bool:
        """
        Whether a chunk of so many events has room; to be asked before it is made. False, and it counts as
        left out, while the disk does not follow or failed; the numbers of later chunks tell what is missing.
        """

    def keep(self, page_id: PageId, events: int, size_bytes: int, make: Callable[[], JournalChunk]) -> None:
        """
        Take a chunk that was just admitted. ``make`` is called in another thread, once, and what it reads
        must not change any more. Never waits and never raises.
        """

    def may_hold(self, page_id: PageId) -> bool:
        """
        Whether there may be chunks of that page; also True while nobody has looked yet.
        """

    def holds(self, page_id: PageId) -> bool:
        """
        Whether a page of that name is known to have been journalled.
        """

    def recall(self, page_id: PageId) -> Awaitable[Sequence[JournalChunk]]:
        """
        The newest chunks of a page, as much as a page's memory holds, oldest first; empty where there is
        none. Everything that was kept before is in them, and the last one is ``clean`` only if that was said
        in the daemon's life right before. Raises ``Refusal`` ``storage_failed``.
        """

    def read(self, page_id: PageId, since: int, after: int = 0) -> Awaitable[JournalPart]:
        """
        The chunks that reach that number, oldest first, as many as fit one answer; behind the place ``after``
        that an earlier part named as ``next``. Raises ``Refusal`` ``storage_failed``.
        """

    def figures(self) -> JournalFigures:
        """
        What was kept and what was not.
        """
