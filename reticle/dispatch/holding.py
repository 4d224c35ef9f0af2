"""
Page holds as one agent meets them: by what name it holds, and which pages keep it away.

A capability token is one agent, however often it connects. Without one each lasting conversation is an agent
of its own, and the callers without a session are one agent per principal.
A hold binds while its holder may act on what the page shows: one that was led to another repository's app, or
whose holder's grant ended, is free, and held again when it comes back in time.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from reticle.dispatch.call import Caller
from reticle.dispatch.permitted import place_of
from reticle.domain.authorization import denial
from reticle.domain.lease import alive, held, held_by_another
from reticle.domain.tokens import Good, standing
from reticle.errors import Refusal
from reticle.model.codes import Capability
from reticle.model.ids import PageId, TokenId
from reticle.model.leases import Lease
from reticle.model.limits import AGENTS_REMEMBERED
from reticle.model.page import App
from reticle.model.trust import PrincipalKind
from reticle.ports import PageHolds, RepositoryStore, TokenStore

_TOKEN: Final = f"{PrincipalKind.TOKEN.value}:"
_CONVERSATION: Final = "agent:"


def agent_name(caller: Caller) -> str:
    """
    What an agent is called where others read it; no session id can be made of it.
    """
    if caller.principal.kind is PrincipalKind.TOKEN or not caller.lasting:
        return caller.principal.name
    return conversation_name(caller.conversation_id)


@functools.lru_cache(maxsize=AGENTS_REMEMBERED)
def conversation_name(conversation_id: str) -> str:
    """
    The name of the agent that a conversation without a token is.
    """
    return f"{_CONVERSATION}{hashlib.sha256(conversation_id.encode()).hexdigest()[:12]}"


def shown_name(agent: str, tokens: TokenStore) -> str:
    """
    The name as people read it: with what a token was called when it was made.
    """
    sealed = tokens.find(TokenId(agent.removeprefix(_TOKEN))) if agent.startswith(_TOKEN) else None
    called = "" if sealed is None else sealed.token.display_name
    return f"{called} ({agent})" if called else agent


def is_there(agent: str, tokens: TokenStore, conversations: Iterable[str], now: float) -> bool:
    """
    Whether there is such an agent: a token that counts, a conversation that goes on, or the callers of a
    principal that have none.
    """
    if agent.startswith(_TOKEN):
        sealed = tokens.find(TokenId(agent.removeprefix(_TOKEN)))
        return sealed is not None and isinstance(standing(sealed.token, now), Good)
    if agent.startswith(_CONVERSATION):
        return any(conversation_name(each) == agent for each in conversations)
    return agent in {kind.value for kind in PrincipalKind if kind is not PrincipalKind.TOKEN}


def may_act(agent: str, app: App, tokens: TokenStore, repositories: RepositoryStore, now: float) -> bool:
    """
    Whether what was granted to an agent lets it act on an app; one without a token may act on any.
    """
    if not agent.startswith(_TOKEN):
        return True
    sealed = tokens.find(TokenId(agent.removeprefix(_TOKEN)))
    if sealed is None:
        return False
    return denial(sealed.token.grants, Capability.DRIVE, place_of(app, repositories), now) is None


class Holding(msgspec.Struct, frozen=True, eq=False):
    """
    The page holds from where one caller stands.

    Args:
        holds: All of them.
        caller: Who calls.
        may_hold: Whether an agent of that name is still there and may act on the page as it is now; else it
            holds nothing.
        now: Seconds since the epoch.
    """

    _holds: PageHolds
    _caller: Caller
    _may_hold: Callable[[str, PageId], bool]
    _now: Callable[[], float]

    def of(self, page_id: PageId) -> Lease | None:
        """
        The lease that binds now, whoever has it.
        """
        lease = alive(self._holds.of(page_id), self._now())
        return lease if lease is not None and self._may_hold(lease.holder, page_id) else None

    def keeps_away(self, page_id: PageId) -> Refusal | None:
        """
        Why this caller may not act on a page now; None when no other agent holds it.
        """
        if self._holds.of(page_id) is None:
            return None
        agent, now = agent_name(self._caller), self._now()
        other = held_by_another(self.of(page_id), agent, now)
        return None if other is None else held(other, agent, now)
