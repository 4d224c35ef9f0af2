"""
What the daemon asked the client (elicitation, sampling, roots) and has no answer to yet.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from reticle.model.relay_limits import PENDING_REQUESTS
from reticle.relay.messages import notification_body


class Questions:
    """
    The questions of the present link; an answer to an earlier daemon's must not reach a later one.
    """

    def __init__(self) -> None:
        self._open: dict[str, None] = {}  # oldest first

    def asked(self, key: str) -> None:
        """
        The daemon asks; of too many the oldest is forgotten, and its answer goes nowhere.
        """
        self._open[key] = None
        if len(self._open) > PENDING_REQUESTS:
            del self._open[next(iter(self._open))]

    def answered(self, key: str) -> bool:
        """
        Whether an answer of the client is one that the daemon waits for.
        """
        if key not in self._open:
            return False
        del self._open[key]
        return True

    def withdraw(self) -> Sequence[bytes]:
        """
        The link is gone: one notification for each open question, which is none any more.
        """
        lines = [
            notification_body("notifications/cancelled", {"requestId": json.loads(key)}) for key in self._open
        ]
        self._open.clear()
        return lines
