"""
What outlives a daemon, in memory: hand it from one transport to the next, and that was a restart.
"""

from __future__ import annotations

from twisted.internet.defer import Deferred, fail, succeed

from reticle.errors import Refusal
from reticle.model.ids import McpSessionId
from reticle.model.mcp import Preferences


class FakeMcpSessions:
    """
    Provides ``ports.mcp_sessions.McpSessionStore``.

    Args:
        key: The signing key.

    With ``broken`` set, nothing can be written.
    """

    def __init__(self, key: bytes = b"k" * 32) -> None:
        self.key = key
        self.ended: set[str] = set()
        self.kept: dict[str, Preferences] = {}
        self.broken: Refusal | None = None

    def is_ended(self, session_id: McpSessionId, issued_at: int) -> bool:
        """
        Whether ``end`` was asked for it.
        """
        del issued_at
        return session_id in self.ended

    def end(self, session_id: McpSessionId, issued_at: int) -> Deferred[None]:
        """
        Remember it.
        """
        del issued_at
        self.ended.add(session_id)
        return succeed(None) if self.broken is None else fail(self.broken)

    def preferences(self, session_id: McpSessionId) -> Preferences:
        """
        What was kept.
        """
        return self.kept.get(session_id, Preferences())

    def keep(self, session_id: McpSessionId, issued_at: int, preferences: Preferences) -> None:
        """
        Keep them.
        """
        del issued_at
        self.kept[session_id] = preferences
