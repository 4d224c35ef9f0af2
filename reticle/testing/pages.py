"""
Pages in memory: no socket, no browser; what a page did and what it answers is scripted by the test.

``FakePage`` provides ``ports.Page`` and ``FakePages`` provides ``ports.Pages``; both pass the contract
tests that the real ones in ``reticle.bridge`` pass.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from twisted.internet.defer import Deferred, succeed

from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.ids import PageId
from reticle.model.page import EarlierLives, RefusedDial
from reticle.model.server_facts import SkippedInsertion
from reticle.ports import Page
from reticle.testing.page import Asked, FakePage

__all__ = ["Asked", "FakePage", "FakePages"]


class FakePages:
    """
    A fixed set of pages, the most recently active first.
    """

    def __init__(self, *pages: FakePage, refused: Sequence[RefusedDial] = ()) -> None:
        self.pages = list(pages)
        self.refused = list(refused)
        self.skipped: Sequence[SkippedInsertion] = ()
        self.earlier: EarlierLives | None = None

    def all(self) -> Sequence[FakePage]:
        """
        See ``ports.Pages``.
        """
        return [page for page in self.pages if page.health().connected]

    def resolve(self, page_id: PageId | None, among: Callable[[Page], bool] | None = None) -> FakePage:
        """
        See ``ports.Pages``.
        """
        if among is not None:
            return FakePages(*filter(among, self.pages)).resolve(page_id)
        if page_id is not None:
            for page in self.pages:
                if page.identity.page_id == page_id:
                    return page
            raise Refusal(
                RefusalCode.UNKNOWN_SESSION, f"No page is called {page_id}.", details=self._candidates()
            )
        connected = self.all()
        if not connected:
            raise Refusal(RefusalCode.NO_SESSION, "No page is connected.", "Open the app in a browser.")
        if len(connected) > 1:
            raise Refusal(
                RefusalCode.MULTIPLE_SESSIONS,
                "Several pages are connected.",
                "Pass sessionId.",
                self._candidates(),
            )
        return connected[0]

    def await_page(self, page_id: PageId | None, timeout_seconds: float) -> Deferred[bool]:
        """
        See ``ports.Pages``. Nothing dials in while a test waits, so the answer is immediate.
        """
        del timeout_seconds
        return succeed(any(page_id in {None, page.identity.page_id} for page in self.all()))

    def refused_dials(self) -> Sequence[RefusedDial]:
        """
        See ``ports.Pages``.
        """
        return self.refused

    def skipped_insertions(self) -> Sequence[SkippedInsertion]:
        """
        See ``ports.Pages``.
        """
        return self.skipped

    def seen_before(self) -> int:
        """
        See ``ports.Pages``.
        """
        return len(self.pages)

    def earlier_lives(self) -> EarlierLives | None:
        """
        See ``ports.Pages``.
        """
        return self.earlier

    def _candidates(self) -> dict[str, object]:
        return {"candidates": [page.identity.page_id for page in self.all()]}
