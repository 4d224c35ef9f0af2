"""
Our own daemon with one more tool: what it counted itself, over all pages it knows.

    python bench/bridge/ours.py serve --port 0 …

Nothing else differs from ``reticle serve``.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from reticle.bridge.page import BridgedPage
from reticle.cli.main import main
from reticle.model.codes import Capability
from reticle.ports import CallContext
from reticle.service import composition
from reticle.tools.spec import Arguments, Tool, ToolAnnotations, ToolAnswer


class CountsArguments(Arguments, frozen=True, kw_only=True):
    """
    Nothing.
    """


async def counts(context: CallContext, arguments: CountsArguments) -> ToolAnswer:
    """
    Events recorded and lost, over the connected pages; an event that a cap pushed out later was recorded.
    """
    del arguments
    pages = [page for page in context.pages.all() if isinstance(page, BridgedPage)]
    evicted = sum(page.buffer().dropped for page in pages)
    recorded = sum(page.cursor() for page in pages)
    lost = sum(page.figures()["lost"] for page in pages) - evicted
    return ToolAnswer({"recorded": recorded, "lost": lost, "pages": len(pages)}, text="ok")


TOOL = Tool(
    name="counts",
    title="Counts",
    summary="Events recorded and lost.",
    arguments=CountsArguments,
    capability=Capability.OBSERVE,
    annotations=ToolAnnotations(read_only=True),
    run=counts,
    advertised=False,
)


if __name__ == "__main__":
    family: Any = ModuleType("counts")
    family.TOOLS = [TOOL]
    composition.FAMILIES = (*composition.FAMILIES, family)  # type: ignore[assignment]  # one more than ships
    sys.exit(main())
