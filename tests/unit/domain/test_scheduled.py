"""
What a verdict says of scheduled work.
"""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from reticle.domain.ladder import decide
from reticle.domain.predicate import parse
from reticle.domain.scheduled import due_within, still_scheduled, undone
from reticle.model.codes import EventType
from reticle.model.window import Pending, Window
from reticle.testing.windows import WindowBuilder


def window(age_ms: int = 0, **pending: Any) -> Window:
    """
    A window whose page said so long before its end what it had scheduled.
    """
    acted = WindowBuilder().click().net("POST", "/api/orders", 201, responseBody='{"id":1}')
    built = acted.event(EventType.DOM_ADDED, {"role": "status", "name": "", "text": "Order placed"}).build()
    told = Pending(built.closed_t_ms - age_ms, **pending)
    return attrs.evolve(built, pending=told)


TIMER = {"timers": 1, "soonest_ms": 700, "latest_ms": 700}
TWO = {"timers": 2, "animations": 1, "soonest_ms": 300, "latest_ms": 3400}


@pytest.mark.parametrize(
    ("seen", "limit", "due"),
    [
        (WindowBuilder().build(), 5000, None),
        (window(), 5000, None),
        (window(**TIMER), 5000, 700),
        (window(**TIMER), 600, None),
        (window(200, **TIMER), 600, 500),
        (window(900, **TIMER), 600, 0),
        (window(**TWO), 5000, 3400),
        (window(**TWO), 1000, 300),
        (window(loads=1), 1000, 0),
        (window(later_ms=700), 1000, None),
    ],
)
def test_known_work_has_a_time(seen: Window, limit: int, due: int | None) -> None:
    """
    The last that is due within the limit is what is waited for.
    """
    assert due_within(seen, limit) == due


@pytest.mark.parametrize(
    ("seen", "clauses"),
    [
        (WindowBuilder().build(), ()),
        (window(), ()),
        (window(**TIMER), ("a timer due in 0.7 s was not waited for",)),
        (window(900, **TIMER), ()),
        (window(**TWO), ("2 timers and an animation, the last due in 3.4 s, were not waited for",)),
        (window(later_ms=7000), ("a timer due in 7 s was not waited for",)),
        (window(8000, later_ms=7000), ()),
        (window(loads=2), ("a script, frame, document or other work of the browser was still under way",)),
        (window(400, loads=2), ()),
    ],
)
def test_what_was_not_waited_for_is_named(seen: Window, clauses: tuple[str, ...]) -> None:
    """
    Each kind of work has its clause; what is due meanwhile has run.
    """
    assert still_scheduled(seen) == clauses


def test_an_open_dialog_is_named_until_it_is_closed() -> None:
    """
    A page that stands still behind a dialog has not said its last word.
    """
    opened = {"id": "d1", "kind": "alert", "message": "Sure?", "state": "open"}
    shown = WindowBuilder().event(EventType.DIALOG, opened)
    assert [clause[:17] for clause in still_scheduled(shown.build())] == ["a dialog was open"]
    assert still_scheduled(shown.event(EventType.DIALOG, {**opened, "state": "closed"}).build()) == ()


def test_a_yes_names_it_and_honesty_counts_it() -> None:
    """
    The reader of a verdict knows what could still come; a verdict without such work says nothing of it.
    """
    claim = parse({"kind": "net", "method": "POST", "urlContains": "/api/orders", "status": 201})
    decision = decide(claim, window(**TIMER))
    assert decision.verified == "yes"
    assert decision.because.endswith("(a timer due in 0.7 s was not waited for).")
    assert decision.honesty.pending == {"timers": 1, "soonestMs": 700, "latestMs": 700}
    assert decide(claim, window()).honesty.pending == {}
    assert undone(window(900, **TIMER)) == {}
    assert undone(window(loads=1)) == {"loads": 1}
