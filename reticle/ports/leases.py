"""
Where page holds are kept; provided by ``reticle.storage``.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from reticle.model.audit import AuditDraft
    from reticle.model.ids import AuditId, PageId
    from reticle.model.leases import Lease


class PageHolds(Protocol):
    """
    Which agent has which page to itself. Whether a lease still binds is for ``domain.lease`` to say.
    """

    def of(self, page_id: PageId) -> Lease | None:
        """
        The last lease of a page, at once from memory; None before the store is open.
        """

    def change(
        self, page_id: PageId, rule: Callable[[Lease | None], Lease | None], now: float, draft: AuditDraft
    ) -> Awaitable[AuditId]:
        """
        Run a rule over the lease as it is, and commit what it gives together with the row of the call.

        Raises what the rule raises, with nothing changed, and ``Refusal`` ``storage_failed``. Leases whose
        time is over make room; more than ``PAGE_HOLDS`` are refused as ``conflict``.
        """
