"""
Who may do what with a browser lease.

A lease is its holder's alone, and keeps the other agents' acts off its pages, unless it is shared. That of an
agent that is gone binds nobody: whoever renews it has it. One that was opened under a token for some
repositories is for the app that it was opened for: a page of it that was led to another repository's app is
open to that repository's agents, as its holder may not act there. Pure; the browser runs these rules over its
leases.
"""

from __future__ import annotations

from collections.abc import Container

import attrs

from reticle.domain.lease import Rule, held, held_by_another
from reticle.errors import Refusal
from reticle.model.browser import BrowserLease
from reticle.model.codes import RefusalCode
from reticle.model.ids import RepositoryId
from reticle.model.leases import Lease
from reticle.model.limits import BROWSER_CALL_SECONDS


@attrs.frozen
class Asker:
    """
    From where a rule is asked: which agent, when (seconds since the epoch), which holders are gone by then.
    """

    agent: str
    now: float
    gone: Container[str] = frozenset()


def keeps_away(lease: BrowserLease, asker: Asker) -> Lease | None:
    """
    Whose lease keeps this agent from acting on its pages; None when it may.
    """
    return None if lease.wish.shared else held_by_another(lease.lease, asker.agent, asker.now, asker.gone)


def keeps_away_from(lease: BrowserLease, asker: Asker, place: RepositoryId | None) -> Lease | None:
    """
    Whose lease keeps this agent from acting on a page of it that shows the app of repository ``place`` now.
    """
    within = lease.wish.within
    return None if within is not None and place not in {None, within} else keeps_away(lease, asker)


def begin(asker: Asker, shown: str, seconds: float) -> Lease:
    """
    The lease of somebody who opens a page now; ``shown`` is what people call that agent.
    """
    return Lease(asker.agent, shown, "", asker.now, asker.now + seconds)


def touch(lease: BrowserLease, asker: Asker) -> Rule:
    """
    A call is made on a page of it: whoever may act there keeps it for its whole time again, and at least for
    as long as a call may take. Others, who may look, change nothing.
    """
    length = max(lease.wish.seconds, BROWSER_CALL_SECONDS)

    def rule(there: Lease | None) -> Lease | None:
        if there is None or keeps_away(attrs.evolve(lease, lease=there), asker) is not None:
            return there
        return attrs.evolve(there, until=max(there.until, asker.now + length))

    return rule


def renew(lease: BrowserLease, asker: Asker, shown: str, seconds: float) -> Rule:
    """
    Have it for so long from now; that of a holder who is gone is taken over. The rule raises ``Refusal``
    ``page_held`` for anybody else.
    """

    def rule(there: Lease | None) -> Lease:
        if there is None:
            raise no_lease(lease.lease_id)
        other = keeps_away(attrs.evolve(lease, lease=there), asker)
        if other is not None:
            raise held(other, asker.agent, asker.now)
        if there.holder in asker.gone and not lease.wish.shared:
            return begin(asker, shown, seconds)
        return attrs.evolve(there, until=asker.now + seconds)

    return rule


def release(asker: Asker, *, by_operator: bool = False) -> Rule:
    """
    End it: its holder may, an operator, and anybody when the holder is gone. A shared one too is its holder's
    to end. The rule raises ``Refusal`` ``page_held`` for anybody else.
    """

    def rule(there: Lease | None) -> None:
        other = held_by_another(there, asker.agent, asker.now, asker.gone)
        if other is not None and not by_operator:
            raise held(other, asker.agent, asker.now)

    return rule


def no_lease(name: str) -> Refusal:
    """
    Why a lease that is not there cannot be used; a retry makes no sense, opening another one does.
    """
    return Refusal(
        RefusalCode.NOT_FOUND,
        f"There is no browser lease {name[:80]}: it was released, its time was over, or the browser ended.",
        'reticle_lease {"action": "list"} shows those there are; acquire opens another one.',
    )
