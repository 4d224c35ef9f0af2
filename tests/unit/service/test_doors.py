"""
Who is let in where.
"""

from __future__ import annotations

import itertools

import attrs
import pytest

from reticle.domain.daemon_life import DaemonLife
from reticle.domain.tokens import Minted, mint
from reticle.errors import Refusal
from reticle.model.codes import Capability, RefusalCode
from reticle.model.limits import FAILED_TOKENS
from reticle.model.trust import Denied, TrustFacts
from reticle.service.doors import Doors, build_doors
from reticle.settings import Settings
from reticle.testing.clock import FakeClock
from reticle.testing.grants import MemoryTokens
from reticle.transport.checker import Checker


@attrs.define
class Bench:
    """
    The doors of a daemon that has one token.
    """

    require_token: bool = False
    fault: Refusal | None = None
    clock: FakeClock = attrs.field(factory=FakeClock)
    life: DaemonLife = attrs.field(factory=DaemonLife)
    tokens: MemoryTokens = attrs.field(factory=MemoryTokens)
    minted: Minted = attrs.field(init=False)
    doors: Doors = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        numbers = itertools.count(1)
        self.minted = mint(
            [(Capability.OBSERVE, None)], display_name="", kind="cli", now=self.clock.now(),
            expires_at=self.clock.now() + 60, random=lambda size: next(numbers).to_bytes(size, "big"),
        )  # fmt: skip
        self.tokens.keep(self.minted.sealed)
        settings = Settings(require_token=self.require_token)
        self.doors = build_doors(settings, self.tokens, self.life, self.clock, lambda: self.fault)

    @property
    def right(self) -> str:
        """
        The token.
        """
        return self.minted.text.reveal()

    def ask(self, door: Checker, token: str | None = None) -> str:
        """
        The word of a decision.
        """
        facts = TrustFacts("127.0.0.1", ["localhost"], [], [], [] if token is None else [f"Bearer {token}"])
        decision = door.decide(facts)
        if isinstance(decision, Denied):
            return f"{decision.status} {decision.code}"
        return str(decision.principal.refused or decision.principal.kind.value)


@pytest.mark.parametrize(("require_token", "bare"), [(False, "local"), (True, "401 token_missing")])
def test_a_required_token_concerns_agents_and_not_pages(*, require_token: bool, bare: str) -> None:
    """
    Pages go on connecting, since a browser can send no such token; everybody else needs one.
    """
    bench = Bench(require_token=require_token)
    bench.life.attached()
    assert bench.ask(bench.doors.front) == bare
    assert bench.ask(bench.doors.pages) == "local"
    assert bench.ask(bench.doors.strict) == "401 token_missing"
    for door in (bench.doors.front, bench.doors.pages, bench.doors.strict):
        assert bench.ask(door, bench.right) == "token"
    [used] = bench.tokens.all()
    assert used.last_used_at == bench.clock.now()


def test_a_token_ends_when_its_time_is_over() -> None:
    """
    It is judged at each request, by the daemon's own clock.
    """
    bench = Bench()
    bench.life.attached()
    bench.clock.advance(60)
    assert bench.ask(bench.doors.strict, bench.right) == "token_expired"


def test_nobody_is_told_that_a_token_is_wrong_before_it_can_be_known() -> None:
    """
    While the store opens, and when it could not be read, the answer is to wait.
    """
    bench = Bench()
    assert bench.ask(bench.doors.strict, bench.right) == "503 not_ready"
    bench.life.attached()
    bench.fault = Refusal(RefusalCode.STORAGE_FAILED, "damaged")
    assert bench.ask(bench.doors.strict, bench.right[:-1] + "_") == "503 not_ready"
    assert bench.ask(bench.doors.strict, bench.right) == "token"
    bench.fault = None
    assert bench.ask(bench.doors.strict, bench.right[:-1] + "_") == "token_invalid"
    bench.life.drain()
    assert bench.ask(bench.doors.strict, bench.right) == "token"


def test_wrong_tokens_are_counted_at_all_doors_together() -> None:
    """
    Whoever guesses at three doors is not three times as fast.
    """
    bench = Bench()
    bench.life.attached()
    wrong = bench.right[:-1] + "_"
    doors = itertools.cycle([bench.doors.front, bench.doors.strict, bench.doors.pages])
    told = [bench.ask(next(doors), wrong) for _ in range(FAILED_TOKENS + 1)]
    assert set(told[:-1]) == {"token_invalid"}
    assert told[-1] == "429 token_rate_limited"
