"""
What becomes of streams and sessions whose token ends: they end too, at once (docs/howto/tokens.md).

New requests need nothing of this, since each is judged by itself. A stream was judged when it was opened, and
would go on telling what its holder may no longer know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, Protocol

from twisted.internet.interfaces import IDelayedCall, IReactorTime
from twisted.logger import Logger

from reticle.domain.tokens import Bad, standing
from reticle.domain.trust import refused_words
from reticle.errors import Refusal
from reticle.model.ids import TokenId
from reticle.ports import TokenStore

_LONGEST_WAIT: Final = 3_600.0
_SHORTEST_WAIT: Final = 0.05
"""Timers count other seconds than the clock that a token's end is told by; one that is early looks again."""

_log = Logger()


class Holder(Protocol):
    """
    Who keeps something open for the holders of tokens.
    """

    def token_ids(self) -> Iterable[str]:
        """
        The tokens that something is open for; one may come several times.
        """

    def dismiss(self, token_id: str, why: Refusal) -> None:
        """
        End what is open for a token: its calls are answered with the reason, then its streams end.
        """


class TokenWatch:
    """
    Args:
        clock: Where the next look is set.
        now: Seconds since the epoch.
        tokens: The tokens.
        holders: Who keeps something open.
    """

    def __init__(
        self, clock: IReactorTime, now: Callable[[], float], tokens: TokenStore, holders: Sequence[Holder]
    ) -> None:
        self._clock = clock
        self._now = now
        self._tokens = tokens
        self._holders = holders
        self._next: IDelayedCall | None = None
        self._watching = False

    def start(self) -> None:
        """
        Begin, once the tokens are there.
        """
        self._watching = True
        self._tokens.on_change(self._look)
        self._look()

    def stop(self) -> None:
        """
        Look no more. May be called twice, and before ``start``.
        """
        self._watching = False
        if self._next is not None and self._next.active():
            self._next.cancel()

    def _look(self) -> None:
        if not self._watching:
            return
        now = self._now()
        for holder in self._holders:
            for token_id in set(holder.token_ids()):
                why = self._ended(token_id, now)
                if why is not None:
                    _log.info("what {token} had open ends: {code}", token=token_id, code=str(why.code))
                    holder.dismiss(token_id, why)
        if self._next is not None and self._next.active():
            self._next.cancel()
        self._next = self._clock.callLater(self._until_next_end(now), self._look)

    def _ended(self, token_id: str, now: float) -> Refusal | None:
        sealed = self._tokens.find(TokenId(token_id))
        judged = None if sealed is None else standing(sealed.token, now)
        if not isinstance(judged, Bad):
            # One that is not known is being read again; it was judged when it came.
            return None
        message = f"{refused_words(judged.code)} The call was ended and may have had an effect."
        return Refusal(judged.code, message, "Ask the operator for a new token.")

    def _until_next_end(self, now: float) -> float:
        ends = [token.expires_at for token in self._tokens.all() if token.revoked_at is None]
        soonest = min((end - now for end in ends if end is not None and end > now), default=_LONGEST_WAIT)
        return min(max(soonest, _SHORTEST_WAIT), _LONGEST_WAIT)
