"""
How many wrong tokens a peer may present: an account per peer that recovers with time.

A right token from this machine is looked at whatever the account says: else any local program, or a page that
makes the browser fetch ``?token=x``, could lock its user out. From elsewhere an overdrawn account ends the
request unread, so that a weak pairing token cannot be guessed fast.
"""

from __future__ import annotations

from collections import OrderedDict

from reticle.model.limits import FAILED_TOKEN_PEERS, FAILED_TOKENS, FAILED_TOKENS_PER_SECOND


class FailedTokens:
    """
    The accounts of all peers.
    """

    def __init__(self) -> None:
        self._accounts: OrderedDict[str, tuple[float, float]] = OrderedDict()  # longest ago first

    def is_overdrawn(self, peer: str, now: float) -> bool:
        """
        Whether a peer has failed too often of late. ``now`` is any clock's seconds that only go up.
        """
        # Room for a whole one more: a full account has room for a part of one as soon as any time has passed.
        return self._owed(peer, now) > FAILED_TOKENS - 1

    def failed(self, peer: str, now: float) -> None:
        """
        Note one more wrong token.
        """
        owed = min(self._owed(peer, now) + 1, FAILED_TOKENS)
        self._accounts[peer] = (owed, now)
        self._accounts.move_to_end(peer)
        if len(self._accounts) > FAILED_TOKEN_PEERS:
            self._accounts.popitem(last=False)

    def _owed(self, peer: str, now: float) -> float:
        owed, since = self._accounts.get(peer, (0.0, now))
        return max(0.0, owed - (now - since) * FAILED_TOKENS_PER_SECOND)
