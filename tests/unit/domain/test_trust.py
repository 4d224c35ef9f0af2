"""
The trust decision over the matrix of peers, Hosts, Origins and tokens (field reports, area AU).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.domain.loopback import is_loopback_address, is_loopback_host, is_loopback_origin
from reticle.domain.tokens import FORM, Bad, Good, Standing
from reticle.domain.trust import (
    TrustPolicy,
    decide,
    decide_without_token,
    is_pairing_token,
    may_use_stream,
)
from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.ids import TokenId
from reticle.model.tokens import Token
from reticle.model.trust import (
    LOCAL,
    PAIRING,
    Denied,
    Granted,
    Principal,
    PrincipalKind,
    Secret,
    TrustFacts,
)

OPEN = TrustPolicy()
TOKEN = "pair-me-42"
PAIRED = TrustPolicy(pairing_token=Secret(TOKEN))


def facts(
    *,
    peer: str | None = "127.0.0.1",
    hosts: Sequence[str] = ("localhost:4400",),
    origins: Sequence[str] = (),
    referers: Sequence[str] = (),
    authorizations: Sequence[str] = (),
    tokens: Sequence[str] = (),
    http_1_0: bool = False,
) -> TrustFacts:
    """
    A request from this machine, changed where a test says so.
    """
    return TrustFacts(
        peer=peer, hosts=hosts, origins=origins, referers=referers,
        authorizations=authorizations, tokens_in_query=tokens, http_1_0=http_1_0,
    )  # fmt: skip


def verdict(policy: TrustPolicy, asked: TrustFacts) -> tuple[int, str]:
    """
    The decision as a status and a word.
    """
    decision = decide(policy, asked)
    if isinstance(decision, Granted):
        return 200, decision.principal.name
    return decision.status, decision.code


@pytest.mark.parametrize(
    ("asked", "without_token", "with_token"),
    [
        (facts(), (200, "local"), (200, "local")),
        (facts(peer=None), (200, "local"), (200, "local")),
        (facts(origins=["http://localhost:3000"]), (200, "local"), (200, "local")),
        (facts(referers=["http://127.0.0.1:8000/x"]), (200, "local"), (200, "local")),
        (facts(hosts=[], http_1_0=True), (200, "local"), (200, "local")),
        (facts(hosts=["evil.example"]), (403, "bad_host"), (401, "token_missing")),
        (facts(hosts=["10.0.0.5:4400"], peer="10.0.0.9"), (403, "bad_host"), (401, "token_missing")),
        (facts(origins=["http://evil.example"]), (403, "bad_origin"), (401, "token_missing")),
        (facts(origins=["null"]), (403, "bad_origin"), (401, "token_missing")),
        (facts(origins=["http://localhost", "http://e.x"]), (403, "bad_origin"), (401, "token_missing")),
        (facts(referers=["http://evil.example/"]), (403, "bad_origin"), (401, "token_missing")),
        (facts(peer="10.0.0.9"), (403, "bad_peer"), (401, "token_missing")),
        (facts(hosts=[]), (400, "bad_host"), (400, "bad_host")),
        (facts(hosts=[""]), (400, "bad_host"), (400, "bad_host")),
        (facts(hosts=["localhost", "localhost"]), (400, "bad_host"), (400, "bad_host")),
        (facts(authorizations=[f"Bearer {TOKEN}"]), (401, "token_invalid"), (200, "pairing")),
        (facts(authorizations=[f"bearer  {TOKEN}"]), (401, "token_invalid"), (200, "pairing")),
        (facts(tokens=[TOKEN]), (401, "token_invalid"), (200, "pairing")),
        (facts(authorizations=["Bearer wrong"]), (401, "token_invalid"), (401, "token_invalid")),
        (facts(tokens=["wrong"]), (401, "token_invalid"), (401, "token_invalid")),
        (facts(authorizations=[f"Bearer {TOKEN}"], tokens=["wrong"]), (401, "token_invalid"),
         (401, "token_invalid")),
        (facts(authorizations=["Bearer dtok_1.secret"]), (401, "token_malformed"),
         (401, "token_malformed")),
        (facts(tokens=["dtok_1.secret"]), (401, "token_malformed"), (401, "token_malformed")),
        (facts(tokens=[""]), (401, "token_malformed"), (401, "token_malformed")),
        (facts(authorizations=[""]), (401, "token_malformed"), (401, "token_malformed")),
        (facts(authorizations=["Bearer"]), (401, "token_malformed"), (401, "token_malformed")),
        (facts(authorizations=["Basic dTpw"]), (401, "token_malformed"), (401, "token_malformed")),
        (facts(authorizations=[f"Bearer Bearer {TOKEN}"]), (401, "token_malformed"),
         (401, "token_malformed")),
        (facts(authorizations=[f"Bearer {TOKEN}"] * 2), (401, "token_malformed"),
         (401, "token_malformed")),
        (facts(peer="10.0.0.9", hosts=["box.lan:4400"], authorizations=[f"Bearer {TOKEN}"]),
         (401, "token_invalid"), (200, "pairing")),
        (facts(origins=["https://evil.example"], tokens=[TOKEN]), (401, "token_invalid"),
         (200, "pairing")),
        (facts(hosts=["a", "b"], tokens=[TOKEN]), (400, "bad_host"), (400, "bad_host")),
    ],
)  # fmt: skip
def test_the_matrix_of_the_open_tier(
    asked: TrustFacts, without_token: tuple[int, str], with_token: tuple[int, str]
) -> None:
    """
    Each request gets the one answer that the open tier promises, with and without a pairing token.
    """
    assert (verdict(OPEN, asked), verdict(PAIRED, asked)) == (without_token, with_token)


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        (facts(hosts=["evil.example"]), "The Host header 'evil.example'"),
        (facts(origins=["https://u:p@evil.example"]), "The Origin header 'https://evil.example'"),
        (facts(referers=["https://evil.example/?token=S3"]), "The Referer header 'https://evil.example'"),
        (facts(peer="10.0.0.9"), "The peer address '10.0.0.9'"),
    ],
)
def test_a_refusal_names_what_failed_and_the_setting_that_permits_it(asked: TrustFacts, named: str) -> None:
    """
    The reader of a refusal learns which header failed and which setting permits it.
    """
    decision = decide(OPEN, asked)
    assert isinstance(decision, Denied)
    assert decision.message == (
        f"{named} is not loopback; setting RETICLE_TOKEN and presenting that token permits it."
    )


def test_a_hostile_host_cannot_write_control_characters_into_a_log() -> None:
    """
    What a refusal echoes is short and printable.
    """
    decision = decide(OPEN, facts(hosts=["\x1b[2J" + "e" * 500]))
    assert isinstance(decision, Denied)
    assert decision.message.isprintable()
    assert len(decision.message) < 250


def test_no_token_is_ever_part_of_a_refusal() -> None:
    """
    A wrong token is refused without being repeated.
    """
    for asked in (facts(tokens=["S3CRET"]), facts(authorizations=["Bearer S3CRET"]),
                  facts(authorizations=["Basic S3CRET"]), facts(tokens=["dtok_S3CRET"])):  # fmt: skip
        decision = decide(PAIRED, asked)
        assert isinstance(decision, Denied)
        assert "S3CRET" not in repr(decision)


def test_the_page_script_is_for_this_machine_whatever_token_comes() -> None:
    """
    A pairing token opens nothing for the page script, and a wrong one closes nothing.
    """
    assert decide_without_token(facts(tokens=["wrong"])) == Granted(LOCAL)
    malformed = decide_without_token(facts(hosts=[]))
    assert isinstance(malformed, Denied)
    assert malformed.status == 400
    denied = decide_without_token(facts(hosts=["box.lan"], authorizations=[f"Bearer {TOKEN}"]))
    assert isinstance(denied, Denied)
    assert (denied.status, denied.code) == (403, RefusalCode.BAD_HOST)


@pytest.mark.parametrize("token", [None, "", "  ", "\n"])
def test_an_empty_token_is_no_token(token: str | None) -> None:
    """
    A token setting that is empty means that none is configured (AU-04).
    """
    policy = TrustPolicy(pairing_token=None if token is None else Secret(token))
    assert policy.pairing_token is None
    assert not is_pairing_token(policy, "")
    with pytest.raises(Refusal) as refused:
        TrustPolicy(pairing_token=policy.pairing_token, bind_is_loopback=False)
    assert refused.value.code == RefusalCode.TOKEN_MISSING


def test_the_line_break_at_the_end_of_a_token_file_does_not_count() -> None:
    """
    A token with a trailing newline is the token without it (AU-04).
    """
    policy = TrustPolicy(pairing_token=Secret(f"{TOKEN}\n"), bind_is_loopback=False)
    assert decide(policy, facts(peer="10.0.0.9", tokens=[TOKEN])) == Granted(PAIRING)


@pytest.mark.parametrize("token", ["two words", "dtok_1.secret", "caf\u00e9", "a\nb"])
def test_a_token_that_no_header_could_carry_stops_the_start(token: str) -> None:
    """
    A pairing token that could never match is refused at the start and not echoed.
    """
    with pytest.raises(Refusal) as refused:
        TrustPolicy(pairing_token=Secret(token))
    assert refused.value.code == RefusalCode.TOKEN_MALFORMED
    assert token not in f"{refused.value.message} {refused.value.recovery}"


def test_a_policy_does_not_show_its_token() -> None:
    """
    Printing the settings of trust prints no secret.
    """
    assert TOKEN not in repr(PAIRED)


def test_a_stream_takes_messages_of_its_own_person_only() -> None:
    """
    Local and pairing are one person; a capability token is only itself.
    """
    alice = Principal(PrincipalKind.TOKEN, "alice")
    bob = Principal(PrincipalKind.TOKEN, "bob")
    assert may_use_stream(LOCAL, PAIRING)
    assert may_use_stream(PAIRING, LOCAL)
    assert may_use_stream(alice, Principal(PrincipalKind.TOKEN, "alice"))
    assert not may_use_stream(alice, bob)
    assert not may_use_stream(alice, LOCAL)
    assert not may_use_stream(alice, Principal(PrincipalKind.TOKEN, "alice", RefusalCode.TOKEN_REVOKED))


NAME = TokenId("dtok_" + "a" * 16)
RIGHT, OLD, WRONG = (f"{NAME}.{letter * 43}" for letter in "row")
STRICT = TrustPolicy(pairing_token=Secret(TOKEN), strict=True)


def judge(text: str) -> Standing:
    """
    One right token, one that was revoked, everything else was never made.
    """
    if FORM.fullmatch(text) is None:
        return Bad(RefusalCode.TOKEN_MALFORMED)
    if text == RIGHT:
        return Good(Token(NAME, "", "cli", 0.0, None, ()))
    return Bad(RefusalCode.TOKEN_REVOKED, NAME) if text == OLD else Bad(RefusalCode.TOKEN_INVALID)


def bearer(token: str, **more: Any) -> TrustFacts:
    """
    A request with that token in its header.
    """
    return facts(authorizations=[f"Bearer {token}"], **more)


@pytest.mark.parametrize(
    ("asked", "opened", "strict"),
    [
        (facts(), "local", (401, "token_missing")),
        (bearer(RIGHT), f"token:{NAME}", f"token:{NAME}"),
        (bearer(OLD), "token_revoked", "token_revoked"),
        (bearer(WRONG), "token_invalid", "token_invalid"),
        (bearer(TOKEN), "pairing", (401, "token_malformed")),
        (bearer("dtok_short"), (401, "token_malformed"), (401, "token_malformed")),
        (facts(tokens=[RIGHT]), (401, "token_malformed"), (401, "token_malformed")),
        (facts(tokens=[TOKEN]), "pairing", (401, "token_malformed")),
        (bearer(RIGHT, tokens=[TOKEN]), (401, "token_malformed"), (401, "token_malformed")),
        (bearer(RIGHT, tokens=[RIGHT]), (401, "token_malformed"), (401, "token_malformed")),
        (facts(authorizations=["Basic eDp5"]), (401, "token_malformed"), (401, "token_malformed")),
        (bearer(RIGHT, hosts=["evil.example"]), f"token:{NAME}", (403, "bad_host")),
        (bearer(RIGHT, origins=["https://evil.example"]), f"token:{NAME}", (403, "bad_origin")),
        (bearer(RIGHT, peer="10.0.0.9"), f"token:{NAME}", (403, "bad_peer")),
        (bearer(OLD, hosts=["evil.example"]), (401, "token_revoked"), (403, "bad_host")),
        (bearer(WRONG, hosts=["evil.example"]), (401, "token_invalid"), (403, "bad_host")),
        (facts(hosts=["evil.example"]), (401, "token_missing"), (403, "bad_host")),
        (bearer(RIGHT, hosts=[]), (400, "bad_host"), (400, "bad_host")),
    ],
)
def test_the_matrix_of_capability_tokens(asked: TrustFacts, opened: object, strict: object) -> None:
    """
    On both tiers a token stands for itself alone; on the strict one nothing foreign gets in with it either.
    """

    def told(policy: TrustPolicy) -> object:
        decision = decide(policy, asked, judge)
        if isinstance(decision, Denied):
            return decision.status, str(decision.code)
        return str(decision.principal.refused or decision.principal.name)

    assert (told(PAIRED), told(STRICT)) == (opened, strict)


def test_a_token_is_not_judged_before_the_store_is_open() -> None:
    """
    A client whose daemon has just started is told to wait, not that its token is wrong.
    """
    decision = decide(STRICT, bearer(RIGHT), lambda _: None)
    assert isinstance(decision, Denied)
    assert (decision.status, decision.code) == (503, "not_ready")


HEADERS = st.sampled_from(
    ["localhost", "LOCALHOST:4400", "127.0.0.2", "[::1]:4400", "evil.example", "", "null", "127.0.0.1.nip.io"]
) | st.text(max_size=12)
URLS = HEADERS.map(lambda host: f"http://{host}") | st.just("null") | st.text(max_size=12)
TOKENS = st.sampled_from([TOKEN, "wrong", "", "dtok_1.x", TOKEN + " "]) | st.text(max_size=8)
ANY_FACTS = st.builds(
    TrustFacts,
    peer=st.none() | st.sampled_from(["127.0.0.1", "::1", "::ffff:127.0.0.1", "10.0.0.9", "fe80::1"]),
    hosts=st.lists(HEADERS, max_size=2),
    origins=st.lists(URLS, max_size=2),
    referers=st.lists(URLS, max_size=2),
    authorizations=st.lists(TOKENS.map(lambda token: f"Bearer {token}") | TOKENS, max_size=2),
    tokens_in_query=st.lists(TOKENS, max_size=2),
    http_1_0=st.booleans(),
)


@given(ANY_FACTS, st.sampled_from([OPEN, PAIRED]))
def test_nobody_gets_in_but_by_the_rule(asked: TrustFacts, policy: TrustPolicy) -> None:
    """
    A grant is either wholly loopback without any credential, or nothing but right pairing tokens.
    """
    decision = decide(policy, asked)
    assert decision == decide(policy, asked)
    if isinstance(decision, Denied):
        assert decision.status in (400, 401, 403)
        return
    assert len(asked.hosts) == 1 or (not asked.hosts and asked.http_1_0)
    if decision.principal == LOCAL:
        assert not asked.authorizations
        assert not asked.tokens_in_query
        assert asked.peer is None or is_loopback_address(asked.peer)
        assert all(map(is_loopback_host, asked.hosts))
        assert all(map(is_loopback_origin, asked.origins))
    else:
        assert policy is PAIRED
        assert decision.principal == PAIRING
        assert set(asked.tokens_in_query) <= {TOKEN}
        assert [value.split()[1] for value in asked.authorizations] in ([], [TOKEN])
        assert asked.authorizations or asked.tokens_in_query


@given(ANY_FACTS)
def test_a_status_says_whether_a_credential_could_help(asked: TrustFacts) -> None:
    """
    Without a credential the answer is 403 where no pairing token is configured, and 401 where one is.
    """
    bare = TrustFacts(asked.peer, asked.hosts, asked.origins, asked.referers, (), (), asked.http_1_0)
    statuses = verdict(OPEN, bare)[0], verdict(PAIRED, bare)[0]
    assert statuses in {(200, 200), (400, 400), (403, 401)}
