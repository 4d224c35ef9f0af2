"""
Where the focus of a page of the published packages is, as far as their act reports tell.

They give it to what they click where that can take it, and leave it where it was otherwise: a field that
would have been left in a browser is not, and hears neither ``blur`` nor ``change`` (page-wire §9.5).
"""

from __future__ import annotations

from collections.abc import Mapping

from reticle.model.codes import ActionName
from reticle.model.ids import DocumentId

_TWICE: Mapping[ActionName, str] = {
    ActionName.FOCUS: "The published @reticlehq package tells the app of a focus twice.",
    ActionName.BLUR: "The published @reticlehq package tells the app of a blur twice.",
}
_KEPT = (
    "The focus stayed in {ref}, which a click here would have left: what that field checks when it is left "
    "has not been checked. The published @reticlehq package moves the focus only to what can take it."
)
_CLICKS = frozenset({ActionName.CLICK, ActionName.DBLCLICK, ActionName.CHECK, ActionName.UNCHECK})


class Focus:
    """
    One page's focus; nothing is known of it in a new document.
    """

    def __init__(self) -> None:
        self._document: DocumentId | None = None
        self._holder: str | None = None

    def within(self, document_id: DocumentId | None) -> Focus:
        """
        The focus in this document.
        """
        if document_id != self._document:
            self._document, self._holder = document_id, None
        return self

    def follow(self, report: Mapping[str, object]) -> bool:
        """
        Take what an act report tells; whether it moved.
        """
        effect = report.get("effect")
        moved = effect.get("focusMoved") if isinstance(effect, Mapping) else None
        if not isinstance(moved, str):
            return False
        to = moved.rpartition("->")[2]
        self._holder = None if to == "null" else to
        return True

    def warning(self, action: ActionName, ref: str, report: Mapping[str, object]) -> str | None:
        """
        What an agent should know of an act's focus, as the act's report tells it.
        """
        before = self._holder
        if not self.follow(report) and action in _CLICKS and before not in {None, ref}:
            return _KEPT.format(ref=before)
        return _TWICE.get(action)
