"""
What each principal may do, now (DESIGN §5), and which tools it is shown.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import Final

import attrs

from reticle.domain.authorization import allowed_somewhere, denial
from reticle.domain.tokens import Bad, standing
from reticle.model.codes import Capability, Exposure, RefusalCode, RepositoryScope, Toolset
from reticle.model.ids import GrantId, RepositoryId, TokenId
from reticle.model.limits import RIGHTS_KEPT
from reticle.model.tokens import Grant, Token
from reticle.model.trust import Principal, PrincipalKind
from reticle.ports import TokenStore
from reticle.tools.spec import Tool

EVERYTHING_SHOWN: Final = frozenset(Toolset)
VERIFY_ALONE: Final = frozenset({Toolset.VERIFY})


@attrs.frozen
class Sight:
    """
    What decides which tools somebody is shown: what is granted for all repositories, what for at least one
    of those that are asked about, and of which toolsets.
    """

    everywhere: frozenset[Capability]
    somewhere: frozenset[Capability]
    toolsets: frozenset[Toolset] = EVERYTHING_SHOWN

    @classmethod
    def of(cls, capabilities: AbstractSet[Capability]) -> Sight:
        """
        Of somebody who has these capabilities for all repositories.
        """
        return cls(frozenset(capabilities), frozenset(capabilities))

    def shows(self, tool: Tool) -> bool:
        """
        Whether the tool can be found and called; of these only the advertised ones are in ``tools/list``.
        """
        if tool.exposure is not Exposure.LISTED or tool.toolset not in self.toolsets:
            return False
        granted = self.everywhere if tool.scope is RepositoryScope.DAEMON_GLOBAL else self.somewhere
        return tool.capability in granted


@attrs.frozen(slots=False)
class Rights:
    """
    What one principal may do at one moment. ``refused`` says why it may do nothing at all.
    """

    grants: Sequence[Grant]
    now: float
    refused: RefusalCode | None = None
    toolsets: frozenset[Toolset] = EVERYTHING_SHOWN

    @cached_property
    def everywhere(self) -> frozenset[Capability]:
        """
        What is granted for all repositories.
        """
        return self._granted([None])

    @cached_property
    def somewhere(self) -> frozenset[Capability]:
        """
        What is granted for at least one repository.
        """
        return self._granted([None, *(grant.repository_id for grant in self.grants)])

    @property
    def is_operator(self) -> bool:
        """
        Whether it has ``admin`` for all repositories, and so may see and end what belongs to others.
        """
        return Capability.ADMIN in self.everywhere

    def sight(self, repository_id: RepositoryId | None = None) -> Sight:
        """
        What to show, of one repository or of all.
        """
        if repository_id is None:
            return Sight(self.everywhere, self.somewhere, self.toolsets)
        return Sight(self.everywhere, self._granted([None, repository_id]), self.toolsets)

    def denial(self, capability: Capability, repository_id: RepositoryId | None) -> RefusalCode | None:
        """
        None when it may do that in the repository (None: in all of them), else the code that says why not.
        """
        if capability in self.everywhere:
            return None
        return self.refused or denial(self.grants, capability, repository_id, self.now)

    def denial_anywhere(self, capability: Capability) -> RefusalCode | None:
        """
        As ``denial``, while it is not known yet in which repository.
        """
        if capability in self.somewhere:
            return None
        lapsed = any(grant.capability is capability and grant.revoked_at is None for grant in self.grants)
        missing = RefusalCode.CAPABILITY_EXPIRED if lapsed else RefusalCode.CAPABILITY_MISSING
        return self.refused or missing

    def _granted(self, where: Sequence[RepositoryId | None]) -> frozenset[Capability]:
        if self.refused is not None:
            return frozenset()
        return frozenset(
            grant.capability
            for grant in self.grants
            if grant.repository_id in where and allowed_somewhere([grant], grant.capability, self.now)
        )


@attrs.frozen
class _Known:
    """
    Rights that were worked out, and when the first of their grants, or the token, ends.
    """

    token: Token
    rights: Rights
    until: float

    def holds(self, token: Token, now: float) -> bool:
        """
        Whether working them out again would give the same.
        """
        return self.token is token and self.rights.now <= now < self.until


class GrantedRights:
    """
    Finds the rights of principals.

    Whoever is trusted by loopback or holds the pairing token may look at pages and act on them, and with the
    toolset ``work`` also read what concerns work. A capability token has what was granted to it, judged anew
    each time it is asked for.

    Args:
        tokens: The capability tokens.
        now: Seconds since the epoch.
        toolsets: What principals without a capability token are shown.
    """

    def __init__(
        self,
        tokens: TokenStore,
        now: Callable[[], float],
        toolsets: AbstractSet[Toolset] = VERIFY_ALONE,
    ) -> None:
        self._tokens = tokens
        self._now = now
        self._trusted = Rights(_trusted_grants(toolsets), 0.0, toolsets=frozenset(toolsets))
        self._known: dict[TokenId, _Known] = {}

    def of(self, principal: Principal) -> Rights:
        """
        What it may do now.
        """
        if principal.refused is not None:
            return Rights((), 0.0, principal.refused)
        if principal.kind is not PrincipalKind.TOKEN:
            return self._trusted
        sealed = None if principal.token_id is None else self._tokens.find(TokenId(principal.token_id))
        if sealed is None:
            return Rights((), 0.0, RefusalCode.TOKEN_INVALID)
        token, now = sealed.token, self._now()
        known = self._known.get(token.token_id)
        if known is not None and known.holds(token, now):
            return known.rights
        judged = standing(token, now)
        if isinstance(judged, Bad):
            return Rights((), now, judged.code)
        return self._keep(token, now)

    def _keep(self, token: Token, now: float) -> Rights:
        if len(self._known) >= RIGHTS_KEPT:
            self._known.clear()
        ends = (token.expires_at, *(grant.expires_at for grant in token.grants))
        until = min((end for end in ends if end is not None and end > now), default=math.inf)
        known = self._known[token.token_id] = _Known(token, Rights(token.grants, now), until)
        return known.rights


def _trusted_grants(toolsets: AbstractSet[Toolset]) -> Sequence[Grant]:
    capabilities = [Capability.OBSERVE, Capability.DRIVE]
    if Toolset.WORK in toolsets:
        capabilities.append(Capability.READ)
    return tuple(Grant(GrantId(each.value), each, None, 0.0) for each in capabilities)
