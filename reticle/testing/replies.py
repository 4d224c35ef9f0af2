"""
Where the answers to one body end up in a test.
"""

from __future__ import annotations

import json
from typing import Any, Literal

from reticle.errors import PeerFault

Entry = bytes | tuple[bytes, PeerFault] | tuple[Literal["told"], bytes] | Literal["done"]


class RecordedReplies:
    """
    Provides ``ports.ReplySink``; ``log`` holds in order: an answer, an answer with its fault,
    ``("told", …)``, ``"done"``.
    """

    def __init__(self) -> None:
        self.log: list[Entry] = []

    def tell(self, message: bytes) -> None:
        """
        Keep it.
        """
        self.log.append(("told", message))

    def answer(self, message: bytes, fault: PeerFault | None = None) -> None:
        """
        Keep it.
        """
        self.log.append(message if fault is None else (message, fault))

    def done(self) -> None:
        """
        Keep that.
        """
        self.log.append("done")

    @property
    def ended(self) -> bool:
        """
        Whether nothing follows.
        """
        return self.log[-1:] == ["done"]

    def answers(self) -> list[dict[str, Any]]:
        """
        The answers, decoded.
        """
        messages = [entry for entry in self.log if isinstance(entry, bytes)]
        faulty = [entry[0] for entry in self.log if isinstance(entry, tuple) and isinstance(entry[0], bytes)]
        return [json.loads(message) for message in messages + faulty]

    def told(self) -> list[dict[str, Any]]:
        """
        The notifications and requests, decoded.
        """
        return [json.loads(entry[1]) for entry in self.log if isinstance(entry, tuple) and entry[0] == "told"]
