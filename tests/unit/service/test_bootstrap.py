"""
The operator's token.
"""

from __future__ import annotations

import itertools
from pathlib import Path

import attrs
import pytest
from twisted.internet.defer import Deferred

from reticle.domain.tokens import Good, judge, standing
from reticle.errors import Refusal
from reticle.model.codes import Capability
from reticle.model.tokens import OPERATORS_KIND
from reticle.service.bootstrap import ensure_client_token
from reticle.testing.grants import MemoryTokens
from reticle.testing.stores import MemoryAudit, storage_failed

NOW = 1_750_000_000.0


@attrs.define
class Bench:
    """
    A runtime directory and a store.
    """

    path: Path
    audit: MemoryAudit = attrs.field(factory=MemoryAudit)
    tokens: MemoryTokens = attrs.field(init=False)
    numbers: itertools.count[int] = attrs.field(factory=lambda: itertools.count(1))

    def __attrs_post_init__(self) -> None:
        self.tokens = MemoryTokens(self.audit)

    def ensure(self) -> bool:
        """
        What a start does; whether it made a token.
        """
        made: list[object] = []
        started = Deferred.fromCoroutine(
            ensure_client_token(
                self.path, self.tokens, now=lambda: NOW,
                random=lambda size: next(self.numbers).to_bytes(size, "big"),
            )
        )  # fmt: skip
        started.addBoth(made.append)
        [outcome] = made
        if not isinstance(outcome, bool):
            outcome.raiseException()  # type: ignore[attr-defined]  # a Failure
        return bool(outcome)

    def kept(self) -> str:
        """
        The token in the file.
        """
        return self.path.read_text().strip()

    def counting(self) -> int:
        """
        How many tokens count.
        """
        return sum(isinstance(standing(each, NOW), Good) for each in self.tokens.all())


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """
    Before the first start.
    """
    return Bench(tmp_path / "client-token")


def test_the_first_start_gives_the_operator_everything(bench: Bench) -> None:
    """
    A file that only its owner can read holds a token with all capabilities, and the log says who made it.
    """
    assert bench.ensure()
    good = judge(bench.kept(), bench.tokens.find, NOW)
    assert isinstance(good, Good)
    assert {(grant.capability, grant.repository_id) for grant in good.token.grants} == {
        (each, None) for each in Capability
    }
    assert (good.token.kind, good.token.expires_at) == (OPERATORS_KIND, None)
    assert bench.path.stat().st_mode & 0o777 == 0o600
    assert [(row.principal, row.tool, row.decision) for row in bench.audit.rows] == [
        ("daemon", "daemon.token.create", "allowed")
    ]


def test_a_token_that_counts_is_kept(bench: Bench) -> None:
    """
    A restart does not lock out whoever was handed the token.
    """
    bench.ensure()
    text = bench.kept()
    assert not bench.ensure()
    assert (bench.kept(), bench.counting()) == (text, 1)


def test_a_file_that_is_gone_is_replaced_and_the_lost_token_ends(bench: Bench) -> None:
    """
    After a reboot the operator is not locked out, and a token that nobody has any more opens nothing.
    """
    bench.ensure()
    bench.path.unlink()
    assert bench.ensure()
    assert bench.counting() == 1
    assert isinstance(judge(bench.kept(), bench.tokens.find, NOW), Good)
    assert [row.tool for row in bench.audit.rows][-2:] == ["daemon.token.create", "daemon.token.revoke"]


@pytest.mark.parametrize("text", ["", "dtok_what.ever", "another daemon's"])
def test_a_file_that_does_not_count_is_replaced(bench: Bench, text: str) -> None:
    """
    What a crash or another state directory left is no token of ours.
    """
    bench.path.touch(mode=0o600)
    bench.path.write_text(text)
    assert bench.ensure()
    assert isinstance(judge(bench.kept(), bench.tokens.find, NOW), Good)


def test_a_file_that_others_could_read_is_replaced(bench: Bench) -> None:
    """
    A token that may have been seen counts no longer.
    """
    bench.ensure()
    seen = bench.kept()
    bench.path.chmod(0o640)
    assert bench.ensure()
    assert bench.kept() != seen
    assert not isinstance(judge(seen, bench.tokens.find, NOW), Good)
    assert bench.path.stat().st_mode & 0o777 == 0o600


def test_no_file_without_a_token(bench: Bench) -> None:
    """
    When nothing can be written down, no file pretends that there is a token.
    """
    bench.audit.failing = True
    with pytest.raises(Refusal) as caught:
        bench.ensure()
    assert caught.value.code == storage_failed().code
    assert not bench.path.exists()


def test_no_token_without_a_file(bench: Bench, tmp_path: Path) -> None:
    """
    When the file cannot be written, no token is made that nobody has.
    """
    bench.path = tmp_path / "nowhere" / "client-token"
    with pytest.raises(OSError, match="nowhere"):
        bench.ensure()
    assert bench.tokens.all() == []
