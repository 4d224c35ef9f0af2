"""
What of Streamable HTTP sessions outlives the daemon.
"""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from reticle.model.ids import McpSessionId
    from reticle.model.mcp import Preferences


class McpSessionStore(Protocol):
    """
    The signing key, the ids that were ended, and what clients wished for in their sessions.
    """

    @property
    def key(self) -> bytes:
        """
        Signs session ids; the same in every life on one state directory.
        """

    def is_ended(self, session_id: McpSessionId, issued_at: int) -> bool:
        """
        Whether that id must not bring its session back.
        """

    def end(self, session_id: McpSessionId, issued_at: int) -> Awaitable[None]:
        """
        Never bring that session back; ready once that is on the disk.

        Raises ``Refusal`` ``storage_failed``: it is ended in this life, and whether in the next is not sure.
        """

    def preferences(self, session_id: McpSessionId) -> Preferences:
        """
        What the client wished for, as far as it was kept.
        """

    def keep(self, session_id: McpSessionId, issued_at: int, preferences: Preferences) -> None:
        """
        Remember what a client wishes for. What cannot be written is only logged: it is a convenience.
        """
