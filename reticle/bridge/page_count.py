"""
The page's own count of its events, and what is missing in it.

Our script numbers events per document from 1 and counts those it had to drop (page-wire, "Events"), so a
gap is a loss, at first of anything. A ``transport.overflow``, which our script sends behind the events it
kept, says of what; the gap that it explains is then not counted twice.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

import attrs

from reticle.model.ids import DocumentId
from reticle.model.journal import DocumentNumbers

_DOCUMENTS = 16  # parked documents come back with their old count
_LARGEST_GAP = 1_000_000_000


@attrs.define
class DocumentCount:
    """
    Of one document: ``newest`` is the highest number seen; ``announced`` were dropped, as we were told, and
    not met as a gap so far; ``unannounced`` the other way round.
    """

    newest: int = 0
    announced: int = 0
    unannounced: int = 0

    def missing_before(self, seq: int) -> int:
        """
        How many events are missing, unannounced, between the last one seen and this one.

        A number at or below the last one is a repetition or a restart and proves nothing.
        """
        gap = min(seq - self.newest - 1, _LARGEST_GAP)
        self.newest = max(self.newest, seq)
        if gap <= 0:
            return 0
        explained = min(gap, self.announced)
        self.announced -= explained
        self.unannounced += gap - explained
        return gap - explained

    def announce(self, dropped: int) -> int:
        """
        The page says itself that it dropped so many: how many of them were met as gaps before.
        """
        met = min(dropped, self.unannounced)
        self.unannounced -= met
        self.announced += dropped - met
        return met


class PageCount:
    """
    The counts of the documents of one page.
    """

    def __init__(self) -> None:
        self._counts: OrderedDict[DocumentId | None, DocumentCount] = OrderedDict()

    def of(self, document_id: DocumentId | None) -> DocumentCount:
        """
        The count of one document.
        """
        count = self._counts.get(document_id)
        if count is None:
            count = self._counts[document_id] = DocumentCount()
            if len(self._counts) > _DOCUMENTS:
                self._counts.popitem(last=False)
        return count

    def told(self) -> list[DocumentNumbers]:
        """
        All of them, for the journal.
        """
        return [
            DocumentNumbers(document_id, count.newest, count.announced, count.unannounced)
            for document_id, count in self._counts.items()
        ]

    def restore(self, told: Sequence[DocumentNumbers]) -> None:
        """
        Be as the one that told these.
        """
        self._counts = OrderedDict(
            (one.document_id, DocumentCount(one.newest, one.announced, one.unannounced)) for one in told
        )
