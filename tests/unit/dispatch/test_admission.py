"""
The order of the gate's checks, and the words of its denials.
"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from reticle.dispatch.admission import admit
from reticle.dispatch.errand import Errand
from reticle.dispatch.grants import Rights
from reticle.errors import Refusal
from reticle.model.codes import Capability, Carrier, Exposure, RefusalCode, RepositoryScope
from reticle.model.ids import RepositoryId
from reticle.testing.grants import MemoryRepositories
from reticle.testing.tokens import a_grant, a_repository
from reticle.tools.spec import ToolAnswer

READ_R1 = Rights((a_grant(Capability.READ, "r1"),), 100.0)
READ_ALL = Rights((a_grant(Capability.READ),), 100.0)
NOTHING = Rights((), 100.0)


async def nothing(_: object) -> ToolAnswer:
    """
    Never run here.
    """
    return ToolAnswer({})


PAGE = Errand("reticle_look", Capability.READ, nothing)
WHOLE = replace(PAGE, name="repo.list", scope=RepositoryScope.DAEMON_GLOBAL)
SINGLE = replace(PAGE, name="status", scope=RepositoryScope.SINGLE_REPO)


def of(repository_id: str, errand: Errand = SINGLE) -> Errand:
    """
    The errand in that repository.
    """
    return replace(errand, repository_id=RepositoryId(repository_id))


def code_of(errand: Errand, rights: Rights, carrier: Carrier = Carrier.SSE) -> str | None:
    """
    Why it is denied; None when it may go on. Only the repository r1 is registered.
    """
    repositories = MemoryRepositories()
    repositories.keep(a_repository("r1"))
    try:
        admit(errand, carrier, rights, repositories)
    except Refusal as refusal:
        return refusal.code if refusal.message and refusal.recovery else "told nothing"
    return None


@pytest.mark.parametrize(
    ("errand", "rights", "code"),
    [
        (PAGE, READ_R1, None),
        (PAGE, NOTHING, "capability_missing"),
        (WHOLE, READ_ALL, None),
        (WHOLE, READ_R1, "capability_scope_mismatch"),
        (SINGLE, READ_ALL, "repo_not_registered"),
        (SINGLE, NOTHING, "repo_not_registered"),
        (of("r1"), READ_R1, None),
        (of("r1"), READ_ALL, None),
        (of("r1"), NOTHING, "capability_missing"),
        (of("r2"), READ_R1, "capability_scope_mismatch"),
        (of("r2"), NOTHING, "capability_missing"),
        (of("r2"), READ_ALL, "repo_not_registered"),
        (of("r1"), Rights((a_grant(Capability.READ, "r1", expires_at=9),), 100.0), "capability_expired"),
        (
            of("r1"),
            Rights((a_grant(Capability.READ, "r1", expires_at=9), a_grant(Capability.READ)), 100.0),
            None,
        ),
        (replace(PAGE, capability=None), NOTHING, None),
    ],
)
def test_what_is_allowed_and_how_the_rest_is_denied(errand: Errand, rights: Rights, code: str | None) -> None:
    """
    Each denial has its own code; an expired grant hides no live one, and no repository is told to strangers.
    """
    assert code_of(errand, rights) == code


@pytest.mark.parametrize("code", [code for code in RefusalCode if code.startswith("token_")])
def test_a_token_that_does_not_count_is_told_so(code: RefusalCode) -> None:
    """
    Whatever it asks for, it gets the code of its token; what needs no grant it may have.
    """
    refused = Rights((), 0.0, code)
    assert {code_of(errand, refused) for errand in (PAGE, WHOLE, of("r1"))} == {code}
    assert code_of(replace(PAGE, capability=None), refused) is None


def test_hidden_comes_before_everything() -> None:
    """
    A hidden method is hidden for all alike, and nothing else is told of it.
    """
    for errand in (PAGE, SINGLE, of("r9")):
        hidden = replace(errand, exposure=Exposure.HIDDEN)
        for carrier in Carrier:
            assert code_of(hidden, READ_ALL, carrier) == "tool_hidden"
            assert code_of(hidden, Rights((), 0.0, RefusalCode.TOKEN_INVALID), carrier) == "tool_hidden"


def test_the_handshake_is_for_the_socket() -> None:
    """
    What a shell asks first is no tool for agents.
    """
    hello = replace(WHOLE, capability=None, exposure=Exposure.HANDSHAKE)
    assert {carrier for carrier in Carrier if code_of(hello, NOTHING, carrier) is None} == {Carrier.SOCKET}


def test_a_deprecated_method_still_answers() -> None:
    """
    Clients that know an old name go on, under the same checks.
    """
    old = replace(of("r1"), exposure=Exposure.DEPRECATED)
    assert code_of(old, READ_R1) is None
    assert code_of(old, NOTHING) == "capability_missing"


def test_a_denial_says_what_was_needed_where() -> None:
    """
    An agent reads from the text which grant it lacks and for which repository.
    """
    with pytest.raises(Refusal) as told:
        admit(of("r2"), Carrier.SSE, READ_R1, MemoryRepositories())
    assert told.value.message == (
        "status needs the capability read for r2, and it was granted for another repository"
    )
    assert told.value.details == {"required_capability": "read"}
