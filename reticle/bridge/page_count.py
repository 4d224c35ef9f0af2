"""
The page's own count of its events, and what is missing in it.

Our script numbers events per document from 1 and counts those it had to drop (page-wire, "Events"), so a
gap is a loss, at first of anything. A ``transport.overflow``, which our script sends behind the events it
kept, says of what; the gap that it explains is then not counted twice.
"""

from __future__ import annotations

from collections import OrderedDict

import attrs

from reticle.model.ids import DocumentId

_DOCUMENTS = 16  # parked documents come back with their old count
_LARGEST_GAP = 1_000_000_000


@attrs.define
class _Count:
    newest: int = 0
    announced: int = 0  # dropped, told to us, not yet met as a gap
    unannounced: int = 0  # met as a gap, not yet told to us


class PageCount:
    """
    The counts of the documents of one page.
    """

    def __init__(self) -> None:
        self._counts: OrderedDict[DocumentId | None, _Count] = OrderedDict()

    def missing_before(self, document_id: DocumentId | None, seq: int) -> int:
        """
        How many events are missing, unannounced, between the last one seen and this one.

        A number at or below the last one is a repetition or a restart and proves nothing.
        """
        count = self._of(document_id)
        gap = min(seq - count.newest - 1, _LARGEST_GAP)
        count.newest = max(count.newest, seq)
        if gap <= 0:
            return 0
        explained = min(gap, count.announced)
        count.announced -= explained
        count.unannounced += gap - explained
        return gap - explained

    def announce(self, document_id: DocumentId | None, dropped: int) -> int:
        """
        The page says itself that it dropped so many: how many of them were met as gaps before.
        """
        count = self._of(document_id)
        met = min(dropped, count.unannounced)
        count.unannounced -= met
        count.announced += dropped - met
        return met

    def _of(self, document_id: DocumentId | None) -> _Count:
        count = self._counts.get(document_id)
        if count is None:
            count = self._counts[document_id] = _Count()
            if len(self._counts) > _DOCUMENTS:
                self._counts.popitem(last=False)
        return count
