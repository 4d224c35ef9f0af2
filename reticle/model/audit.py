"""
What one audit row says before it has its place in the chain.
"""

from __future__ import annotations

from typing import Final, Literal

import attrs
import msgspec

from reticle.model.codes import AuditTransport, Carrier
from reticle.model.ids import RepositoryId, VerdictId


class AuditDraft(msgspec.Struct, frozen=True, kw_only=True):
    """
    One call that reached the gate, and how it was decided.

    ``decision`` is ``allowed``, ``refused``, ``hidden``, ``cancelled`` or ``failed``; ``reason`` a refusal's
    code or an incident number, empty when allowed. Of the arguments only their SHA-256 is kept.
    """

    principal: str
    transport: AuditTransport
    carrier: Carrier
    tool: str
    repository_id: RepositoryId | None
    decision: str
    reason: str
    arguments_sha256: str
    duration_ms: float
    verdict_id: VerdictId | None = None


DAEMON: Final = "daemon"
"""The principal of what the daemon does of itself."""


def own_act(tool: str, arguments_sha256: str = "") -> AuditDraft:
    """
    The row of something that the daemon does of itself, as a caller would do it by this tool.
    """
    return AuditDraft(
        principal=DAEMON,
        transport=AuditTransport.RPC,
        carrier=Carrier.EMBEDDED,
        tool=tool,
        repository_id=None,
        decision="allowed",
        reason="",
        arguments_sha256=arguments_sha256,
        duration_ms=0.0,
    )


@attrs.frozen
class AuditFault:
    """
    The first place where the chain of rows is not whole. ``audit_id`` is None for a row that is not there.
    """

    kind: Literal["altered", "missing", "inserted"]
    seq: int
    audit_id: str | None


@attrs.frozen
class AuditCheck:
    """
    What a check of the chain found: how many rows hold, how many older ones are known by their segment
    alone, and the last row that does, by number and hash. ``fault`` is None when all of it is whole.
    ``met_expected`` says whether a row with the expected hash was met; None when none was expected.
    """

    rows: int
    pruned: int
    seq: int
    head: str
    fault: AuditFault | None
    met_expected: bool | None = None


@attrs.frozen
class AuditHead:
    """
    The last row of the chain, by number and hash (hex). Who notes it elsewhere can tell later whether the
    rows up to it were changed since, even by somebody who has made the whole chain anew.
    """

    seq: int
    row_hash: str
