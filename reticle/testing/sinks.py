"""
Where a conversation's messages end up in a test.
"""

from __future__ import annotations

import json
from typing import Any


class RecordedSink:
    """
    Provides ``ports.MessageSink``; ``sent`` holds every message, in order.
    """

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def send(self, message: bytes) -> None:
        """
        Keep one message.
        """
        self.sent.append(message)

    def messages(self) -> list[dict[str, Any]]:
        """
        Every message, decoded.
        """
        return [json.loads(message) for message in self.sent]

    def take(self) -> list[dict[str, Any]]:
        """
        The messages since the last take, decoded.
        """
        messages, self.sent = self.messages(), []
        return messages
