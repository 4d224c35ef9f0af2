"""
Who may do what.
"""

from __future__ import annotations

import attrs

from reticle.dispatch.grants import GrantedRights, Rights, Sight
from reticle.model.codes import Capability, Exposure, RefusalCode, RepositoryScope, Toolset
from reticle.model.ids import RepositoryId
from reticle.model.limits import RIGHTS_KEPT
from reticle.model.tokens import Grant
from reticle.model.trust import LOCAL, PAIRING, Principal, PrincipalKind
from reticle.testing.gate import scripted_tool
from reticle.testing.grants import MemoryTokens
from reticle.testing.tokens import a_grant, a_token, bearer_of

R1, R2 = RepositoryId("r1"), RepositoryId("r2")


def rights_of(principal: Principal, tokens: MemoryTokens | None = None, now: float = 100.0) -> Rights:
    """
    What it may do at that time.
    """
    return GrantedRights(MemoryTokens() if tokens is None else tokens, lambda: now).of(principal)


def rights_with(*grants: Grant) -> Rights:
    """
    What a token with these grants may do.
    """
    token, tokens = a_token(*grants), MemoryTokens()
    tokens.keep(token)
    return rights_of(bearer_of(token), tokens)


def test_trust_lets_look_and_act_and_nothing_more() -> None:
    """
    Local agents and holders of the pairing token use pages; what concerns work needs a token.
    """
    for principal in (LOCAL, PAIRING):
        rights = rights_of(principal)
        assert rights.everywhere == rights.somewhere == {Capability.OBSERVE, Capability.DRIVE}
        assert rights.denial(Capability.ADMIN, None) is RefusalCode.CAPABILITY_MISSING


def test_the_toolset_work_lets_trusted_agents_read_about_work() -> None:
    """
    With ``--toolsets verify,work`` a local agent sees what there is to do, and still changes nothing.
    """
    granted = GrantedRights(MemoryTokens(), lambda: 0.0, frozenset(Toolset))
    rights = granted.of(LOCAL)
    assert rights.everywhere == {Capability.OBSERVE, Capability.DRIVE, Capability.READ}
    assert rights.toolsets == frozenset(Toolset)
    assert rights_of(LOCAL).toolsets == {Toolset.VERIFY}


def test_a_token_may_what_was_granted_to_it_as_long_as_it_counts() -> None:
    """
    Revocation and expiry hold from the next call on, on whichever stream.
    """
    lapsed = a_grant(Capability.ADMIN, expires_at=50)
    grants = (a_grant(Capability.READ, "r1"), a_grant(Capability.OBSERVE), lapsed)
    good = a_token(*grants, name="good", expires_at=200)
    revoked = a_token(*grants, name="revoked", revoked_at=99)
    tokens = MemoryTokens()
    tokens.keep(good, revoked)
    rights = rights_of(bearer_of(good), tokens)
    assert rights.everywhere == {Capability.OBSERVE}
    assert rights.somewhere == {Capability.OBSERVE, Capability.READ}
    assert rights.denial(Capability.READ, R1) is None
    assert rights.denial(Capability.READ, R2) is RefusalCode.CAPABILITY_SCOPE_MISMATCH
    assert rights.denial(Capability.ADMIN, None) is RefusalCode.CAPABILITY_EXPIRED
    for principal, now, code in (
        (bearer_of(good), 200.0, RefusalCode.TOKEN_EXPIRED),
        (bearer_of(revoked), 100.0, RefusalCode.TOKEN_REVOKED),
        (Principal(PrincipalKind.TOKEN, "never"), 100.0, RefusalCode.TOKEN_INVALID),
        (Principal(PrincipalKind.TOKEN, None), 100.0, RefusalCode.TOKEN_INVALID),
        (attrs.evolve(bearer_of(good), refused=RefusalCode.TOKEN_MISSING), 100.0, RefusalCode.TOKEN_MISSING),
    ):
        refused = rights_of(principal, tokens, now)
        assert refused.refused is code
        assert refused.denial(Capability.OBSERVE, None) is code
        assert refused.denial_anywhere(Capability.OBSERVE) is code
        assert not refused.somewhere


def test_why_a_capability_is_had_nowhere() -> None:
    """
    One that ran out is told from one that there never was or that was taken back.
    """
    lapsed = rights_with(a_grant(Capability.DRIVE, "r1", expires_at=9))
    assert lapsed.denial_anywhere(Capability.DRIVE) is RefusalCode.CAPABILITY_EXPIRED
    assert lapsed.denial_anywhere(Capability.OBSERVE) is RefusalCode.CAPABILITY_MISSING
    taken = rights_with(a_grant(Capability.DRIVE, revoked_at=9))
    assert taken.denial_anywhere(Capability.DRIVE) is RefusalCode.CAPABILITY_MISSING


def test_what_a_list_shows() -> None:
    """
    A tool for all repositories needs such a grant, one for a repository a grant for that one.
    """
    whole = attrs.evolve(
        scripted_tool("a", None, capability=Capability.READ), scope=RepositoryScope.DAEMON_GLOBAL
    )
    one = attrs.evolve(whole, scope=RepositoryScope.SINGLE_REPO)
    rights = rights_with(a_grant(Capability.READ, "r1"))
    assert [rights.sight(place).shows(one) for place in (None, R1, R2)] == [True, True, False]
    assert [rights.sight(place).shows(whole) for place in (None, R1, R2)] == [False, False, False]


def test_what_a_list_never_shows() -> None:
    """
    Hidden, deprecated and handshake methods are in no list, nor is what needs no grant or is of another
    toolset.
    """
    tool, everything = scripted_tool("a", None), Sight.of(frozenset(Capability))
    assert everything.shows(tool)
    for exposure in set(Exposure) - {Exposure.LISTED}:
        assert not everything.shows(attrs.evolve(tool, exposure=exposure))
    assert not everything.shows(attrs.evolve(tool, capability=None))
    work = attrs.evolve(tool, toolset=Toolset.WORK)
    assert everything.shows(work)
    assert not attrs.evolve(everything, toolsets=frozenset({Toolset.VERIFY})).shows(work)


def test_kept_rights_never_outlive_what_they_were_made_of() -> None:
    """
    A grant that ends, a token that is changed and a clock that is set back are seen in the next call.
    """
    clock = [100.0]
    token = a_token(a_grant(Capability.READ, expires_at=150), a_grant(Capability.OBSERVE), expires_at=200)
    tokens = MemoryTokens()
    tokens.keep(token)
    granted, principal = GrantedRights(tokens, lambda: clock[0]), bearer_of(token)
    first = granted.of(principal)
    clock[0] = 149.9
    assert granted.of(principal) is first
    for now, may in (
        (150.0, {"observe"}),
        (120.0, {"observe", "read"}),
        (200.0, set()),
        (199.0, {"observe"}),
    ):
        clock[0] = now
        assert granted.of(principal).everywhere == may
    tokens.keep(a_token(a_grant(Capability.WRITE)))
    assert granted.of(principal).everywhere == {Capability.WRITE}


def test_only_so_many_rights_are_kept() -> None:
    """
    However many tokens are used, what is remembered of them is bounded.
    """
    tokens = MemoryTokens()
    granted = GrantedRights(tokens, lambda: 100.0)
    for number in range(RIGHTS_KEPT + 10):
        token = a_token(a_grant(Capability.READ), name=f"t{number}")
        tokens.keep(token)
        assert granted.of(bearer_of(token)).everywhere == {Capability.READ}
    assert len(granted._known) <= RIGHTS_KEPT
