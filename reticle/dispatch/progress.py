"""
Progress of a running call, told to a client that asked for it.

The numbers a client sees grow strictly, and nothing comes after the answer (MCP "Progress").
"""

from __future__ import annotations

from collections.abc import Callable

from reticle.mcp.jsonrpc import RequestId, notification_message
from reticle.mcp.versions import Revision
from reticle.model.limits import PROGRESS_SECONDS
from reticle.ports import Clock


def untold(progress: float, total: float | None = None, message: str | None = None) -> None:
    """
    Provides ``ports.Progress`` where the client did not ask.
    """


class ToldProgress:
    """
    Provides ``ports.Progress`` by notifications.

    Reports that do not grow are left out, and so are those that follow the last one within
    ``PROGRESS_SECONDS``, unless they complete the total.
    """

    def __init__(
        self, token: RequestId, revision: Revision, clock: Clock, send: Callable[[bytes], None]
    ) -> None:
        self._token = token
        self._revision = revision
        self._clock = clock
        self._send: Callable[[bytes], None] | None = send
        self._last: float | None = None
        self._last_at = 0.0

    def __call__(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        """
        Tell how far it is.
        """
        if self._send is None or not self._is_due(progress, total):
            return
        self._last, self._last_at = progress, self._clock.monotonic()
        params: dict[str, object] = {"progressToken": self._token, "progress": progress}
        if total is not None:
            params["total"] = total
        if message is not None and self._revision.progress_message:
            params["message"] = message
        self._send(notification_message("notifications/progress", params))

    def stop(self) -> None:
        """
        The call is over: nothing is told any more. May be called twice.
        """
        self._send = None

    def _is_due(self, progress: float, total: float | None) -> bool:
        if self._last is None:
            return True
        if not progress > self._last:  # also for NaN
            return False
        completes = total is not None and progress >= total
        return completes or self._clock.monotonic() - self._last_at >= PROGRESS_SECONDS
