"""
What a call turns out to be, for the gate: a tool, or the reading of a resource, or the making of a prompt.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from collections.abc import Set as AbstractSet

import attrs

from reticle.dispatch.arguments import decode, with_repository
from reticle.dispatch.call import Call
from reticle.dispatch.registry import Entry, Registry, nearest
from reticle.errors import Refusal
from reticle.mcp.strict_json import shorten
from reticle.model.codes import Capability, RefusalCode
from reticle.model.limits import PEER_NAME_CHARS
from reticle.ports import Answer, CallContext
from reticle.tools.spec import Tool


@attrs.frozen(eq=False)
class Errand:
    """
    Something to be done for a caller that has ``capability``.

    ``name`` stands in its audit row and in metrics, so there are few of them. ``begin`` checks what is asked
    for and gives the work, which alone can be stopped; both may raise as a tool does. ``acts`` says that it
    acts on a page. ``tool`` is None for what is no tool; the answer's ``text`` is then what was shown, and
    ``sent`` what the row keeps a hash of.
    """

    name: str
    capability: Capability
    begin: Callable[[CallContext], Awaitable[Answer]]
    acts: bool = False
    tool: Tool | None = None
    sent: bytes | None = None

    def check(self, capabilities: AbstractSet[Capability]) -> None:
        """
        Raises:
            Refusal: ``capability_missing``; the same caller never may.
        """
        needed = self.capability
        if needed not in capabilities:
            raise Refusal(
                RefusalCode.CAPABILITY_MISSING,
                f"{self.name} needs the capability {needed.value}",
                f"Use a token that was granted {needed.value}.",
                {"required_capability": needed.value},
            )


def tool_errand(entry: Entry, call: Call) -> Errand:
    """
    A tool's call.
    """
    tool = entry.tool

    def begin(context: CallContext) -> Awaitable[Answer]:
        arguments = decode(entry, with_repository(entry, call.arguments, call.repository_id))
        return tool.run(context, arguments)

    return Errand(tool.name, tool.capability, begin, acts=tool.acts, tool=tool)


def unknown_tool(name: str, registry: Registry, capabilities: AbstractSet[Capability]) -> Refusal:
    """
    Why a name that no tool has is refused, with those that the caller may use.
    """
    available = [entry.tool.name for entry in registry.usable(capabilities)]
    near = nearest(name, available)
    return Refusal(
        RefusalCode.METHOD_UNKNOWN,
        f'there is no tool "{shorten(name, PEER_NAME_CHARS)}"',
        (f"Did you mean {near}? " if near else "") + "reticle_tools describes every tool.",
        {"available": available},
    )
