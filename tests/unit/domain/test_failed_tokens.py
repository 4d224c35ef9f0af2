"""
Accounts of wrong tokens.
"""

from __future__ import annotations

from reticle.domain.failed_tokens import FailedTokens
from reticle.model.limits import FAILED_TOKEN_PEERS, FAILED_TOKENS, FAILED_TOKENS_PER_SECOND


def test_a_peer_that_guesses_is_stopped_and_recovers() -> None:
    """
    After a row of wrong tokens no more are looked at, until some time has passed; others are not concerned.
    """
    failed = FailedTokens()
    for _ in range(FAILED_TOKENS):
        assert not failed.is_overdrawn("10.0.0.9", 0.0)
        failed.failed("10.0.0.9", 0.0)
    assert failed.is_overdrawn("10.0.0.9", 0.0)
    assert not failed.is_overdrawn("10.0.0.8", 0.0)
    assert not failed.is_overdrawn("10.0.0.9", 1 / FAILED_TOKENS_PER_SECOND)


def test_a_peer_that_goes_on_guessing_is_slowed_down_for_good() -> None:
    """
    A program that guesses a thousand times a second for ten seconds has a row looked at, then a few a second.
    """
    failed, looked_at = FailedTokens(), 0
    for attempt in range(10_000):
        now = attempt / 1_000
        if not failed.is_overdrawn("10.0.0.9", now):
            failed.failed("10.0.0.9", now)
            looked_at += 1
    in_ten_seconds = FAILED_TOKENS + 10 * FAILED_TOKENS_PER_SECOND
    assert in_ten_seconds - 2 <= looked_at <= in_ten_seconds


def test_a_peer_never_owes_more_than_the_limit() -> None:
    """
    Whoever went on guessing for a day waits no longer than whoever stopped at once.
    """
    failed = FailedTokens()
    for _ in range(FAILED_TOKENS * 3):
        failed.failed("10.0.0.9", 0.0)
    assert not failed.is_overdrawn("10.0.0.9", 1 / FAILED_TOKENS_PER_SECOND)


def test_the_number_of_accounts_is_bounded() -> None:
    """
    A scan from many addresses takes no memory without end.
    """
    failed = FailedTokens()
    for number in range(FAILED_TOKEN_PEERS + 1):
        for _ in range(FAILED_TOKENS):
            failed.failed(f"peer {number}", 0.0)
    assert not failed.is_overdrawn("peer 0", 0.0)
    assert failed.is_overdrawn("peer 1", 0.0)
