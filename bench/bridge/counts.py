"""
The tool that says what the daemon counted itself; imported by the daemon as its own tools are.
"""

from __future__ import annotations

import time

from reticle.bridge.page import BridgedPage
from reticle.model.codes import NOT_OBSERVED, Capability
from reticle.model.ids import Cursor
from reticle.ports import CallContext
from reticle.tools.spec import Arguments, Tool, ToolAnnotations, ToolAnswer


class CountsArguments(Arguments, frozen=True, kw_only=True):
    """
    Whether to read every event that is held, too.
    """

    read: bool = False


async def counts(context: CallContext, arguments: CountsArguments) -> ToolAnswer:
    """
    Events recorded and lost, over the connected pages; an event that a cap pushed out later was recorded.
    ``read_us`` is what decoding the data of one and looking for values that were withheld costs, on average.
    """
    pages = [page for page in context.pages.all() if isinstance(page, BridgedPage)]
    evicted = sum(page.buffer().dropped for page in pages)
    recorded = sum(page.cursor() for page in pages)
    lost = sum(page.figures()["lost"] for page in pages) - evicted
    fields: dict[str, object] = {"recorded": recorded, "lost": lost, "pages": len(pages)}
    if arguments.read:
        began = time.thread_time()
        read = sum(not withheld(event.data) for page in pages for event in page.events(Cursor(0)))
        fields["read_us"] = (time.thread_time() - began) * 1e6 / max(read, 1)
    return ToolAnswer(fields, text="ok")


def withheld(value: object) -> bool:
    """
    Whether a marker stands anywhere in a value.
    """
    if isinstance(value, dict):
        return any(map(withheld, value.values()))
    if isinstance(value, list):
        return any(map(withheld, value))
    return isinstance(value, str) and value in NOT_OBSERVED


TOOLS = [
    Tool(
        name="counts",
        title="Counts",
        summary="Events recorded and lost.",
        arguments=CountsArguments,
        capability=Capability.OBSERVE,
        annotations=ToolAnnotations(read_only=True),
        run=counts,
        advertised=False,
    )
]
