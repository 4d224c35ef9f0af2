"""
Capability tokens: form, secret, time, renewal.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.domain.tokens import Bad, Good, Minted, Wanted, counts, judge, mint, rotate, without_tokens
from reticle.errors import Refusal
from reticle.model.codes import Capability, RefusalCode
from reticle.model.ids import RepositoryId, TokenId
from reticle.model.tokens import Grant, SealedToken

NOW = 1_750_000_000.0
HERE, THERE = RepositoryId("repo_here"), RepositoryId("repo_there")


def counting() -> Callable[[int], bytes]:
    """
    Bytes that differ each time and are the same in each run.
    """
    numbers = itertools.count(1)
    return lambda size: next(numbers).to_bytes(size, "big")


def make(
    wanted: list[Wanted] | None = None, *, expires_at: float | None = NOW + 60, now: float = NOW
) -> Minted:
    """
    A token that may read everywhere unless told otherwise.
    """
    return mint(
        [(Capability.READ, None)] if wanted is None else wanted,
        display_name="lane 1",
        kind="cli",
        now=now,
        expires_at=expires_at,
        random=counting(),
    )


def finding(*sealed: SealedToken) -> Callable[[TokenId], SealedToken | None]:
    """
    What a store with these tokens finds.
    """
    return {each.token.token_id: each for each in sealed}.get


def test_a_token_counts_until_it_ends() -> None:
    """
    The text that its holder got is good until its last second and expired from then on.
    """
    minted = make()
    text, find = minted.text.reveal(), finding(minted.sealed)
    assert text.startswith("dtok_")
    assert judge(text, find, NOW + 59.9) == Good(minted.sealed.token)
    assert judge(text, find, NOW + 60) == Bad(RefusalCode.TOKEN_EXPIRED, minted.sealed.token.token_id)
    forever = make(expires_at=None)
    assert isinstance(judge(forever.text.reveal(), finding(forever.sealed), NOW * 10), Good)


def test_a_revoked_token_says_so_even_when_expired() -> None:
    """
    Its holder hears that it was revoked, whenever that is asked.
    """
    minted = make()
    revoked = attrs.evolve(minted.sealed, token=attrs.evolve(minted.sealed.token, revoked_at=NOW))
    for when in (NOW, NOW + 1000):
        assert judge(minted.text.reveal(), finding(revoked), when) == Bad(
            RefusalCode.TOKEN_REVOKED, revoked.token.token_id
        )


def test_an_unknown_id_and_a_wrong_secret_are_one() -> None:
    """
    Who guesses ids learns nothing: the answer is the same for one that exists, revoked or not.
    """
    minted, other = make(), mint(
        [(Capability.READ, None)], display_name="", kind="cli", now=NOW, expires_at=None,
        random=lambda size: b"\x07" * size,
    )  # fmt: skip
    token_id = minted.sealed.token.token_id
    wrong = f"{token_id}.{other.text.reveal().partition('.')[2]}"
    revoked = attrs.evolve(minted.sealed, token=attrs.evolve(minted.sealed.token, revoked_at=NOW))
    invalid = Bad(RefusalCode.TOKEN_INVALID)
    assert judge(wrong, finding(), NOW) == invalid
    assert judge(wrong, finding(minted.sealed), NOW) == invalid
    assert judge(wrong, finding(revoked), NOW) == invalid
    assert judge(wrong, finding(minted.sealed), NOW + 1000) == invalid


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text.replace(".", ""),
        lambda text: text.replace("dtok_", "stok_"),
        lambda text: text[5:],
        lambda text: f'"{text}"',
        lambda text: f"{text}\n",
        lambda text: f"Bearer {text}",
        lambda text: f"{text}=",
        lambda text: text + ".x",
        lambda _: "",
        lambda _: "dtok_.",
    ],
)
def test_a_text_that_is_no_token_is_malformed(damage: Callable[[str], str]) -> None:
    """
    A token that was pasted with quotes, a line break or a prefix is told from one that is wrong.
    """
    minted = make()
    assert judge(damage(minted.text.reveal()), finding(minted.sealed), NOW) == Bad(
        RefusalCode.TOKEN_MALFORMED
    )


@given(st.text(max_size=80))
def test_no_text_is_a_good_token(text: str) -> None:
    """
    Whatever is presented is judged, and without the secret nothing is good.
    """
    assert isinstance(judge(text, finding(make().sealed), NOW), Bad)


def test_a_secret_is_nowhere_in_what_is_kept() -> None:
    """
    Neither the stored token nor what is printed of a new one has its secret.
    """
    minted = make()
    secret = minted.text.reveal().partition(".")[2]
    assert secret not in str(attrs.asdict(minted.sealed))
    assert secret not in repr(minted)
    assert minted.sealed.digest not in repr(minted)


@pytest.mark.parametrize(
    ("wanted", "expires_at"),
    [
        ([], None),
        ([(Capability.READ, HERE), (Capability.READ, HERE)], None),
        ([(Capability.READ, None)], NOW),
        ([(Capability.READ, None)], NOW - 1),
    ],
)
def test_tokens_that_are_not_made(wanted: list[Wanted], expires_at: float | None) -> None:
    """
    A token without a grant, with one twice or already over is refused when it is made.
    """
    with pytest.raises(Refusal):
        make(wanted, expires_at=expires_at)


def holding(minted: Minted, *grants: Grant) -> Minted:
    """
    The same token with other grants.
    """
    token = attrs.evolve(minted.sealed.token, grants=grants)
    return attrs.evolve(minted, sealed=attrs.evolve(minted.sealed, token=token))


def renewed(minted: Minted, *, expires_at: float | None, now: float = NOW + 1) -> Minted:
    """
    The token in its place.
    """
    return rotate(minted.sealed.token, now=now, expires_at=expires_at, random=lambda size: b"\x09" * size)


@pytest.mark.parametrize(
    ("old", "asked", "new"),
    [
        (NOW + 60, None, NOW + 60),
        (NOW + 60, NOW + 30, NOW + 30),
        (NOW + 60, NOW + 9_999, NOW + 60),
        (None, None, None),
        (None, NOW + 30, NOW + 30),
    ],
)
def test_renewal_never_lengthens_a_life(old: float | None, asked: float | None, new: float | None) -> None:
    """
    A holder cannot outlive its token by renewing it, and may shorten its life.
    """
    minted = make(expires_at=old)
    fresh = renewed(minted, expires_at=asked)
    assert fresh.sealed.token.expires_at == new
    assert fresh.sealed.token.token_id != minted.sealed.token.token_id
    assert judge(fresh.text.reveal(), finding(fresh.sealed), NOW + 1) == Good(fresh.sealed.token)


def test_renewal_keeps_what_counts_and_nothing_else() -> None:
    """
    A grant that was revoked or has expired does not come back, and one that will expire still does.
    """
    minted = make([(Capability.READ, None), (Capability.WRITE, HERE), (Capability.CLAIM, HERE)])
    read, write, claim = minted.sealed.token.grants
    gone, ending = attrs.evolve(write, revoked_at=NOW), attrs.evolve(claim, expires_at=NOW + 10)
    fresh = renewed(holding(minted, read, gone, ending), expires_at=None)
    assert [(each.capability, each.expires_at) for each in fresh.sealed.token.grants] == [
        (Capability.READ, None),
        (Capability.CLAIM, NOW + 10),
    ]
    with pytest.raises(Refusal) as nothing_left:
        renewed(holding(minted, gone, ending), expires_at=None, now=NOW + 11)
    assert nothing_left.value.code == RefusalCode.CAPABILITY_MISSING


@pytest.mark.parametrize(
    ("revoked_at", "expires_at", "code"),
    [(NOW, None, RefusalCode.TOKEN_REVOKED), (None, NOW, RefusalCode.TOKEN_EXPIRED)],
)
def test_a_token_that_is_over_cannot_be_renewed(
    revoked_at: float | None, expires_at: float | None, code: RefusalCode
) -> None:
    """
    A revoked or expired token buys nothing.
    """
    over = attrs.evolve(make().sealed.token, revoked_at=revoked_at, expires_at=expires_at)
    with pytest.raises(Refusal) as raised:
        rotate(over, now=NOW + 1, expires_at=None, random=counting())
    assert raised.value.code == code


def test_when_a_grant_counts() -> None:
    """
    A grant ends with its own time, and at once when it is revoked.
    """
    [grant] = make().sealed.token.grants
    assert counts(grant, NOW * 10)
    assert counts(attrs.evolve(grant, expires_at=NOW + 1), NOW)
    assert not counts(attrs.evolve(grant, expires_at=NOW + 1), NOW + 1)
    assert not counts(attrs.evolve(grant, revoked_at=NOW), NOW - 1)


def test_of_a_whole_token_in_a_text_only_the_id_is_left() -> None:
    """
    What a caller wrote by mistake is not shown to whoever reads a log, an error or a list of names.
    """
    name = "dtok_" + "a" * 16
    secret = "s" * 43
    assert without_tokens(f"no tool {name}.{secret}, {name}.{secret}") == (
        f"no tool {name}.[REDACTED], {name}.[REDACTED]"
    )
    assert without_tokens(f"revoked {name}. Nothing ran.") == f"revoked {name}. Nothing ran."
