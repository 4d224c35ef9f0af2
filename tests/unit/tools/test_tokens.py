"""
Making, showing, ending and renewing capability tokens.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from reticle.domain.tokens import Good, judge
from reticle.errors import Refusal
from reticle.model.codes import Capability, RefusalCode, RepositoryScope
from reticle.testing.context import FakeContext
from reticle.testing.pages import FakePages
from reticle.testing.tokens import a_grant, a_repository, a_token
from reticle.testing.toolcalls import answer_of, refusal_of
from reticle.tools.tokens import TOOLS

BY_NAME = {tool.name.rpartition(".")[2]: tool for tool in TOOLS}


@pytest.fixture
def context() -> FakeContext:
    """
    A daemon with one repository and no tokens.
    """
    made = FakeContext(FakePages())
    made.repositories.keep(a_repository("r1"))
    return made


def call(context: FakeContext, name: str, arguments: Mapping[str, object]) -> dict[str, Any]:
    """
    The fields of an answer.
    """
    return dict(answer_of(BY_NAME[name], context, arguments).fields)


def refused(context: FakeContext, name: str, arguments: Mapping[str, object]) -> Refusal:
    """
    Why a call was refused.
    """
    return refusal_of(BY_NAME[name], context, arguments)


def test_all_of_it_is_for_operators() -> None:
    """
    Whoever manages tokens needs the capability admin for all repositories.
    """
    for tool in TOOLS:
        assert (tool.capability, tool.scope) == (Capability.ADMIN, RepositoryScope.DAEMON_GLOBAL)
        assert tool.mutates is (tool.name != "daemon.token.list")


def test_a_token_is_shown_once_and_counts(context: FakeContext) -> None:
    """
    The answer holds the only copy of the secret; presented, it is the token that was made.
    """
    made = call(context, "create", {"capability": "read", "repository_id": "r1", "display_name": "ci"})
    judged = judge(made["token"], context.tokens.find, context.clock.now())
    assert isinstance(judged, Good)
    assert judged.token.token_id == made["token_id"]
    assert made["capabilities"] == [{"capability": "read", "repository_id": "r1"}]
    assert judged.token.expires_at == context.clock.now() + 3_600
    secret = made["token"].partition(".")[2]
    assert secret not in str(call(context, "list", {"ended": True}))
    assert secret not in repr(context.tokens.all())
    [row] = context.tokens.audit.rows
    assert secret not in str(row)


@pytest.mark.parametrize(
    ("asked", "grants"),
    [
        ({"capabilities": ["read", "claim"]}, [("read", None), ("claim", None)]),
        ({"capabilities": ["read", "claim"], "repository_id": "r1"}, [("read", "r1"), ("claim", "r1")]),
        (
            {"capability_grants": [{"capability": "read"}, {"capability": "write", "repository_id": "r1"}]},
            [("read", None), ("write", "r1")],
        ),
    ],
)
def test_grants_are_asked_for_in_three_ways(
    context: FakeContext, asked: Mapping[str, object], grants: list[tuple[str, str | None]]
) -> None:
    """
    One, several for one place, or each with its own; every capability is granted by itself.
    """
    made = call(context, "create", {**asked, "expires_in": "2h"})
    assert [(each["capability"], each["repository_id"]) for each in made["capabilities"]] == grants


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({}, "bad_arguments"),
        ({"capabilities": []}, "bad_arguments"),
        ({"capability": "read", "capabilities": ["read"]}, "bad_arguments"),
        ({"capabilities": ["read", "read"]}, "bad_arguments"),
        ({"capability_grants": [{"capability": "read"}], "repository_id": "r1"}, "bad_arguments"),
        ({"capability": "read", "expires_in": "1h", "expires_in_seconds": 5}, "bad_arguments"),
        ({"capability": "read", "expires_in": "1h", "expires_at": "2031-01-01T00:00:00Z"}, "bad_arguments"),
        ({"capability": "read", "expires_in": "never"}, "bad_arguments"),
        ({"capability_grants": [{"capability": "read", "repository_id": str(n)} for n in range(101)]},
         "bad_arguments"),
        ({"capability": "read", "repository_id": "r9"}, "repo_not_registered"),
    ],
)  # fmt: skip
def test_what_cannot_be_granted_is_refused(
    context: FakeContext, asked: Mapping[str, object], code: str
) -> None:
    """
    Nothing is made of an order that can be read in two ways, or for a repository that is not there.
    """
    assert refused(context, "create", asked).code == code
    assert context.tokens.all() == []


def test_a_list_shows_what_counts_and_counts_what_does_not(context: FakeContext) -> None:
    """
    An operator sees the live tokens first; ended ones with why, when asked for.
    """
    now = context.clock.now()
    context.tokens.keep(
        a_token(a_grant(Capability.READ), name="live"),
        a_token(a_grant(Capability.READ), name="over", expires_at=now),
        a_token(a_grant(Capability.READ), name="taken", revoked_at=now),
    )
    shown = call(context, "list", {})
    assert ([each["token_id"] for each in shown["tokens"]], shown["total"], shown["ended"]) == (
        ["live"],
        1,
        2,
    )
    everything = call(context, "list", {"ended": True, "limit": 2})
    assert (everything["total"], len(everything["tokens"]), everything["truncated"]) == (3, 2, True)
    assert everything["next"] == {"after": "over", "ended": True, "limit": 2}
    rest = call(context, "list", everything["next"])
    assert ([each["token_id"] for each in rest["tokens"]], rest["total"], "next" in rest) == (
        ["taken"],
        3,
        False,
    )
    assert refused(context, "list", {"after": "never"}).code == "bad_arguments"
    assert call(context, "list", {"after": "over"})["tokens"] == []
    ended = {each["token_id"]: each.get("ended") for each in call(context, "list", {"ended": True})["tokens"]}
    assert ended == {"live": None, "over": "token_expired", "taken": "token_revoked"}


def test_a_revoked_token_counts_no_more(context: FakeContext) -> None:
    """
    It ends at once with all of its grants, and doing it twice says so and writes nothing.
    """
    made = call(context, "create", {"capabilities": ["read", "claim"]})
    by_itself = call(context, "revoke", {"token": made["token"]})
    assert (by_itself["already_revoked"], by_itself["revoked_capabilities"]) == (False, 2)
    judged = judge(made["token"], context.tokens.find, context.clock.now())
    assert getattr(judged, "code", None) is RefusalCode.TOKEN_REVOKED
    rows = len(context.tokens.audit.rows)
    again = call(context, "revoke", {"token_id": made["token_id"]})
    assert (again["already_revoked"], again["revoked_at"]) == (True, by_itself["revoked_at"])
    assert len(context.tokens.audit.rows) == rows


@pytest.mark.parametrize("name", ["revoke", "rotate"])
def test_a_token_is_named_in_one_way_and_has_to_be_there(context: FakeContext, name: str) -> None:
    """
    A wrong secret names no token, and neither half may contradict the other.
    """
    made = call(context, "create", {"capability": "read"})
    forged = made["token"][:-1] + ("A" if made["token"][-1] != "A" else "B")
    assert refused(context, name, {}).code == "bad_arguments"
    assert (
        refused(context, name, {"token_id": made["token_id"], "token": made["token"]}).code == "bad_arguments"
    )
    for which in ({"token": forged}, {"token": "nonsense"}, {"token_id": "dtok_never"}):
        refusal = refused(context, name, which)
        assert refusal.code == "not_found"
        assert forged not in str(refusal)


def test_a_renewed_token_lives_no_longer(context: FakeContext) -> None:
    """
    The new one has the same grants and the old end at most; the old one ends at once.
    """
    made = call(context, "create", {"capability": "read", "repository_id": "r1", "expires_in": "1h"})
    renewed = call(context, "rotate", {"token": made["token"], "expires_in": "30d", "display_name": "next"})
    assert renewed["rotated_from_token_id"] == made["token_id"] != renewed["token_id"]
    assert (renewed["expires_at"], renewed["display_name"]) == (made["expires_at"], "next")
    assert renewed["capabilities"] == made["capabilities"]
    now = context.clock.now()
    assert isinstance(judge(renewed["token"], context.tokens.find, now), Good)
    assert refused(context, "rotate", {"token": made["token"]}).code == "token_revoked"
    shorter = call(context, "rotate", {"token": renewed["token"], "expires_in_seconds": 60})
    judged = judge(shorter["token"], context.tokens.find, now)
    assert isinstance(judged, Good)
    assert judged.token.expires_at == now + 60


def test_a_grant_may_be_shorter_than_its_token(context: FakeContext) -> None:
    """
    An agent may write for an hour and read for a month with one token; both ends are told.
    """
    grants = [{"capability": "write", "expires_in": "1h"}, {"capability": "read"}]
    made = call(context, "create", {"capability_grants": grants, "expires_in": "30d"})
    write, read = made["capabilities"]
    assert (write["capability"], "expires_at" in write, "expires_at" in read) == ("write", True, False)
    judged = judge(made["token"], context.tokens.find, context.clock.now())
    assert isinstance(judged, Good)
    assert [grant.expires_at for grant in judged.token.grants] == [context.clock.now() + 3_600, None]
    endless = {"capability_grants": [{"capability": "write", "expires_in": "ages"}]}
    assert refused(context, "create", endless).code == "bad_arguments"


def test_a_token_that_is_taken_for_a_name_is_not_kept(context: FakeContext) -> None:
    """
    A list of tokens shows no secret, also when somebody put one in the wrong field.
    """
    made = call(context, "create", {"capability": "read"})
    call(
        context, "create", {"capability": "read", "display_name": made["token"], "client_kind": made["token"]}
    )
    secret = str(made["token"]).partition(".")[2]
    assert secret not in repr(call(context, "list", {}))
    assert secret not in repr(context.tokens.all())


def test_nobody_makes_an_operators_own_token(context: FakeContext) -> None:
    """
    The daemon ends its own earlier ones when it makes another; a token of somebody else is never one of them.
    """
    refusal = refused(context, "create", {"capability": "read", "client_kind": "bootstrap"})
    assert refusal.code == "bad_arguments"
    assert list(context.tokens.all()) == []
