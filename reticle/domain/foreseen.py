"""
When there is nothing left to wait for: a claim that holds need not be watched for ``QUIET_MS`` where it is
known that nothing comes (``domain.calm``).

A claim that something is there rests on what was seen. One that something is not there, or came so many times
and no more, rests on what did not come, and an address is changed by most routers before they have the page:
for these nothing may be able to come that the page script does not see begin.
``never``, ``settled`` and ``within`` name a time of their own, and an animation takes its own; what a server
does is told by itself. These are watched in full.
What the script cannot see begin is listed in decision 0005 (``docs/development/decisions``).
"""

from __future__ import annotations

import attrs

from reticle.domain.calm import calm_in_ms
from reticle.domain.predicate.evaluate import evaluate
from reticle.domain.predicate.kinds import (
    AllOf,
    Animation,
    AnyOf,
    Console,
    Element,
    InOrder,
    Log,
    Net,
    Not,
    Perf,
    Predicate,
    Server,
    Settled,
    Signal,
    Sql,
    State,
    Stream,
    Text,
    Within,
)
from reticle.model.limits import NEVER_MS
from reticle.model.verdict import Held, Outcome
from reticle.model.window import Window


def nothing_comes_in(predicate: Predicate, window: Window) -> int | None:
    """
    In how many milliseconds a claim that holds over ``window`` has been watched for long enough.

    0 is now. None: by what is known, something may come, or the claim needs its full time.
    """
    if names_a_time(predicate):
        return None
    return calm_in_ms(window, strictly=not _claims_presence(predicate))


def lacks_only_time(predicate: Predicate, window: Window, outcome: Outcome) -> bool:
    """
    Whether a claim that cannot be told yet holds if nothing further comes: its hold and the quiet of the page
    are watched side by side.

    Args:
        predicate: What is claimed.
        window: The recorded window.
        outcome: The claim's outcome over it.
    """
    if outcome.held is not Held.UNKNOWN or outcome.retry_after_ms is None:
        return False
    later = attrs.evolve(window, closed_t_ms=window.closed_t_ms + NEVER_MS, pending=None)
    return evaluate(predicate, later).held is Held.YES


def names_a_time(predicate: Predicate) -> bool:
    """
    Whether a part of the claim is to be watched for a time of its own.
    """
    match predicate:
        case AllOf(predicates=parts) | AnyOf(predicates=parts) | InOrder(predicates=parts):
            return any(names_a_time(part) for part in parts)
        case Not(predicate=part, hold_ms=None):
            return names_a_time(part)
        case Not() | Within() | Settled() | Animation() | Perf() | Stream() | Server() | Sql() | Log():
            return True
        case _:
            return False


def _claims_presence(predicate: Predicate) -> bool:
    """
    Whether the whole claim is that something is there or came, by kinds of which that is known.
    """
    match predicate:
        case AllOf(predicates=parts) | AnyOf(predicates=parts):
            return all(_claims_presence(part) for part in parts)
        case State(equals={"$exists": False}):
            return False
        case Element(absent=False) | Text(absent=False) | Console(absent=False):
            return True
        case Net(count=None) | Signal(count=None) | State():
            return True
        case _:
            return False
