"""
Open ``subscriptions/listen`` requests (MCP 2026-07-28), which outlive a link as the client's process does.

A new link asks again under the same id; the second acknowledgement is not shown, nor the end that a
stopping daemon gives them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reticle.model.relay_limits import HELD_SECONDS
from reticle.relay.messages import Message, encode, notification_body

SUBSCRIPTION_KEY = "io.modelcontextprotocol/subscriptionId"
ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
LISTEN = "subscriptions/listen"


class _Listen:
    __slots__ = ("acknowledged", "due", "held", "identity", "wants_tools")

    def __init__(self, identity: object, *, wants_tools: bool) -> None:
        self.identity = identity
        self.wants_tools = wants_tools
        self.acknowledged = False
        self.held: list[bytes] = []
        self.due: float | None = None


class Listening:
    """
    The listens of one client, by the key of their request.
    """

    def __init__(self) -> None:
        self._listens: dict[str, _Listen] = {}

    def opened(self, message: Message, identity: object) -> None:
        """
        The client listens.
        """
        wanted = message.params.get("notifications")
        tools = isinstance(wanted, dict) and wanted.get("toolsListChanged") is True
        self._listens[message.key] = _Listen(identity, wants_tools=tools)

    def closed(self, key: str) -> None:
        """
        It is answered or cancelled.
        """
        self._listens.pop(key, None)

    def clear(self) -> None:
        """
        Nobody listens any more.
        """
        self._listens.clear()

    def takes(self, message: Message, now: float) -> bool:
        """
        Whether a line of the daemon is not shown now: a second acknowledgement, or an end that is held
        until it is clear that the link stays.
        """
        if message.method == ACKNOWLEDGED:
            listen = self._listens.get(_subscription(message.params))
            if listen is None:
                return False
            seen, listen.acknowledged = listen.acknowledged, True
            return seen
        if message.method == "notifications/cancelled":
            key = _key(message.params.get("requestId"))
        else:
            key = message.key if "result" in message.params else ""
        listen = self._listens.get(key)
        if listen is None:
            return False
        listen.held.append(message.body)
        listen.due = now + HELD_SECONDS
        return True

    def lost(self) -> None:
        """
        The link is gone: what was held was its farewell.
        """
        for listen in self._listens.values():
            listen.held.clear()
            listen.due = None

    def due(self, now: float) -> Sequence[tuple[str, Sequence[bytes]]]:
        """
        The listens that the daemon ended although it stays, with the lines that say so; they are closed.
        """
        ended = [key for key, listen in self._listens.items() if listen.due is not None and listen.due <= now]
        return [(key, self._listens.pop(key).held) for key in ended]

    def deadline(self) -> float | None:
        """
        When ``due`` has to be asked.
        """
        return min((each.due for each in self._listens.values() if each.due is not None), default=None)

    def tools_changed(self) -> Sequence[bytes]:
        """
        One notification for each listen that wants to know of tools.
        """
        return [
            notification_body(
                "notifications/tools/list_changed", {"_meta": {SUBSCRIPTION_KEY: listen.identity}}
            )
            for listen in self._listens.values()
            if listen.wants_tools and listen.acknowledged
        ]


def _subscription(params: Mapping[str, object]) -> str:
    meta = params.get("_meta")
    return _key(meta.get(SUBSCRIPTION_KEY)) if isinstance(meta, dict) else ""


def _key(identity: object) -> str:
    return encode(identity).decode() if isinstance(identity, str | int) else ""
