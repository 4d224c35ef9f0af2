"""
One admitted request of 2026-07-28 on its way to what answers it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import attrs

from reticle.dispatch.asking import Asker
from reticle.dispatch.call import Call, Caller, LogToClient, unlogged
from reticle.dispatch.progress import ToldProgress, untold
from reticle.mcp.jsonrpc import notification_message
from reticle.mcp.modern.ladder import Admitted
from reticle.mcp.modern.words import PER_REQUEST
from reticle.model.codes import LogLevel
from reticle.model.mcp import RoutingHeaders
from reticle.ports import Clock, Progress

_ORDER = tuple(LogLevel)


@attrs.frozen(eq=False)
class Asked:
    """
    What a method may know of its request. ``tell`` sends a notification about it.
    """

    admitted: Admitted
    caller: Caller
    headers: RoutingHeaders | None
    tell: Callable[[bytes], None]

    def progress(self, clock: Clock) -> ToldProgress | None:
        """
        Where its work reports, if its client wants to hear.
        """
        token = self.admitted.envelope.progress_token
        return None if token is None else ToldProgress(token, PER_REQUEST, clock, self.tell)

    def call(
        self,
        name: str,
        asker: Asker,
        *,
        arguments: bytes = b"{}",
        repository_id: str | None = None,
        progress: Progress | None = None,
    ) -> Call:
        """
        Its work as the gate takes it.
        """
        return Call(
            self.caller,
            name,
            arguments,
            repository_id,
            untold if progress is None else progress,
            asker,
            self._log(),
        )

    def _log(self) -> LogToClient:
        wanted = self.admitted.envelope.log_level
        if wanted is None:
            return unlogged
        mildest = _ORDER.index(wanted)

        def log(level: LogLevel, data: object, logger: str | None) -> None:
            if _ORDER.index(level) < mildest:
                return
            named = {} if logger is None else {"logger": logger}
            self.tell(
                notification_message("notifications/message", {"level": level.value, **named, "data": data})
            )

        return log


@attrs.frozen(eq=False)
class Work:
    """
    A request that takes time: its call, by which it can be stopped, and what gives its result as one line of
    JSON. ``run`` raises ``PeerFault`` for an error.
    """

    call: Call
    run: Callable[[Call], Awaitable[bytes]]
    progress: ToldProgress | None = None
