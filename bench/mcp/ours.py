"""
Our own daemon with one more tool: a no-op, through the same trust, gate, validation and audit as any other.

    python bench/mcp/ours.py serve --port 0 …

Nothing else differs from ``reticle serve``: trust rule, SQLite audit, access log, metrics. With
``RETICLE_BENCH_UNAUDITED=1`` no row is written and answers wait for none: what the audit costs is the
difference. Nothing that ships has this switch.
"""

from __future__ import annotations

import os
import sys
from types import ModuleType
from typing import Any

from twisted.internet.defer import Deferred, succeed

from reticle.cli.main import main
from reticle.model.audit import AuditDraft
from reticle.model.codes import Capability
from reticle.model.ids import AuditId
from reticle.ports import CallContext
from reticle.service import composition
from reticle.storage.audit import StoredAudit, new_audit_id
from reticle.tools.spec import Arguments, Tool, ToolAnnotations, ToolAnswer


class NoopArguments(Arguments, frozen=True, kw_only=True):
    """
    As the peers' tools have it.
    """

    text: str = ""


async def noop(context: CallContext, arguments: NoopArguments) -> ToolAnswer:
    """
    Do nothing.
    """
    del context, arguments
    return ToolAnswer({}, text="ok")


TOOL = Tool(
    name="noop",
    title="No-op",
    summary="Do nothing.",
    arguments=NoopArguments,
    capability=Capability.OBSERVE,
    annotations=ToolAnnotations(read_only=True),
    run=noop,
    advertised=False,
)


def answer_unaudited(_audit: StoredAudit, _draft: AuditDraft) -> Deferred[AuditId]:
    """
    An id, and no row.
    """
    return succeed(new_audit_id())


if __name__ == "__main__":
    family: Any = ModuleType("noop")
    family.TOOLS = [TOOL]
    composition.FAMILIES = (*composition.FAMILIES, family)  # type: ignore[assignment]  # one more than ships
    # The switch is no setting: the daemon would name an unknown variable of ours.
    if os.environ.pop("RETICLE_BENCH_UNAUDITED", ""):
        StoredAudit.record = answer_unaudited  # type: ignore[method-assign]  # the whole point
    sys.exit(main())
