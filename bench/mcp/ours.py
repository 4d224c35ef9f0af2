"""
Our own daemon with one more tool: a no-op, through the same trust, gate, validation and audit as any other.

    python bench/mcp/ours.py serve --port 0 …

Nothing else differs from ``reticle serve``: trust rule, SQLite audit, access log, metrics.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from reticle.cli.main import main
from reticle.model.codes import Capability
from reticle.ports import CallContext
from reticle.service import composition
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


if __name__ == "__main__":
    family: Any = ModuleType("noop")
    family.TOOLS = [TOOL]
    composition.FAMILIES = (*composition.FAMILIES, family)  # type: ignore[assignment]  # one more than ships
    sys.exit(main())
