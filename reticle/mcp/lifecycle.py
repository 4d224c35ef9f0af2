"""
The life of one MCP conversation: fresh, initializing, ready, closed.

Lenient where clients in the field need it (DESIGN §4): tools may be listed and called in every state
but closed, so the machine rules only what the handshake may do. Source: MCP lifecycle.
"""

from __future__ import annotations

from typing import Protocol

import attrs
from automat import TypeMachineBuilder

from reticle.mcp.versions import WITHOUT_HANDSHAKE, Revision, negotiate


class Lifecycle(Protocol):
    """
    What happens to a conversation from outside.
    """

    def initialize(self, requested: object) -> Revision | None:
        """
        A handshake asks for a revision. None: there was one before, or the conversation is closed; then
        nothing has changed and the request is to be refused.
        """

    def initialized(self) -> None:
        """
        The client says that it is ready. Without meaning before a handshake or twice.
        """

    def close(self) -> None:
        """
        The conversation is over. May be called twice.
        """


@attrs.define
class Handshake:
    """
    What a handshake settled; ``revision`` is in force from then on.
    """

    revision: Revision = WITHOUT_HANDSHAKE


_builder = TypeMachineBuilder(Lifecycle, Handshake)
FRESH = _builder.state("fresh")
INITIALIZING = _builder.state("initializing")
READY = _builder.state("ready")
CLOSED = _builder.state("closed")

INITIALIZING.upon(Lifecycle.initialized).to(READY).returns(None)

for _state in (INITIALIZING, READY, CLOSED):
    _state.upon(Lifecycle.initialize).loop().returns(None)
for _state in (FRESH, READY, CLOSED):
    _state.upon(Lifecycle.initialized).loop().returns(None)
for _state in (FRESH, INITIALIZING, READY, CLOSED):
    _state.upon(Lifecycle.close).to(CLOSED).returns(None)


@FRESH.upon(Lifecycle.initialize).to(INITIALIZING)
def _settle(_: Lifecycle, handshake: Handshake, requested: object) -> Revision | None:
    handshake.revision = negotiate(requested)
    return handshake.revision


build_lifecycle = _builder.build()
"""A new life from its ``Handshake``; a test may name the state to begin in."""
