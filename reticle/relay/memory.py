"""
What the client has agreed and set, so that a fresh link can be brought to the same point unseen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import NamedTuple

from reticle.model.relay_limits import SUBSCRIPTIONS
from reticle.relay.messages import Message, notification_body, request_body
from reticle.relay.offer import MODERN

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
"""The only mark of the modern era (MCP 2026-07-28): it stands in ``params._meta`` of each request."""

_CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"


class Era(Enum):
    """
    How the client speaks; its first request besides ``server/discover`` decides for the whole process.
    """

    UNDECIDED = "undecided"
    LEGACY = "legacy"
    MODERN = "modern"


class Hidden(NamedTuple):
    """
    A request of ours whose answer the client never sees.
    """

    purpose: str
    revision: str


def _modern_params() -> dict[str, object]:
    """
    What a request of our own carries in the modern era.
    """
    return {"_meta": {VERSION_KEY: MODERN, _CAPABILITIES_KEY: {}}}


def modern_version(params: Mapping[str, object]) -> object | None:
    """
    The revision that a request itself names, else None.
    """
    meta = params.get("_meta")
    return meta.get(VERSION_KEY) if isinstance(meta, dict) else None


class Memory:
    """
    The conversation so far, as far as a new link has to know it.

    ``revision`` is what tool lists are rendered for. ``hidden`` holds our own requests without an answer.

    Args:
        token: Unguessable text in the ids of our own requests, so that no client's id equals one.
    """

    def __init__(self, token: str, default_revision: str) -> None:
        self.era = Era.UNDECIDED
        self.revision = default_revision
        self.hidden: dict[str, Hidden] = {}
        self._token = token
        self._count = 0
        self._handshake: Mapping[str, object] | None = None
        self._initialized = False
        self._log_level: Mapping[str, object] | None = None
        self._subscribed: dict[str, Mapping[str, object]] = {}

    @property
    def has_handshake(self) -> bool:
        """
        Whether the client has sent ``initialize``.
        """
        return self._handshake is not None

    def decide(self, message: Message) -> None:
        """
        Fix the era by a request, unless it is fixed.
        """
        if self.era is Era.UNDECIDED and message.method != "server/discover":
            modern = modern_version(message.params) is not None
            self.era = Era.MODERN if modern else Era.LEGACY
            if modern:
                self.revision = MODERN

    def shook_hands(self, params: Mapping[str, object], revision: str) -> None:
        """
        The client's ``initialize``, answered with ``revision``.
        """
        self._handshake, self.revision = params, revision

    def observe(self, message: Message) -> None:
        """
        Note what a message sets for the rest of the conversation.
        """
        uri = message.params.get("uri")
        match message.method:
            case "notifications/initialized":
                self._initialized = True
            case "logging/setLevel":
                self._log_level = message.params
            case "resources/subscribe" if isinstance(uri, str) and len(self._subscribed) < SUBSCRIPTIONS:
                self._subscribed[uri] = message.params
            case "resources/unsubscribe" if isinstance(uri, str):
                self._subscribed.pop(uri, None)

    def replay(self) -> Iterator[bytes]:
        """
        The messages that bring a fresh link to where the last one was; answers to them are hidden.
        """
        self.hidden.clear()
        if self.era is Era.MODERN:
            yield self.hide("discover", "server/discover", _modern_params())
        if self._handshake is not None:
            yield self.hide("initialize", "initialize", self._handshake)
        if self._initialized:
            yield notification_body("notifications/initialized")
        if self._log_level is not None:
            yield self.hide("", "logging/setLevel", self._log_level)
        for params in self._subscribed.values():
            yield self.hide("", "resources/subscribe", params)

    def ask_tools(self, cursor: str | None = None) -> bytes:
        """
        Our own ``tools/list``, as the client would ask.
        """
        params = _modern_params() if self.era is Era.MODERN else {}
        if cursor is not None:
            params["cursor"] = cursor
        return self.hide("tools", "tools/list", params)

    def hide(self, purpose: str, method: str, params: Mapping[str, object]) -> bytes:
        """
        A request of our own; ``purpose`` says what its answer is good for.
        """
        self._count += 1
        key = f'"reticle-front-{self._token}-{self._count}"'
        self.hidden[key] = Hidden(purpose, self.revision)
        return request_body(key, method, params)
