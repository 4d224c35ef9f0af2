"""
What each kind of principal may do (DESIGN §5).
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Final

from reticle.model.codes import Capability
from reticle.model.trust import Principal, PrincipalKind

PAGE_CAPABILITIES: Final = frozenset({Capability.OBSERVE, Capability.DRIVE})
NOTHING: Final[frozenset[Capability]] = frozenset()


def capabilities_of(principal: Principal) -> AbstractSet[Capability]:
    """
    Whoever is trusted by loopback or holds the pairing token may look at pages and act on them.

    A capability token has what was granted to it, which is nothing that is known here.
    """
    if principal.kind in (PrincipalKind.LOCAL, PrincipalKind.PAIRING):
        return PAGE_CAPABILITIES
    return NOTHING
