"""
The verdicts that a principal may see: provides ``ports.VerdictStore`` over another one.

A verdict belongs to the principal that asked for it; another's is as if it were not there. Whoever has
``admin`` for all repositories sees all of them.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from reticle.dispatch.grants import Rights
from reticle.model.audit import AuditDraft
from reticle.model.ids import AuditId, VerdictId
from reticle.model.trust import Principal
from reticle.model.verdict import Verdict
from reticle.model.window import Window
from reticle.ports import VerdictStore


@attrs.frozen(eq=False)
class OwnVerdicts:
    """
    One principal's part of the store.
    """

    _verdicts: VerdictStore
    _principal: str
    _sees_all: bool

    async def put(self, verdict: Verdict, draft: AuditDraft, *, window: Window | None = None) -> AuditId:
        """
        See ``ports.VerdictStore``.
        """
        return await self._verdicts.put(verdict, draft, window=window)

    async def window(self, verdict_id: VerdictId) -> Window | None:
        """
        See ``ports.VerdictStore``; None for another's.
        """
        return None if await self.get(verdict_id) is None else await self._verdicts.window(verdict_id)

    async def get(self, verdict_id: VerdictId) -> Verdict | None:
        """
        See ``ports.VerdictStore``; None for another's.
        """
        verdict = await self._verdicts.get(verdict_id)
        if verdict is None or self._sees_all or verdict.principal == self._principal:
            return verdict
        return None

    async def newest(self, count: int, principal: str | None = None) -> Sequence[VerdictId]:
        """
        See ``ports.VerdictStore``; of one's own.
        """
        return await self._verdicts.newest(count, principal if self._sees_all else self._principal)


def own_verdicts(verdicts: VerdictStore, principal: Principal, rights: Rights) -> VerdictStore:
    """
    What of the verdicts somebody with these rights may see.
    """
    return OwnVerdicts(verdicts, principal.name, rights.is_operator)
