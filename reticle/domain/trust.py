"""
Who may speak to the daemon: one pure decision for every HTTP route and for the WebSocket upgrade.

The open tier of DESIGN §2 and §5: a request is trusted when its peer, its Host and its Origin and
Referer (when present) are all loopback; anything else needs the pairing token, which then stands for
itself whatever the Host and Origin are, because that is what it is for.
A token that is presented but wrong never falls back to trust.
"""

from __future__ import annotations

import hashlib
import hmac
import re

import attrs

from reticle.domain.loopback import (
    is_loopback_address,
    is_loopback_host,
    is_loopback_origin,
    is_loopback_referer,
    shown_origin,
)
from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.trust import (
    LOCAL,
    PAIRING,
    Decision,
    Denied,
    Granted,
    Principal,
    PrincipalKind,
    Secret,
    TrustFacts,
)

CAPABILITY_TOKEN_PREFIX = "dtok_"  # noqa: S105 - the public first letters of a token, not a secret
"""How a capability token begins (DESIGN §5); such a token is never read from a query string."""

TOKEN_SETTING = "RETICLE_TOKEN"  # noqa: S105 - the name of a setting, not its value
"""The setting that permits what loopback trust does not; every refusal names it."""

SHOWN_CHARS = 100
"""How much of a refused header is echoed; more would only help to fill logs."""

_TOKEN = re.compile(r"[\x21-\x7e]+")
_BEARER = re.compile(r"bearer +([\x21-\x7e]+)", re.IGNORECASE)


def _as_configured(token: Secret | None) -> Secret | None:
    # A token read from a file or an environment often ends in a line break, and an empty one means
    # that nobody set it: field reports AU-04.
    stripped = "" if token is None else token.reveal().strip()
    return Secret(stripped) if stripped else None


@attrs.frozen
class TrustPolicy:
    """
    What the daemon was told about trust at its start.

    ``pairing_token`` is kept without surrounding white space; an empty one is none.
    ``bind_is_loopback`` is False when any listener is reachable from other machines.

    Raises ``Refusal`` for settings that must not start: a bind beyond loopback without a token
    (DESIGN §2), or a token that no Authorization header could carry.
    """

    pairing_token: Secret | None = attrs.field(default=None, converter=_as_configured)
    bind_is_loopback: bool = True

    def __attrs_post_init__(self) -> None:
        if self.pairing_token is None:
            if not self.bind_is_loopback:
                raise Refusal(
                    RefusalCode.TOKEN_MISSING,
                    "Listening beyond loopback needs a pairing token.",
                    f"Set {TOKEN_SETTING}, or listen on 127.0.0.1.",
                )
            return
        token = self.pairing_token.reveal()
        if not _TOKEN.fullmatch(token) or token.startswith(CAPABILITY_TOKEN_PREFIX):
            raise Refusal(
                RefusalCode.TOKEN_MALFORMED,
                "The pairing token must be visible ASCII without spaces and not begin with "
                f"{CAPABILITY_TOKEN_PREFIX}.",
                f"Set {TOKEN_SETTING} to another value.",
            )


def is_pairing_token(policy: TrustPolicy, presented: str | None) -> bool:
    """
    Whether a presented text is the pairing token; compared in constant time, False when none is set.
    """
    if policy.pairing_token is None or presented is None:
        return False
    return hmac.compare_digest(_digest(policy.pairing_token.reveal()), _digest(presented))


def may_use_stream(opened_by: Principal, asked_by: Principal) -> bool:
    """
    Whether a request of one principal may speak into a stream that another opened.

    ``local`` and ``pairing`` are the same person with the same rights, and a client that opened its
    stream with ``?token=`` posts to the announced path without it; a capability token is only itself.
    """
    if opened_by is asked_by or opened_by == asked_by:
        return True
    return {opened_by.kind, asked_by.kind} == {PrincipalKind.LOCAL, PrincipalKind.PAIRING}


def decide(policy: TrustPolicy, facts: TrustFacts) -> Decision:
    """
    Whether a request may go on, and as whom.

    In this order: a malformed Host is refused (400); a presented credential decides alone (401 when it
    is not right); without one loopback decides. A refusal is 401 where the pairing token could have
    helped, 403 where none is configured.
    """
    malformed = _malformed_host(facts)
    if malformed is not None:
        return malformed
    if facts.authorizations or facts.tokens_in_query:
        return _decide_by_token(policy, facts)
    foreign = _first_foreign(facts)
    if foreign is None:
        return Granted(LOCAL)
    code, what = foreign
    if policy.pairing_token is not None:
        message = f"{what} is not loopback; the pairing token ({TOKEN_SETTING}) permits it."
        return Denied(401, RefusalCode.TOKEN_MISSING, message)
    message = f"{what} is not loopback; setting {TOKEN_SETTING} and presenting that token permits it."
    return Denied(403, code, message)


def decide_without_token(facts: TrustFacts) -> Decision:
    """
    The loopback rule alone, for what no token may open: the page script (DESIGN §3).

    Credentials in ``facts`` are not looked at.
    """
    malformed, foreign = _malformed_host(facts), _first_foreign(facts)
    if malformed is not None:
        return malformed
    if foreign is not None:
        return Denied(403, foreign[0], f"{foreign[1]} is not loopback, and nothing permits it here.")
    return Granted(LOCAL)


def _digest(text: str) -> bytes:
    # Hashed first so that the comparison does not tell how long the token is.
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _malformed_host(facts: TrustFacts) -> Denied | None:
    if len(facts.hosts) > 1:
        return Denied(400, RefusalCode.BAD_HOST, "The request has more than one Host header.")
    if not facts.hosts and not facts.http_1_0:
        return Denied(400, RefusalCode.BAD_HOST, "The request has no Host header.")
    if facts.hosts and not facts.hosts[0]:
        return Denied(400, RefusalCode.BAD_HOST, "The Host header is empty.")
    return None


def _decide_by_token(policy: TrustPolicy, facts: TrustFacts) -> Decision:
    presented = list(facts.tokens_in_query)
    if any(not token or token.startswith(CAPABILITY_TOKEN_PREFIX) for token in presented):
        return Denied(
            401,
            RefusalCode.TOKEN_MALFORMED,
            "The token parameter is empty or holds a capability token, which belongs into the "
            "Authorization header.",
        )
    for value in facts.authorizations:
        bearer = _BEARER.fullmatch(value)
        if bearer is None or len(facts.authorizations) > 1:
            return Denied(
                401,
                RefusalCode.TOKEN_MALFORMED,
                "The Authorization header must be one `Bearer <token>`.",
            )
        presented.append(bearer[1])
    if all([is_pairing_token(policy, token) for token in presented]):  # noqa: C419 - no early exit
        return Granted(PAIRING)
    advice = f"Check {TOKEN_SETTING}" if policy.pairing_token else f"No {TOKEN_SETTING} is configured"
    return Denied(401, RefusalCode.TOKEN_INVALID, f"The presented token is not valid. {advice}.")


def _first_foreign(facts: TrustFacts) -> tuple[RefusalCode, str] | None:
    """
    The first of Host, Origin, Referer and peer that is not loopback, as a code and as words.
    """
    for host in facts.hosts:
        if not is_loopback_host(host):
            return RefusalCode.BAD_HOST, f"The Host header {_shown(host)}"
    for origin in facts.origins:
        if not is_loopback_origin(origin):
            return RefusalCode.BAD_ORIGIN, f"The Origin header {_shown(shown_origin(origin))}"
    for referer in facts.referers:
        if not is_loopback_referer(referer):
            return RefusalCode.BAD_ORIGIN, f"The Referer header {_shown(shown_origin(referer))}"
    if facts.peer is not None and not is_loopback_address(facts.peer):
        return RefusalCode.BAD_PEER, f"The peer address {_shown(facts.peer)}"
    return None


def _shown(value: str) -> str:
    # ascii() also neutralises control characters: the text goes into logs and terminals.
    return ascii(value[:SHOWN_CHARS])
