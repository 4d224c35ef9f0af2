"""
Audit drafts for tests that do not care what they say.
"""

from __future__ import annotations

from reticle.model.audit import AuditDraft
from reticle.model.codes import AuditTransport, Carrier
from reticle.model.ids import VerdictId


def a_draft(tool: str = "reticle_act", *, verdict_id: VerdictId | None = None) -> AuditDraft:
    """
    An allowed call of a local agent over SSE that took 1.5 ms.
    """
    return AuditDraft(
        principal="local",
        transport=AuditTransport.MCP,
        carrier=Carrier.SSE,
        tool=tool,
        repository_id=None,
        decision="allowed",
        reason="",
        arguments_sha256="0" * 64,
        duration_ms=1.5,
        verdict_id=verdict_id,
    )
