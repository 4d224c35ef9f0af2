"""
Page holds in memory.

They pass the contract tests that the store in ``reticle.storage`` passes.
"""

from __future__ import annotations

from collections.abc import Callable

from twisted.internet.defer import Deferred, fail

from reticle.errors import Refusal
from reticle.model.audit import AuditDraft
from reticle.model.codes import RefusalCode
from reticle.model.ids import AuditId, PageId
from reticle.model.leases import Lease
from reticle.model.limits import PAGE_HOLDS
from reticle.testing.stores import MemoryAudit


class MemoryPageHolds:
    """
    Provides ``ports.PageHolds``; its changes leave rows in ``audit``.
    """

    def __init__(self, audit: MemoryAudit | None = None) -> None:
        self.audit = MemoryAudit() if audit is None else audit
        self._leases: dict[PageId, Lease] = {}

    def of(self, page_id: PageId) -> Lease | None:
        """
        What was kept.
        """
        return self._leases.get(page_id)

    def change(
        self, page_id: PageId, rule: Callable[[Lease | None], Lease | None], now: float, draft: AuditDraft
    ) -> Deferred[AuditId]:
        """
        Run the rule; keep what it gives once the row is there.
        """
        others = {
            name: lease for name, lease in self._leases.items() if name != page_id and lease.until > now
        }
        try:
            changed = rule(self._leases.get(page_id))
        except Refusal as refusal:
            return fail(refusal)
        if changed is not None and len(others) >= PAGE_HOLDS:
            return fail(Refusal(RefusalCode.CONFLICT, "too many pages are held"))

        def see(audit_id: AuditId) -> AuditId:
            self._leases = others if changed is None else {**others, page_id: changed}
            return audit_id

        return self.audit.record(draft).addCallback(see)
