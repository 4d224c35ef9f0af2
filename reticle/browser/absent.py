"""
A browser where none is to be driven: it opens nothing and drives no page. Provides ``ports.Browser``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from twisted.internet.defer import Deferred, fail, succeed

from reticle.errors import Refusal
from reticle.model.browser import BrowserLease, BrowserWish, Shot, Stroke
from reticle.model.codes import RefusalCode
from reticle.model.ids import BrowserLeaseId, PageId
from reticle.model.leases import Lease

_NEXT: Final = "Open the app in a browser of your own: its page connects when it carries the page script."


class AbsentBrowser:
    """
    Provides ``ports.Browser`` for a daemon that drives none.
    """

    def acquire(self, wish: BrowserWish, lease: Lease) -> Deferred[BrowserLease]:
        """
        Refused.
        """
        del wish, lease
        return fail(Refusal(RefusalCode.NO_BROWSER, "This daemon drives no browser.", _NEXT))

    def release(self, lease_id: BrowserLeaseId) -> Deferred[bool]:
        """
        There is none.
        """
        del lease_id
        return succeed(False)

    def change(
        self, lease_id: BrowserLeaseId, rule: Callable[[Lease | None], Lease | None]
    ) -> BrowserLease | None:
        """
        There is none; the rule may say so.
        """
        del lease_id
        rule(None)
        return None

    def leases(self) -> Sequence[BrowserLease]:
        """
        None.
        """
        return []

    def waiting(self) -> int:
        """
        Nobody.
        """
        return 0

    def of_page(self, page_id: PageId) -> BrowserLease | None:
        """
        No page is driven.
        """
        del page_id
        return None

    def picture(self, page_id: PageId, shot: Shot) -> Deferred[bytes]:
        """
        Refused.
        """
        del shot
        return fail(_not_driven(page_id))

    def input(self, page_id: PageId, strokes: Sequence[Stroke]) -> Deferred[None]:
        """
        Refused.
        """
        del strokes
        return fail(_not_driven(page_id))

    def answer_dialog(self, page_id: PageId, *, accept: bool, text: str = "") -> Deferred[bool]:
        """
        Refused.
        """
        del accept, text
        return fail(_not_driven(page_id))


def _not_driven(page_id: PageId) -> Refusal:
    return Refusal(RefusalCode.NOT_DRIVEN, f"Page {page_id} was not opened by this daemon.", _NEXT)
