"""
What a call turns out to be, for the gate: a tool, or the reading of a resource, or the making of a prompt.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import msgspec

from reticle.dispatch.arguments import decode, repository_in, with_repository
from reticle.dispatch.call import Call
from reticle.dispatch.grants import Sight
from reticle.dispatch.registry import Entry, Registry, nearest
from reticle.errors import Refusal
from reticle.mcp.strict_json import shorten
from reticle.model.codes import Capability, Exposure, RefusalCode, RepositoryScope
from reticle.model.ids import RepositoryId
from reticle.model.limits import PEER_NAME_CHARS
from reticle.ports import Answer, CallContext
from reticle.tools.spec import Tool


class Errand(msgspec.Struct, frozen=True, eq=False):
    """
    Something to be done for a caller that has ``capability``; None for everybody.

    ``name`` stands in its audit row and in metrics, so there are few of them. ``begin`` checks what is asked
    for and gives the work, which alone can be stopped; both may raise as a tool does. ``acts`` says that it
    acts on a page. ``tool`` is None for what is no tool; the answer's ``text`` is then what was shown, and
    ``sent`` what the row keeps a hash of. ``repository_id`` is the one that the call names, whether there is
    such or not.
    """

    name: str
    capability: Capability | None
    begin: Callable[[CallContext], Awaitable[Answer]]
    acts: bool = False
    tool: Tool | None = None
    sent: bytes | None = None
    scope: RepositoryScope = RepositoryScope.PAGE
    exposure: Exposure = Exposure.LISTED
    repository_id: RepositoryId | None = None


def tool_errand(entry: Entry, call: Call) -> Errand:
    """
    A tool's call.
    """
    tool = entry.tool
    raw = with_repository(entry, call.arguments, call.repository_id)

    def begin(context: CallContext) -> Awaitable[Answer]:
        return tool.run(context, decode(entry, raw))

    return Errand(
        tool.name,
        tool.capability,
        begin,
        acts=tool.acts,
        tool=tool,
        scope=tool.scope,
        exposure=tool.exposure,
        repository_id=repository_in(entry, raw),
    )


def unknown_tool(name: str, registry: Registry, sight: Sight) -> Refusal:
    """
    Why a name that no tool has is refused, with those that the caller may use.
    """
    available = [entry.tool.name for entry in registry.usable(sight)]
    near = nearest(name, available)
    return Refusal(
        RefusalCode.METHOD_UNKNOWN,
        f'there is no tool "{shorten(name, PEER_NAME_CHARS)}"',
        (f"Did you mean {near}? " if near else "") + "reticle_tools describes every tool.",
        {"available": available},
    )
