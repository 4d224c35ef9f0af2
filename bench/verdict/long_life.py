"""
What a page's long life costs: the same stretch read and judged on a page that has reported nothing before it,
and on one that has reported hundreds of thousands of events.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from reticle.bridge.page import BridgedPage
from reticle.domain.ladder import decide
from reticle.domain.predicate import parse
from reticle.testing.bridge import Bridge

BATCH = 100
STRETCH = 60
RUNS = 200
CLAIM = {"kind": "net", "method": "POST", "urlContains": "/api/orders"}


class Compared(NamedTuple):
    """
    CPU µs of one kind of work on either page; the least of many runs.
    """

    what: str
    young_us: float
    old_us: float

    @property
    def times(self) -> float:
        """How many times as dear it is on the old page."""
        return self.old_us / self.young_us


def compare(events: int) -> Iterator[Compared]:
    """
    Each kind of work on a page without a past and on one with so many events behind it.
    """
    young, old = _page("young", 0), _page("old", events)
    claim = parse(CLAIM)
    work: dict[str, Callable[[BridgedPage, int], object]] = {
        "reading the stretch": lambda page, since: page.events(since),  # type: ignore[arg-type]  # a cursor
        "making its window": lambda page, since: page.window(since),  # type: ignore[arg-type]  # as above
        "window and verdict": lambda page, since: decide(claim, page.window(since)),  # type: ignore[arg-type]
    }
    for what, do in work.items():
        yield Compared(what, _least(do, *young), _least(do, *old))


def _page(name: str, events: int) -> tuple[BridgedPage, int]:
    """
    A page with a past, and the cursor behind which its stretch begins.
    """
    bridge = Bridge()
    end = bridge.connect(name)
    for first in range(0, events, BATCH):
        bridge.clock.advance(0.05)
        for number in range(first, first + BATCH):
            end.event(*_event(number))
    bridge.clock.advance(5)
    page = bridge.page(name)
    since = page.cursor()
    for number in range(STRETCH):
        end.event(*_event(number))
    bridge.clock.advance(1)
    return page, since


def _event(number: int) -> tuple[str, dict[str, object]]:
    match number % 4:
        case 0:
            return "net.request", {
                "id": f"n{number}", "method": "POST", "url": "/api/orders", "status": 201, "ok": True,
            }  # fmt: skip
        case 1:
            return "dom.text", {"text": f"row {number}", "old": ""}
        case 2:
            return "dom.added", {"role": "listitem", "name": f"Row {number}"}
        case _:
            return "state.change", {"name": "shop", "path": "n", "value": number, "old": number - 1}


def _least(do: Callable[[BridgedPage, int], object], page: BridgedPage, since: int) -> float:
    times = []
    for _ in range(RUNS):
        began = time.process_time_ns()
        do(page, since)
        times.append(time.process_time_ns() - began)
    return min(times) / 1000
