"""
The link as the front sees it.
"""

from __future__ import annotations

from typing import Protocol


class Carrier(Protocol):
    """
    What the front needs of the link to the daemon.
    """

    @property
    def ready(self) -> bool:
        """
        Whether bodies can be posted now.
        """

    def want(self, now: float) -> None:
        """
        A request waits: see to it that there is a link.
        """

    def post(self, body: bytes, key: str) -> None:
        """
        Send one body after those before it; ``key`` names its request, empty for none.
        """
