"""
Who may use what one agent at a time may hold: it is taken for a limited time, kept by taking it again, given
up, or handed to another agent. A lease whose time is over binds nobody.

Pure: the store runs these rules inside its transaction, so that of two agents who ask at once one is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import Final

from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.leases import Lease

Rule = Callable[["Lease | None"], "Lease | None"]
"""From what there is to what there is to be; raises ``Refusal`` and then nothing changes."""

_HOW_TO_GO_ON: Final = (
    "Looking is still allowed. Wait until the time is over, use another page, or ask the holder for it: "
    'reticle_session {"action": "hand_over", "to": "<your agent name>"}.'
)


def alive(lease: Lease | None, now: float) -> Lease | None:
    """
    The lease while it binds anybody.
    """
    return lease if lease is not None and lease.until > now else None


def held_by_another(lease: Lease | None, agent: str, now: float, gone: Container[str] = ()) -> Lease | None:
    """
    The lease that keeps this agent away, if one does; that of a holder who is gone does not.
    """
    binding = alive(lease, now)
    if binding is None or binding.holder == agent or binding.holder in gone:
        return None
    return binding


def seconds_left(lease: Lease, now: float) -> int:
    """
    Whole seconds, rounded up: never 0 for a lease that binds.
    """
    return max(0, -int(-(lease.until - now) // 1))


def take(
    agent: str, shown: str, purpose: str, seconds: float, now: float, *, gone: Container[str] = ()
) -> Rule:
    """
    Hold it for so long from now; who holds it already goes on holding it, for a longer or shorter time.
    Agents that are gone hold nothing.
    """

    def rule(lease: Lease | None) -> Lease:
        other = held_by_another(lease, agent, now, gone)
        if other is not None:
            raise held(other, agent, now)
        binding = alive(lease, now)
        since = binding.since if binding is not None and binding.holder == agent else now
        return Lease(agent, shown, purpose, since, now + seconds)

    return rule


def release(agent: str, now: float, *, by_operator: bool = False, gone: Container[str] = ()) -> Rule:
    """
    Give it up. An operator may end another's.
    """

    def rule(lease: Lease | None) -> None:
        _demand(lease, agent, now, gone, by_operator=by_operator)

    return rule


def hand_over(agent: str, to: str, shown: str, now: float, *, gone: Container[str] = ()) -> Rule:
    """
    Let another agent hold it for the time that is left; its purpose is its own to say.
    """

    def rule(lease: Lease | None) -> Lease:
        mine = _demand(lease, agent, now, gone)
        return Lease(to, shown, "", now, mine.until)

    return rule


def held(lease: Lease, agent: str, now: float) -> Refusal:
    """
    Why an agent may not act now: who holds it and for how long yet.
    """
    purpose = f' ("{lease.purpose}")' if lease.purpose else ""
    left = seconds_left(lease, now)
    return Refusal(
        RefusalCode.PAGE_HELD,
        f"This page is held by {lease.shown}{purpose} for {left} more seconds; nothing was done.",
        _HOW_TO_GO_ON,
        {"heldBy": lease.shown, "secondsLeft": left, "yourAgentName": agent},
    )


def _demand(
    lease: Lease | None, agent: str, now: float, gone: Container[str], *, by_operator: bool = False
) -> Lease:
    binding = alive(lease, now)
    others_gone = binding is not None and binding.holder != agent and binding.holder in gone
    if binding is None or (others_gone and not by_operator):
        raise Refusal(
            RefusalCode.CONFLICT,
            "Nobody holds this page; nothing was done.",
            'Hold it first: reticle_session {"action": "hold"}.',
        )
    if binding.holder != agent and not by_operator:
        raise held(binding, agent, now)
    return binding
