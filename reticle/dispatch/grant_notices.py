"""
What clients are told when tokens and their grants change, by somebody's hand or because their time is over:
that the lists may be others now (second seed, "Discovery").

Whose list it is is not told apart: grants change a few times a day, and each client sees its own list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from twisted.internet.interfaces import IDelayedCall, IReactorTime

from reticle.dispatch.notices import Notices
from reticle.model.limits import GRANT_LOOK_SECONDS, GRANT_NOTICE_SECONDS
from reticle.model.mcp import ResourcesChanged, ToolsChanged
from reticle.ports import TokenStore


class GrantNotices:
    """
    Args:
        notices: Where it is told.
        tokens: Whose changes are told.
        timer: Where the next telling is set.
        now: Seconds since the epoch.
    """

    def __init__(
        self, notices: Notices, tokens: TokenStore, timer: IReactorTime, now: Callable[[], float]
    ) -> None:
        self._notices = notices
        self._tokens = tokens
        self._timer = timer
        self._now = now
        self._next: IDelayedCall | None = None
        self._seen = 0.0
        self._changed = False
        self._watching = False

    def start(self) -> None:
        """
        Begin, once the tokens are there; what was before is not told.
        """
        self._watching = True
        self._seen = self._now()
        self._tokens.on_change(self._hear)
        self._set(self._until_next_end())

    def stop(self) -> None:
        """
        Tell no more. May be called twice, and before ``start``.
        """
        self._watching = False
        if self._next is not None and self._next.active():
            self._next.cancel()

    def _hear(self) -> None:
        """
        A token changed. Several changes within ``GRANT_NOTICE_SECONDS`` are told once.
        """
        if self._watching and not self._changed:
            self._changed = True
            self._set(GRANT_NOTICE_SECONDS)

    def _set(self, seconds: float) -> None:
        if self._next is not None and self._next.active():
            self._next.cancel()
        self._next = self._timer.callLater(seconds, self._look)

    def _look(self) -> None:
        now = self._now()
        ended = any(self._seen < end <= now for end in self._ends())
        if self._changed or ended:
            self._notices.publish(ToolsChanged())
            self._notices.publish(ResourcesChanged())
        self._changed, self._seen = False, now
        self._set(self._until_next_end())

    def _until_next_end(self) -> float:
        """
        Bounded, so that a clock that was set is noticed.
        """
        now = self._now()
        first = min((end for end in self._ends() if end > now), default=now + GRANT_LOOK_SECONDS)
        return min(max(first - now, GRANT_NOTICE_SECONDS), GRANT_LOOK_SECONDS)

    def _ends(self) -> Iterator[float]:
        for token in self._tokens.all():
            if token.revoked_at is None:
                yield from (
                    end
                    for end in (token.expires_at, *(grant.expires_at for grant in token.grants))
                    if end is not None
                )
