"""
The tool that does nothing, as the peers have it; imported by the daemon as its own tools are.
"""

from __future__ import annotations

from reticle.model.codes import Capability
from reticle.ports import CallContext
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


TOOLS = [
    Tool(
        name="noop",
        title="No-op",
        summary="Do nothing.",
        arguments=NoopArguments,
        capability=Capability.OBSERVE,
        annotations=ToolAnnotations(read_only=True),
        run=noop,
        advertised=False,
    )
]
