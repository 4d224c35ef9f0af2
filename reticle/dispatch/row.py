"""
The one audit row of a call: committed together with what the call changes, else when the call has ended.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import msgspec

from reticle.dispatch.audit import ALLOWED, Decided, digest
from reticle.dispatch.call import Call
from reticle.dispatch.errand import Errand
from reticle.domain.tokens import without_tokens
from reticle.errors import LocalMisuse
from reticle.mcp.strict_json import shorten
from reticle.model.audit import AuditDraft
from reticle.model.codes import AuditTransport, Carrier
from reticle.model.ids import AuditId, RepositoryId, VerdictId
from reticle.model.limits import PEER_NAME_CHARS
from reticle.ports import Clock


class CallRow(msgspec.Struct, eq=False):
    """
    What is to be written of one call. ``repository_of_page`` gives the repository of the page that the call
    turned out to be about. ``audit_id`` is known once there is a row.
    """

    call: Call
    errand: Errand | None
    clock: Clock
    started: float
    repository_of_page: Callable[[], RepositoryId | None]
    audit_id: AuditId | None = None

    def draft(self, decided: Decided, verdict_id: VerdictId | None = None) -> AuditDraft:
        """
        The row, of a call that was decided so.
        """
        call, errand = self.call, self.errand
        sent = call.arguments if errand is None or errand.sent is None else errand.sent
        carrier = call.caller.carrier
        return AuditDraft(
            principal=call.caller.principal.name,
            transport=AuditTransport.RPC if carrier is Carrier.SOCKET else AuditTransport.MCP,
            carrier=carrier,
            tool=shorten(without_tokens(call.name), PEER_NAME_CHARS) if errand is None else errand.name,
            repository_id=self._repository_id(),
            decision=str(decided.fate),
            reason=decided.why,
            arguments_sha256=digest(sent),
            duration_ms=(self.clock.monotonic() - self.started) * 1000,
            verdict_id=verdict_id,
        )

    async def commit(self, change: Callable[[AuditDraft], Awaitable[AuditId]]) -> AuditId:
        """
        See ``ports.CallContext.mutate``.

        Raises:
            LocalMisuse: A second change; its row would be a second one.
        """
        if self.audit_id is not None:
            raise LocalMisuse("a call makes one change, since it has one row")
        self.call.hold()
        try:
            self.audit_id = await change(self.draft(ALLOWED))
        except BaseException:
            self.call.let_go()
            raise
        return self.audit_id

    def _repository_id(self) -> RepositoryId | None:
        named = None if self.errand is None else self.errand.repository_id
        if named is not None:
            return RepositoryId(shorten(without_tokens(named), PEER_NAME_CHARS))
        return self.repository_of_page()
