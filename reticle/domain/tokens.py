"""
What a capability token is worth: its form, its secret, its time; and how one is made and renewed.

``dtok_<id>.<secret>``: the first half names it and may be shown, the second is known to its holder alone and
is kept here only as a keyed hash (DESIGN §5; second seed, "Authentication").
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import attrs

from reticle.errors import Refusal
from reticle.model.codes import Capability, RefusalCode
from reticle.model.ids import GrantId, RepositoryId, TokenId
from reticle.model.percent import decoded
from reticle.model.tokens import Grant, SealedToken, Token
from reticle.model.trust import Secret

PREFIX: Final = "dtok_"
ID_BYTES: Final = 12
SECRET_BYTES: Final = 32
SALT_BYTES: Final = 16

FORM: Final = re.compile(r"(dtok_[A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]{43})", re.ASCII)
"""A whole token: its id and its secret."""

_SHOWN_BY_MISTAKE: Final = re.compile(r"(dtok_[A-Za-z0-9_-]{16})\.[A-Za-z0-9_-]+", re.ASCII)

_WORD: Final = re.compile(r"[^\s\"'\\<>]+")

_NO_SALT: Final = "00" * SALT_BYTES

Random = Callable[[int], bytes]
"""That many unguessable bytes."""

Wanted = tuple[Capability, RepositoryId | None]
"""One grant to be made: what, and where (None: everywhere)."""


@attrs.frozen
class Good:
    """
    The token counts.
    """

    token: Token


@attrs.frozen
class Bad:
    """
    The token does not count, and why. ``token_id`` only when its holder proved to have the secret.
    """

    code: RefusalCode
    token_id: TokenId | None = None


Standing = Good | Bad


def without_tokens(text: str) -> str:
    """
    A text of somebody else, as it may be kept or shown: of a whole token in it only the id is left, and
    nothing of a word that hides one by percent-encoding.
    """
    if PREFIX in text:
        text = _SHOWN_BY_MISTAKE.sub(r"\1.[REDACTED]", text)
    return _WORD.sub(_unless_it_hides, text) if "%" in text else text


def _unless_it_hides(word: re.Match[str]) -> str:
    if "%" not in word[0]:
        return word[0]
    return "[REDACTED]" if _SHOWN_BY_MISTAKE.search(decoded(word[0])) else word[0]


def judge(text: str, find: Callable[[TokenId], SealedToken | None], now: float) -> Standing:
    """
    What a presented token is worth now.

    An unknown id and a wrong secret are one code, and take the same work, so that ids cannot be probed.
    """
    form = FORM.fullmatch(text)
    if form is None:
        return Bad(RefusalCode.TOKEN_MALFORMED)
    sealed = find(TokenId(form[1]))
    salt, expected = (_NO_SALT, "") if sealed is None else (sealed.salt, sealed.digest)
    matches = hmac.compare_digest(_digest(salt, form[2]), expected)
    if sealed is None or not matches:
        return Bad(RefusalCode.TOKEN_INVALID)
    return standing(sealed.token, now)


def standing(token: Token, now: float) -> Standing:
    """
    Whether a token whose secret was proved still counts.
    """
    if token.revoked_at is not None:
        return Bad(RefusalCode.TOKEN_REVOKED, token.token_id)
    if token.expires_at is not None and now >= token.expires_at:
        return Bad(RefusalCode.TOKEN_EXPIRED, token.token_id)
    return Good(token)


@attrs.frozen
class Minted:
    """
    A new token: what its holder gets, this once, and what is kept.
    """

    text: Secret
    sealed: SealedToken


def mint(
    wanted: Sequence[Wanted],
    *,
    display_name: str,
    kind: str,
    now: float,
    expires_at: float | None,
    random: Random,
) -> Minted:
    """
    A new token with these grants.

    Args:
        wanted: At least one grant, none twice.
        display_name: For people.
        kind: What it is made for.
        now: Seconds since the epoch.
        expires_at: When it ends, for all of its grants; None never.
        random: Where its secret comes from.

    Raises:
        Refusal: ``bad_arguments``: no grant, one twice, or an end that has passed.
    """
    if not wanted:
        raise _bad("a token needs at least one capability")
    if len(set(wanted)) < len(wanted):
        raise _bad("one capability is granted twice for the same repository")
    if expires_at is not None and expires_at <= now:
        raise _bad("the token would have expired already")
    token_id = TokenId(PREFIX + _text(random(ID_BYTES)))
    secret, salt = _text(random(SECRET_BYTES)), random(SALT_BYTES).hex()
    grants = [
        Grant(GrantId(f"grant_{random(8).hex()}"), capability, repository_id, now)
        for capability, repository_id in wanted
    ]
    token = Token(token_id, display_name, kind, now, expires_at, grants)
    return Minted(Secret(f"{token_id}.{secret}"), SealedToken(token, salt, _digest(salt, secret)))


def rotate(
    old: Token,
    *,
    now: float,
    expires_at: float | None,
    random: Random,
    display_name: str | None = None,
) -> Minted:
    """
    A new token in place of one, with the grants that still count; never for longer than the old one.

    Args:
        old: The token to replace; revoking it is for the caller, in the same transaction.
        now: Seconds since the epoch.
        expires_at: When the new one ends; None as the old one.
        random: Where its secret comes from.
        display_name: None keeps the old one.

    Raises:
        Refusal: the code of a token that no longer counts; ``capability_missing`` when no grant of it does.
    """
    judged = standing(old, now)
    if isinstance(judged, Bad):
        raise Refusal(
            judged.code, "this token no longer counts, so it cannot be renewed", "Create a new one."
        )
    ends = [each for each in (old.expires_at, expires_at) if each is not None]
    live = [grant for grant in old.grants if counts(grant, now)]
    if not live:
        raise Refusal(
            RefusalCode.CAPABILITY_MISSING, "no grant of this token counts any more", "Create a new one."
        )
    fresh = mint(
        list(dict.fromkeys((grant.capability, grant.repository_id) for grant in live)),
        display_name=display_name or old.display_name,
        kind=old.kind,
        now=now,
        expires_at=min(ends, default=None),
        random=random,
    )
    ends_at = _latest_ends(live)
    grants = [
        attrs.evolve(grant, expires_at=ends_at[grant.capability, grant.repository_id])
        for grant in fresh.sealed.token.grants
    ]
    token = attrs.evolve(fresh.sealed.token, grants=grants)
    return attrs.evolve(fresh, sealed=attrs.evolve(fresh.sealed, token=token))


def counts(grant: Grant, now: float) -> bool:
    """
    Whether a grant is neither revoked nor expired.
    """
    return grant.revoked_at is None and (grant.expires_at is None or now < grant.expires_at)


def _latest_ends(grants: Sequence[Grant]) -> Mapping[Wanted, float | None]:
    """
    For each capability and place when the last of its grants ends; None is never.
    """
    ends: dict[Wanted, float | None] = {}
    for grant in grants:
        key = (grant.capability, grant.repository_id)
        known = ends.get(key, grant.expires_at)
        if known is None or grant.expires_at is None:
            ends[key] = None
        else:
            ends[key] = max(known, grant.expires_at)
    return ends


def _digest(salt: str, secret: str) -> str:
    return hmac.new(bytes.fromhex(salt), secret.encode("ascii"), hashlib.sha256).hexdigest()


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode("ascii")


def _bad(message: str) -> Refusal:
    return Refusal(RefusalCode.BAD_ARGUMENTS, message)
