"""
What the checker remembers between requests.
"""

from __future__ import annotations

import attrs

from reticle.domain.tokens import Bad, Good, Standing
from reticle.domain.trust import TrustPolicy
from reticle.model.codes import RefusalCode
from reticle.model.ids import TokenId
from reticle.model.limits import FAILED_TOKENS
from reticle.model.tokens import Token
from reticle.model.trust import LOCAL, PAIRING, Denied, Granted, Secret, TrustFacts
from reticle.transport.checker import Checker

NAME = TokenId("dtok_" + "a" * 16)
GOOD, WRONG, OLD = (f"Bearer {NAME}.{letter * 43}" for letter in "gwo")


def judge(text: str) -> Standing:
    """
    One good token, one that has expired, everything else was never made.
    """
    if GOOD.endswith(text):
        return Good(Token(NAME, "", "cli", 0.0, None, ()))
    if OLD.endswith(text):
        return Bad(RefusalCode.TOKEN_EXPIRED, NAME)
    return Bad(RefusalCode.TOKEN_INVALID)


def facts(authorization: str | None = None, peer: str = "127.0.0.1") -> TrustFacts:
    """
    A request that is loopback but for its peer.
    """
    return TrustFacts(peer, ["localhost"], [], [], [] if authorization is None else [authorization])


@attrs.define
class Bench:
    """
    A checker and what it told.
    """

    now: float = 0.0
    used: list[TokenId] = attrs.field(factory=list)
    checker: Checker = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        policy = TrustPolicy(pairing_token=Secret("pair"))
        self.checker = Checker(policy, seconds=lambda: self.now, judge=judge, on_used=self.used.append)

    def ask(self, authorization: str | None = None, peer: str = "127.0.0.1") -> tuple[int, str]:
        """
        Status and word of one decision.
        """
        decision = self.checker.decide(facts(authorization, peer))
        if isinstance(decision, Denied):
            return decision.status, str(decision.code)
        return 200, decision.principal.name if decision.principal.refused is None else "refused"


def test_the_use_of_a_token_is_told() -> None:
    """
    A list of tokens can say when each was used last; one that does not count was not used.
    """
    bench = Bench()
    assert bench.ask(GOOD) == (200, f"token:{NAME}")
    assert bench.ask(OLD) == (200, "refused")
    assert bench.checker.decide(facts()) == Granted(LOCAL)
    assert bench.used == [NAME]


def test_wrong_tokens_from_here_do_not_lock_the_right_one_out() -> None:
    """
    A local program that guesses is slowed down, and the user's own client is served all the same.
    """
    bench = Bench()
    assert {bench.ask(WRONG) for _ in range(FAILED_TOKENS)} == {(200, "refused")}
    assert bench.ask(WRONG) == (429, "token_rate_limited")
    bench.now = 0.001
    assert bench.ask("Bearer guess") == (429, "token_rate_limited")
    assert bench.ask(GOOD) == (200, f"token:{NAME}")
    assert bench.ask("Bearer pair") == (200, PAIRING.name)
    assert bench.ask() == (200, LOCAL.name)
    assert bench.ask(OLD) == (200, "refused")
    bench.now = 1.0
    assert bench.ask(WRONG) == (200, "refused")


def test_a_guesser_from_elsewhere_is_not_looked_at() -> None:
    """
    From another machine a pairing token cannot be guessed faster than a few times a second.
    """
    bench = Bench()
    away = "10.0.0.9"
    assert {bench.ask("Bearer guess", away) for _ in range(FAILED_TOKENS)} == {(401, "token_invalid")}
    bench.now = 0.001
    assert bench.ask("Bearer pair", away) == (429, "token_rate_limited")
    assert bench.ask("Bearer pair", "10.0.0.8") == (200, PAIRING.name)
    bench.now = 1.0
    assert bench.ask("Bearer pair", away) == (200, PAIRING.name)
