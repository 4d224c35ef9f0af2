"""
The one checker that decides trust for every HTTP route and for the WebSocket upgrade (DESIGN §3).

The rule is ``reticle.domain.trust``; here stands what has to be remembered between requests: how often wrong
tokens came, and that a right one was used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from reticle.domain.failed_tokens import FailedTokens
from reticle.domain.loopback import is_loopback_address
from reticle.domain.trust import Judge, TrustPolicy, decide, no_tokens
from reticle.model.codes import RefusalCode
from reticle.model.ids import TokenId
from reticle.model.trust import Decision, Denied, Granted, Principal, TrustFacts

_TOO_OFTEN: Final = Denied(
    429,
    RefusalCode.TOKEN_RATE_LIMITED,
    "Too many wrong tokens came from there; wait, then use the right one.",
)


class Checker:
    """
    Args:
        policy: What the daemon was told about trust.
        seconds: A clock that only goes up.
        judge: What a capability token is worth.
        on_used: Told of each right capability token.
        failed: Counts wrong tokens; shared by the checkers of one daemon.
    """

    def __init__(
        self,
        policy: TrustPolicy,
        *,
        seconds: Callable[[], float],
        judge: Judge = no_tokens,
        on_used: Callable[[TokenId], None] = lambda _: None,
        failed: FailedTokens | None = None,
    ) -> None:
        self._policy = policy
        self._seconds = seconds
        self._judge = judge
        self._on_used = on_used
        self._failed = FailedTokens() if failed is None else failed

    def decide(self, facts: TrustFacts) -> Decision:
        """
        Whether a request may go on, and as whom.
        """
        if not facts.authorizations and not facts.tokens_in_query:
            return decide(self._policy, facts, self._judge)
        peer = facts.peer or ""
        if peer and not is_loopback_address(peer) and self._failed.is_overdrawn(peer, self._seconds()):
            return _TOO_OFTEN
        decision = decide(self._policy, facts, self._judge)
        if _is_wrong(decision):
            if self._failed.is_overdrawn(peer, self._seconds()):
                return _TOO_OFTEN
            self._failed.failed(peer, self._seconds())
        elif isinstance(decision, Granted):
            self._note_use(decision.principal)
        return decision

    def _note_use(self, principal: Principal) -> None:
        if principal.token_id is not None and principal.refused is None:
            self._on_used(TokenId(principal.token_id))


def _is_wrong(decision: Decision) -> bool:
    """
    Whether a token was presented that nobody ever held; one that has expired is no guess.
    """
    if isinstance(decision, Denied):
        return decision.code is RefusalCode.TOKEN_INVALID
    return decision.principal.refused is RefusalCode.TOKEN_INVALID
