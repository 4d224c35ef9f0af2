"""
Page holds as one agent meets them: by what name it holds, and which pages keep it away.

A capability token is one agent, however often it connects. Without one each lasting conversation is an agent
of its own, and the callers without a session are one agent per principal.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable

import attrs

from reticle.dispatch.call import Caller
from reticle.domain.lease import held, held_by_another
from reticle.errors import Refusal
from reticle.model.ids import PageId, TokenId
from reticle.model.leases import Lease
from reticle.model.trust import PrincipalKind
from reticle.ports import PageHolds, TokenStore

_TOKEN = f"{PrincipalKind.TOKEN.value}:"


def agent_name(caller: Caller) -> str:
    """
    What an agent is called where others read it; no session id can be made of it.
    """
    if caller.principal.kind is PrincipalKind.TOKEN or not caller.lasting:
        return caller.principal.name
    return conversation_name(caller.conversation_id)


def conversation_name(conversation_id: str) -> str:
    """
    The name of the agent that a conversation without a token is.
    """
    return f"agent:{hashlib.sha256(conversation_id.encode()).hexdigest()[:12]}"


def shown_name(agent: str, tokens: TokenStore) -> str:
    """
    The name as people read it: with what a token was called when it was made.
    """
    sealed = tokens.find(TokenId(agent.removeprefix(_TOKEN))) if agent.startswith(_TOKEN) else None
    called = "" if sealed is None else sealed.token.display_name
    return f"{called} ({agent})" if called else agent


def knows(agent: str, tokens: TokenStore, conversations: Iterable[str]) -> bool:
    """
    Whether there is such an agent to give a page to: a token that was not revoked, or a conversation that
    has called something lately.
    """
    if agent.startswith(_TOKEN):
        sealed = tokens.find(TokenId(agent.removeprefix(_TOKEN)))
        return sealed is not None and sealed.token.revoked_at is None
    return any(conversation_name(each) == agent for each in conversations)


@attrs.frozen(eq=False)
class Holding:
    """
    The page holds from where one caller stands.

    Args:
        holds: All of them.
        caller: Who calls.
        now: Seconds since the epoch.
    """

    _holds: PageHolds
    _caller: Caller
    _now: Callable[[], float]

    def keeps_away(self, page_id: PageId) -> Refusal | None:
        """
        Why this caller may not act on a page now; None when no other agent holds it.
        """
        lease: Lease | None = self._holds.of(page_id)
        if lease is None:
            return None
        agent, now = agent_name(self._caller), self._now()
        other = held_by_another(lease, agent, now)
        return None if other is None else held(other, agent, now)
