"""
The verdict store whose records are told to whoever subscribed to one.
"""

from __future__ import annotations

from collections.abc import Sequence

from reticle.dispatch.notices import Notices
from reticle.model.audit import AuditDraft
from reticle.model.ids import AuditId, VerdictId
from reticle.model.mcp import ResourceUpdated
from reticle.model.verdict import Verdict
from reticle.model.window import Window
from reticle.ports import VerdictStore
from reticle.resources.verdict import verdict_uri


class AnnouncedVerdicts:
    """
    Provides ``ports.VerdictStore`` over another one.
    """

    def __init__(self, verdicts: VerdictStore, notices: Notices) -> None:
        self._verdicts = verdicts
        self._notices = notices

    async def put(self, verdict: Verdict, draft: AuditDraft, *, window: Window | None = None) -> AuditId:
        """
        See ``ports.VerdictStore``; told once it is committed.
        """
        audit_id = await self._verdicts.put(verdict, draft, window=window)
        self._notices.publish(ResourceUpdated(verdict_uri(verdict.verdict_id)))
        return audit_id

    async def get(self, verdict_id: VerdictId) -> Verdict | None:
        """
        See ``ports.VerdictStore``.
        """
        return await self._verdicts.get(verdict_id)

    async def window(self, verdict_id: VerdictId) -> Window | None:
        """
        See ``ports.VerdictStore``.
        """
        return await self._verdicts.window(verdict_id)

    async def newest(self, count: int, principal: str | None = None) -> Sequence[VerdictId]:
        """
        See ``ports.VerdictStore``.
        """
        return await self._verdicts.newest(count, principal)
