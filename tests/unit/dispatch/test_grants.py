"""
What principals may do.
"""

from __future__ import annotations

from reticle.dispatch.grants import capabilities_of
from reticle.model.codes import Capability
from reticle.model.trust import LOCAL, PAIRING, Principal, PrincipalKind


def test_loopback_and_pairing_may_look_and_act() -> None:
    """
    A trusted agent drives pages, an unknown token nothing.
    """
    assert capabilities_of(LOCAL) == capabilities_of(PAIRING) == {Capability.OBSERVE, Capability.DRIVE}
    assert capabilities_of(Principal(PrincipalKind.TOKEN, "t1")) == frozenset()
