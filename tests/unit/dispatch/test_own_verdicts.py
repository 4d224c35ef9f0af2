"""
Whose verdicts a principal may see.
"""

from __future__ import annotations

from typing import Any

import attrs
import pytest
from twisted.internet.defer import Deferred

from reticle.dispatch.grants import Rights
from reticle.dispatch.own_verdicts import own_verdicts
from reticle.model.codes import Capability
from reticle.model.ids import TokenId, VerdictId
from reticle.model.trust import LOCAL, PAIRING, Principal, PrincipalKind
from reticle.testing.drafts import a_draft
from reticle.testing.stores import MemoryVerdicts
from reticle.testing.tokens import a_grant
from reticle.testing.verdicts import recorded_verdict

ANNE = Principal(PrincipalKind.TOKEN, TokenId("anne"))
BEN = Principal(PrincipalKind.TOKEN, TokenId("ben"))
WHO = (LOCAL, PAIRING, ANNE, BEN)


def now(coroutine: Any) -> Any:
    """
    What a coroutine gives that needs no time.
    """
    got: list[Any] = []
    Deferred.fromCoroutine(coroutine).addCallback(got.append)
    return got[0]


@pytest.fixture
def everything() -> MemoryVerdicts:
    """
    A verdict of each principal, called like it.
    """
    kept = MemoryVerdicts()
    for who in WHO:
        kept.put(attrs.evolve(recorded_verdict(who.name), principal=who.name), a_draft())
    return kept


@pytest.mark.parametrize("who", WHO)
def test_another_s_verdict_is_not_there(everything: MemoryVerdicts, who: Principal) -> None:
    """
    One reads and is offered one's own verdicts; an id that one heard of elsewhere leads nowhere.
    """
    grants = (a_grant(Capability.OBSERVE), a_grant(Capability.ADMIN, "r1"))
    mine = own_verdicts(everything, who, Rights(grants, 100.0))
    seen = [each.name for each in WHO if now(mine.get(VerdictId(each.name))) is not None]
    assert seen == [who.name]
    assert now(mine.newest(9)) == [who.name]
    assert now(mine.newest(9, "local")) == [who.name]
    now(mine.put(attrs.evolve(recorded_verdict("fresh"), principal=who.name), a_draft()))
    assert now(mine.newest(1)) == ["fresh"]


def test_an_operator_sees_all(everything: MemoryVerdicts) -> None:
    """
    Whoever has admin for all repositories can look into every verdict.
    """
    all_of_them = own_verdicts(everything, BEN, Rights((a_grant(Capability.ADMIN),), 100.0))
    assert [each.name for each in WHO if now(all_of_them.get(VerdictId(each.name)))] == [*map(_name, WHO)]
    assert now(all_of_them.newest(9)) == [*map(_name, reversed(WHO))]
    assert now(all_of_them.newest(9, "local")) == ["local"]


def _name(principal: Principal) -> str:
    return principal.name
