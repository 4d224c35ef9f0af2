"""
``daemon.hello`` and ``daemon.describe``: what a shell asks first on the Unix socket. Agents have MCP's own
handshake; to them both are hidden (second seed, "Tool Calls").
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from reticle._version import __version__
from reticle.errors import Refusal
from reticle.model.codes import Capability, Exposure, RefusalCode, RepositoryScope, Toolset
from reticle.ports import CallContext
from reticle.tools.spec import Arguments, Tool, ToolAnnotations, ToolAnswer

ENVELOPE = 1
FRAMING = "json"


class ClientOffer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """
    What the other end speaks; without a word we take it that it speaks what we do.
    """

    supported_envelope: list[int] = msgspec.field(default_factory=lambda: [ENVELOPE])
    supported_framings: list[str] = msgspec.field(default_factory=lambda: [FRAMING])


class HelloArguments(Arguments, frozen=True, kw_only=True):
    """
    Who greets.
    """

    client: Annotated[
        ClientOffer, Meta(description="What it speaks: {supported_envelope, supported_framings}.")
    ] = ClientOffer()


class DescribeArguments(Arguments, frozen=True, kw_only=True):
    """
    Nothing.
    """


async def hello(context: CallContext, arguments: HelloArguments) -> ToolAnswer:
    """
    What we speak, and the tag of our methods.

    Raises:
        Refusal: ``version_incompatible``; no retry without another program.
    """
    client = arguments.client
    if ENVELOPE not in client.supported_envelope or FRAMING not in client.supported_framings:
        raise Refusal(
            RefusalCode.VERSION_INCOMPATIBLE,
            f"this daemon speaks envelope {ENVELOPE} with framing {FRAMING}, the client neither or one",
            "Update the older of the two; `reticle --version` tells.",
        )
    return ToolAnswer(
        {
            "daemon_version": __version__,
            "envelope": ENVELOPE,
            "framing": FRAMING,
            "methods_etag": context.contract()["methods_etag"],
        }
    )


async def describe(context: CallContext, _: DescribeArguments) -> ToolAnswer:
    """
    The whole contract. Raises nothing.
    """
    contract = context.contract()
    return ToolAnswer({"methods_etag": contract["methods_etag"], "methods": contract["methods"]})


TOOLS: tuple[Tool, ...] = (
    Tool(
        name="daemon.hello",
        title="Greet the daemon",
        summary="Tells what the daemon speaks on its socket, and the tag of its methods.",
        arguments=HelloArguments,
        capability=None,
        annotations=ToolAnnotations(read_only=True, idempotent=True),
        run=hello,
        scope=RepositoryScope.DAEMON_GLOBAL,
        toolset=Toolset.WORK,
        exposure=Exposure.HANDSHAKE,
    ),
    Tool(
        name="daemon.describe",
        title="Describe every method",
        summary="Tells every method with the capability and the scope that it needs.",
        arguments=DescribeArguments,
        capability=Capability.READ,
        annotations=ToolAnnotations(read_only=True, idempotent=True),
        run=describe,
        scope=RepositoryScope.DAEMON_GLOBAL,
        toolset=Toolset.WORK,
        exposure=Exposure.HANDSHAKE,
    ),
)
