"""
What an MCP client and we agreed on, and what we may ask it: values that the protocol core, the gate and the
transports share.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import attrs

from reticle.model.codes import LogLevel

QuestionMethod = Literal["elicitation/create", "sampling/createMessage", "roots/list"]
"""The only requests that we make of a client in the middle of a call (MCP 2025-11-25 and 2026-07-28)."""


@attrs.frozen
class ClientCapabilities:
    """
    What a client declared that it can do for us.

    ``elicitation_form`` and ``elicitation_url``: it can ask its person, by a form or by opening an address.
    ``sampling``: it can run its model for us. ``roots``: it tells its folders.
    ``tasks``: it knows the tasks extension of 2026-07-28.
    """

    elicitation_form: bool = False
    elicitation_url: bool = False
    sampling: bool = False
    roots: bool = False
    tasks: bool = False


@attrs.frozen
class Agreed:
    """
    What a handshake settled: the name of the revision, and what the client can do.
    """

    revision: str
    client: ClientCapabilities


@attrs.frozen
class Preferences:
    """
    What a client wished for in a session: log messages from a level up, changes of these resources.
    """

    log_level: LogLevel | None = None
    subscriptions: tuple[str, ...] = ()


@attrs.frozen
class Question:
    """
    One request of ours to the client during a call; ``params`` are JSON values as the newest revision
    spells them.
    """

    method: QuestionMethod
    params: Mapping[str, object]


@attrs.frozen
class RoutingHeaders:
    """
    The headers by which a 2026-07-28 request can be routed unread, as they came: every value of each name.

    ``params`` are the ``Mcp-Param-*`` ones by the rest of their name in lower case.
    """

    version: tuple[str, ...] = ()
    method: tuple[str, ...] = ()
    name: tuple[str, ...] = ()
    params: Mapping[str, tuple[str, ...]] = attrs.field(factory=dict)


@attrs.frozen
class ToolsChanged:
    """
    ``tools/list`` answers something else than before.
    """


@attrs.frozen
class PromptsChanged:
    """
    ``prompts/list`` answers something else than before.
    """


@attrs.frozen
class ResourcesChanged:
    """
    ``resources/list`` answers something else than before.
    """


@attrs.frozen
class ResourceUpdated:
    """
    Reading this resource gives something else than before.
    """

    uri: str


Notice = ToolsChanged | PromptsChanged | ResourcesChanged | ResourceUpdated
"""What clients may subscribe to; published to every carrier and era at once."""
