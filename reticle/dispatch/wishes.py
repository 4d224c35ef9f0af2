"""
What one client of the handshake revisions wants to be told: log messages from some level, changes of some
resources.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

from reticle.dispatch.call import LogToClient
from reticle.errors import PeerFault
from reticle.mcp.capabilities import Offered
from reticle.mcp.jsonrpc import notification_message
from reticle.model.codes import FaultCode, LogLevel
from reticle.model.limits import SUBSCRIPTIONS
from reticle.model.mcp import (
    Notice,
    Preferences,
    PromptsChanged,
    ResourcesChanged,
    ResourceUpdated,
    ToolsChanged,
)

_DEFAULT_LEVEL: Final = LogLevel.INFO
_GRAVITY: Final = {level: number for number, level in enumerate(LogLevel)}


class Wishes:
    """
    One client's wishes; until it says otherwise it hears log messages from ``info`` up and of no resource.
    """

    def __init__(self, preferences: Preferences | None = None) -> None:
        self._level = _DEFAULT_LEVEL
        self._uris: dict[str, None] = {}
        if preferences is not None:
            self._level = preferences.log_level or _DEFAULT_LEVEL
            self._uris = dict.fromkeys(preferences.subscriptions)

    @property
    def preferences(self) -> Preferences:
        """
        Everything, to be kept for a later life.
        """
        return Preferences(self._level, tuple(self._uris))

    @property
    def uris(self) -> Collection[str]:
        """
        The resources that it subscribed to.
        """
        return self._uris

    def set_level(self, level: LogLevel) -> None:
        """
        Hear log messages from this level up.
        """
        self._level = level

    def subscribe(self, uri: str) -> None:
        """
        Hear of changes of a resource.

        Raises:
            PeerFault: ``too_many_calls``, when there are ``SUBSCRIPTIONS`` already; unsubscribing helps.
        """
        if uri not in self._uris and len(self._uris) >= SUBSCRIPTIONS:
            raise PeerFault(
                FaultCode.TOO_MANY_CALLS, f"{SUBSCRIPTIONS} resources are the most; unsubscribe from one"
            )
        self._uris[uri] = None

    def unsubscribe(self, uri: str) -> None:
        """
        Hear no more of it; one that was not subscribed to is no fault.
        """
        self._uris.pop(uri, None)

    def logger(self, tell: Callable[[bytes], None]) -> LogToClient:
        """
        What one call logs with; ``tell`` is that call's road to the client.
        """

        def log(level: LogLevel, data: object, logger: str | None) -> None:
            if _GRAVITY[level] >= _GRAVITY[self._level]:
                named = {} if logger is None else {"logger": logger}
                tell(notification_message("notifications/message", {"level": level, **named, "data": data}))

        return log

    def told_of(self, notice: Notice, offered: Offered) -> bytes | None:
        """
        The message that tells a notice, or None when the client does not hear of it: nothing that was not
        offered, no resource that it did not subscribe to.
        """
        match notice:
            case ResourceUpdated(uri):
                if uri not in self._uris:
                    return None
                return notification_message("notifications/resources/updated", {"uri": uri})
            case ToolsChanged():
                return _list_changed("tools") if offered.tools_changes else None
            case PromptsChanged():
                return _list_changed("prompts") if offered.prompts_changes else None
            case ResourcesChanged():
                return _list_changed("resources") if offered.resources_changes else None


def _list_changed(of: str) -> bytes:
    return b'{"jsonrpc":"2.0","method":"notifications/%b/list_changed"}' % of.encode("ascii")
