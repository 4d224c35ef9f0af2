"""
What a token's grants allow.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.domain.authorization import allowed_somewhere, denial
from reticle.model.codes import Capability, RefusalCode
from reticle.model.ids import GrantId, RepositoryId
from reticle.model.tokens import Grant

NOW = 100.0
HERE, THERE = RepositoryId("here"), RepositoryId("there")


def grant(
    capability: Capability = Capability.READ,
    where: RepositoryId | None = HERE,
    *,
    expires_at: float | None = None,
    revoked_at: float | None = None,
) -> Grant:
    """
    A grant that counts unless told otherwise.
    """
    return Grant(GrantId("g"), capability, where, 0.0, expires_at, revoked_at)


@pytest.mark.parametrize(
    ("grants", "where", "code"),
    [
        ([grant()], HERE, None),
        ([grant(where=None)], HERE, None),
        ([grant(where=None)], None, None),
        ([], HERE, RefusalCode.CAPABILITY_MISSING),
        ([grant(Capability.WRITE)], HERE, RefusalCode.CAPABILITY_MISSING),
        ([grant(Capability.ADMIN, None)], HERE, RefusalCode.CAPABILITY_MISSING),
        ([grant(revoked_at=1.0)], HERE, RefusalCode.CAPABILITY_MISSING),
        ([grant(where=THERE)], HERE, RefusalCode.CAPABILITY_SCOPE_MISMATCH),
        ([grant(where=HERE)], None, RefusalCode.CAPABILITY_SCOPE_MISMATCH),
        ([grant(expires_at=NOW)], HERE, RefusalCode.CAPABILITY_EXPIRED),
        ([grant(expires_at=NOW), grant(where=None)], HERE, None),
        ([grant(where=None, expires_at=NOW), grant()], HERE, None),
        ([grant(expires_at=NOW), grant(where=THERE)], HERE, RefusalCode.CAPABILITY_EXPIRED),
        ([grant(where=THERE, expires_at=NOW)], HERE, RefusalCode.CAPABILITY_MISSING),
        ([grant(where=THERE, revoked_at=1.0)], HERE, RefusalCode.CAPABILITY_MISSING),
    ],
)
def test_which_denial(grants: list[Grant], where: RepositoryId | None, code: RefusalCode | None) -> None:
    """
    A refused agent hears what is wrong with its token: nothing granted, elsewhere only, or over.
    """
    assert denial(grants, Capability.READ, where, NOW) == code


GRANTS = st.builds(
    grant,
    st.sampled_from(Capability),
    st.sampled_from([None, HERE, THERE]),
    expires_at=st.none() | st.floats(0, 200),
    revoked_at=st.none() | st.floats(0, 200),
)


@given(
    st.lists(GRANTS, max_size=6), st.sampled_from(Capability), st.sampled_from([None, HERE, THERE]), st.data()
)
def test_a_grant_less_never_allows_more(
    grants: list[Grant], capability: Capability, where: RepositoryId | None, data: st.DataObject
) -> None:
    """
    Taking a grant away never opens a door.
    """
    fewer = [each for each in grants if data.draw(st.booleans())]
    if denial(grants, capability, where, NOW) is not None:
        assert denial(fewer, capability, where, NOW) is not None


@given(st.lists(GRANTS, max_size=6), st.sampled_from(Capability))
def test_what_is_allowed_everywhere_is_allowed_here(grants: list[Grant], capability: Capability) -> None:
    """
    A right to all repositories is one to each, and a right to any is one somewhere.
    """
    if denial(grants, capability, None, NOW) is None:
        assert denial(grants, capability, HERE, NOW) is None
    if denial(grants, capability, HERE, NOW) is None:
        assert allowed_somewhere(grants, capability, NOW)
