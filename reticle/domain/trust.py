"""
Who may speak to the daemon: one pure decision for every HTTP route and for the WebSocket upgrade.

The two tiers of DESIGN §2 and §5. Open: a request is trusted when its peer, its Host and its Origin and
Referer (when present) are all loopback; anything else needs a token, which then stands for itself whatever
the Host and Origin are, because that is what it is for. Strict: peer, Host, Origin and Referer are loopback,
and a capability token comes along.
A token that is presented but wrong never falls back to trust.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable

import attrs

from reticle.domain.loopback import (
    is_loopback_address,
    is_loopback_host,
    is_loopback_origin,
    is_loopback_referer,
    shown_origin,
)
from reticle.domain.tokens import FORM, Bad, Standing, without_tokens
from reticle.domain.tokens import PREFIX as CAPABILITY_TOKEN_PREFIX
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

TOKEN_SETTING = "RETICLE_TOKEN"  # noqa: S105 - the name of a setting, not its value
"""The setting that permits what loopback trust does not; every refusal names it."""

SHOWN_CHARS = 100
"""How much of a refused header is echoed; more would only help to fill logs."""

Judge = Callable[[str], Standing | None]
"""What a capability token is worth now; None while nobody can tell, because the store is not open."""

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
    ``bind_is_loopback`` is False when any listener is reachable from other machines. ``strict`` lets nobody
    in without a capability token, and the pairing token is then none.

    Raises ``Refusal`` for settings that must not start: a bind beyond loopback without a token
    (DESIGN §2), or a token that no Authorization header could carry.
    """

    pairing_token: Secret | None = attrs.field(default=None, converter=_as_configured)
    bind_is_loopback: bool = True
    strict: bool = False

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
    stream with ``?token=`` posts to the announced path without it; a capability token is only itself, and
    one that does not count (any more) speaks nowhere.
    """
    if asked_by.refused is not None:
        return False
    if opened_by is asked_by or opened_by == asked_by:
        return True
    return {opened_by.kind, asked_by.kind} == {PrincipalKind.LOCAL, PrincipalKind.PAIRING}


def no_tokens(text: str) -> Standing:
    """
    The ``Judge`` of a daemon that has no capability tokens.
    """
    form = FORM.fullmatch(text)
    return Bad(RefusalCode.TOKEN_MALFORMED if form is None else RefusalCode.TOKEN_INVALID)


def decide(policy: TrustPolicy, facts: TrustFacts, judge: Judge = no_tokens) -> Decision:
    """
    Whether a request may go on, and as whom.

    In this order: a malformed Host is refused (400); on the strict tier everything foreign is (403); a
    presented credential decides alone (401 when it is not right); without one loopback decides. A refusal is
    401 where a token could have helped, 403 where none could.

    A capability token that is known not to count lets its request go on from this machine as a principal that
    is ``refused``, so that a tool call gets its result; from elsewhere it is a 401.
    """
    malformed = _malformed_host(facts)
    if malformed is not None:
        return malformed
    foreign = _first_foreign(facts)
    if policy.strict and foreign is not None:
        return Denied(403, foreign[0], f"{foreign[1]} is not loopback, and nothing permits it here.")
    if facts.authorizations or facts.tokens_in_query:
        return _decide_by_token(policy, facts, judge, from_here=foreign is None)
    return _decide_bare(policy, foreign)


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


def _decide_bare(policy: TrustPolicy, foreign: tuple[RefusalCode, str] | None) -> Decision:
    """
    A request without any credential.
    """
    if policy.strict:
        message = "A capability token is needed here: `Authorization: Bearer dtok_…` (reticle token create)."
        return Denied(401, RefusalCode.TOKEN_MISSING, message)
    if foreign is None:
        return Granted(LOCAL)
    code, what = foreign
    if policy.pairing_token is not None:
        message = f"{what} is not loopback; the pairing token ({TOKEN_SETTING}) permits it."
        return Denied(401, RefusalCode.TOKEN_MISSING, message)
    message = f"{what} is not loopback; setting {TOKEN_SETTING} and presenting that token permits it."
    return Denied(403, code, message)


def _decide_by_token(policy: TrustPolicy, facts: TrustFacts, judge: Judge, *, from_here: bool) -> Decision:
    in_query = facts.tokens_in_query
    bearers = [_BEARER.fullmatch(value) for value in facts.authorizations]
    presented = [bearer[1] for bearer in bearers if bearer is not None]
    for_judge = policy.strict or any(token.startswith(CAPABILITY_TOKEN_PREFIX) for token in presented)
    if any(not token or token.startswith(CAPABILITY_TOKEN_PREFIX) for token in in_query):
        return _malformed(
            "The token parameter is empty or holds a capability token, which belongs into the "
            "Authorization header."
        )
    if len(presented) < len(bearers) or len(bearers) > 1:
        return _malformed("The Authorization header must be one `Bearer <token>`.")
    if for_judge and in_query:
        return _malformed("Where a capability token counts, it is the only one: in the Authorization header.")
    if for_judge:
        return _decide_by_standing(judge(presented[0]), from_here=from_here)
    if all([is_pairing_token(policy, token) for token in (*in_query, *presented)]):  # noqa: C419 - no early exit
        return Granted(PAIRING)
    advice = f"Check {TOKEN_SETTING}" if policy.pairing_token else f"No {TOKEN_SETTING} is configured"
    return Denied(401, RefusalCode.TOKEN_INVALID, f"The presented token is not valid. {advice}.")


def _decide_by_standing(standing: Standing | None, *, from_here: bool) -> Decision:
    if standing is None:
        return Denied(
            503, RefusalCode.NOT_READY, "The daemon knows no tokens: it is starting, or its database is away."
        )
    if not isinstance(standing, Bad):
        return Granted(Principal(PrincipalKind.TOKEN, standing.token.token_id))
    if standing.code is RefusalCode.TOKEN_MALFORMED:
        return _malformed("A capability token looks like `dtok_<16 characters>.<43 characters>`.")
    if not from_here:
        return Denied(401, standing.code, refused_words(standing.code))
    return Granted(Principal(PrincipalKind.TOKEN, standing.token_id, standing.code))


def refused_words(code: RefusalCode) -> str:
    """
    Why a capability token does not count, for people.
    """
    told = {
        RefusalCode.TOKEN_REVOKED: "The capability token was revoked.",
        RefusalCode.TOKEN_EXPIRED: "The capability token has expired.",
    }
    return f"{told.get(code, 'The capability token is not valid.')} Make one with `reticle token create`."


def _malformed(message: str) -> Denied:
    return Denied(401, RefusalCode.TOKEN_MALFORMED, message)


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
    return ascii(without_tokens(value)[:SHOWN_CHARS])
