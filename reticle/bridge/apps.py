"""
Whose app one page showed at any cursor, and whose each of its documents is: a page that is led from one app
to another leaves its past behind, which stays the first one's (DESIGN §5).

What is forgotten here belongs to nobody, so that a bound can only hide, never show.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from reticle.model.ids import Cursor, DocumentId
from reticle.model.limits import HISTORY_MARKS
from reticle.model.page import App


class Apps:
    """
    The apps of one page; none before ``shows``.
    """

    def __init__(self, marks: int = HISTORY_MARKS) -> None:
        self._max_marks = marks
        self._marks: deque[tuple[Cursor, App]] = deque(maxlen=marks)
        self._documents: dict[DocumentId | None, App] = {}

    def shows(self, app: App, document_id: DocumentId | None, at: Cursor) -> None:
        """
        That document of that app is shown from right after the event numbered ``at`` on. May be called twice.
        """
        self._documents.pop(document_id, None)
        self._documents[document_id] = app
        if len(self._documents) > self._max_marks:
            del self._documents[next(iter(self._documents))]
        if self._marks and self._marks[-1][1] == app:
            return
        if self._marks and self._marks[-1][0] == at:
            self._marks.pop()
        if not self._marks or self._marks[-1][1] != app:
            self._marks.append((at, app))

    def marks(self) -> tuple[list[tuple[int, App]], list[tuple[DocumentId | None, App]]]:
        """
        What was shown from where on, and whose each document is; for the journal.
        """
        return [*self._marks], [*self._documents.items()]

    def restore(
        self, marks: Sequence[tuple[int, App]], documents: Sequence[tuple[DocumentId | None, App]]
    ) -> None:
        """
        Be as the one that told these ``marks``.
        """
        self._marks = deque(((Cursor(at), app) for at, app in marks), maxlen=self._max_marks)
        self._documents = dict(documents)

    def of(self, document_id: DocumentId | None) -> App | None:
        """
        Whose document that is; late events of one that was left are still its own app's.
        """
        return self._documents.get(document_id)

    def during(self, since: Cursor, until: Cursor) -> Sequence[tuple[Cursor, App | None]]:
        """
        From which cursor on which app was shown, oldest first, between two cursors.
        """
        known = [(at, app) for at, app in self._marks if at <= until]
        later = [(at, app) for at, app in known if at > since]
        earlier = known[: len(known) - len(later)]
        return [earlier[-1] if earlier else (Cursor(0), None), *later]
