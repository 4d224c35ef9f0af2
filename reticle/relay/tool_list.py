"""
The tool list: what the client was shown, what the daemon has, and whether the two differ (SP-07).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reticle.relay.memory import Memory
from reticle.relay.messages import Message
from reticle.relay.offer import Offer

_PAGES = 20
"""Pages of a list that are followed; a daemon lists some twenty tools on one."""


class ToolList:
    """
    Follows the list over links. One of our own requests asks for it on each new link.
    """

    def __init__(self, offer: Offer, memory: Memory) -> None:
        self._offer = offer
        self._memory = memory
        self._shown: object = None
        self._found: object = None
        self._pages: list[object] = []
        self._turns = 0

    def ask(self) -> bytes:
        """
        Our own request, from the list's beginning.
        """
        self._pages, self._turns = [], 0
        return self._memory.ask_tools()

    def learn(self, revision: str, result: Mapping[str, Any]) -> bytes | None:
        """
        Take a page of the daemon's list; gives the request for the next one, None when the list is whole.
        """
        tools, cursor = result.get("tools"), result.get("nextCursor")
        self._pages += tools if isinstance(tools, list) else []
        self._turns += 1
        if isinstance(cursor, str) and self._turns < _PAGES:
            return self._memory.ask_tools(cursor)
        whole = {name: value for name, value in result.items() if name != "nextCursor"}
        whole["tools"] = self._found = self._pages
        self._offer.learn("tools", revision, whole)
        return None

    def shown(self, request: Message, result: object) -> None:
        """
        The client has got the daemon's own answer; it is kept when it is the whole list.
        """
        if isinstance(result, dict) and "nextCursor" not in result and "cursor" not in request.params:
            self._shown = self._found = result.get("tools")
            self._offer.learn("tools", self._memory.revision, result)

    def from_memory(self) -> Mapping[str, Any]:
        """
        The list as far as we know it, for a client that asks while no daemon is there.
        """
        result = self._offer.tools(self._memory.revision)
        self._shown = result.get("tools")
        return result

    def has_changed(self) -> bool:
        """
        Whether the client holds another list than the daemon's; true once for each difference.
        """
        if self._shown is None or self._shown == self._found:
            return False
        self._shown = self._found
        return True
