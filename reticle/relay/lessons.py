"""
What the answers to our own requests teach: handshakes and tool lists, for the next time no daemon is there.
"""

from __future__ import annotations

from collections.abc import Callable

from reticle.relay.listening import Listening
from reticle.relay.memory import Era, Hidden, Memory
from reticle.relay.messages import Message, notification_body
from reticle.relay.offer import Offer
from reticle.relay.tool_list import ToolList


class Lessons:
    """
    Args:
        offer: Keeps what was learnt.
        memory: What the client has agreed.
        tool_list: Follows the list.
        listening: Who listens for changes of it, in the modern era.
        say: Takes each line for the client.
    """

    def __init__(
        self,
        offer: Offer,
        memory: Memory,
        tool_list: ToolList,
        listening: Listening,
        say: Callable[[bytes], None],
    ) -> None:
        self._offer = offer
        self._memory = memory
        self._list = tool_list
        self._listening = listening
        self._say = say

    def learn(self, hidden: Hidden, message: Message) -> bytes | None:
        """
        Take the answer to a request of ours; gives a further request that has to be sent.
        """
        result = message.params.get("result")
        if not isinstance(result, dict):
            return None
        if hidden.purpose in ("initialize", "discover"):
            self._offer.learn(hidden.purpose, hidden.revision, result)
            return None
        return self._tools(hidden.revision, result) if hidden.purpose == "tools" else None

    def _tools(self, revision: str, result: dict[str, object]) -> bytes | None:
        further = self._list.learn(revision, result)
        if further is None and self._list.has_changed():
            if self._memory.era is Era.MODERN:
                for line in self._listening.tools_changed():
                    self._say(line)
            else:
                self._say(notification_body("notifications/tools/list_changed"))
        return further
