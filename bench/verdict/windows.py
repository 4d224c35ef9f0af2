"""
How long one decision takes: over an ordinary window, over a full ring, and over rings made to be slow.

The first and the best of some runs, in milliseconds of CPU time, each over a window that no rule has read
before; after the first its URLs and bodies are known.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from reticle.domain.ladder import decide
from reticle.domain.predicate import parse
from reticle.model.limits import PAGE_EVENTS
from reticle.testing.windows import WindowBuilder

RUNS = 5
SHORT_RUNS = 40
CLAIM = {
    "allOf": [
        {"kind": "text", "contains": "Saved"},
        {"kind": "net", "method": "POST", "urlContains": "/api/orders"},
    ]
}

Step = Callable[[WindowBuilder, int], object]


def write(builder: WindowBuilder, n: int) -> None:
    """
    A write with both bodies.
    """
    sent = f'{{"sku": "s{n}", "amount": {n}}}'
    builder.net(
        "POST", f"/api/orders/{n}", 201, requestBody=sent, responseBody=f'{{"id": {n}, "sku": "s{n}"}}'
    )


ORDINARY: tuple[Step, ...] = (
    lambda b, n: b.net("GET", f"/api/items/{n}", 200, responseBody=f'{{"id": {n}, "price": {n}00}}'),
    lambda b, n: b.event("dom.text", {"text": f"row {n}", "old": f"row {n - 1}"}, ref=f"e{n % 40}"),
    lambda b, n: b.event("dom.attr", {"attr": "class", "value": f"a{n}", "old": "b"}, ref=f"e{n}"),
    lambda b, n: b.console("log", f"message {n}"),
    lambda b, n: b.state_change(f"rows.{n}", n, n - 1),
    lambda b, n: b.dom_added("listitem", f"Row {n}"),
    lambda b, n: b.dom_removed("listitem", f"Row {n - 1}"),
    lambda b, n: write(b, n) if n % 5 == 0 else b.dom_added("cell", f"{n}"),
)
NETWORK: tuple[Step, ...] = (lambda b, n: b.net("GET", f"/api/items/{n}", 200, responseBody="{}"),)
FAILURES: tuple[Step, ...] = (
    lambda b, n: b.net("POST", f"/api/orders/{n}", 500, responseBody='{"detail": "no such table"}'),
    lambda b, n: b.event("dom.text", {"text": f"ordinary words in row {n}", "old": ""}, ref=f"e{n}"),
    lambda b, n: b.dom_added("listitem", f"Row {n}"),
)
WRITES: tuple[Step, ...] = (write,)
OPEN: tuple[Step, ...] = (
    lambda b, n: b.pending("GET", f"/api/slow/{n}"),
    lambda b, n: b.event("net.stream", {"transport": "ws", "direction": "in", "id": f"s{n}", "url": "/ws"}),
)
TYPING: tuple[Step, ...] = (
    lambda b, n: b.pending("GET", f"/api/search?q={n}", id_=f"q{n}"),
    lambda b, n: (
        b.answered(f"q{n - 1}", "GET", f"/api/search?q={n - 1}", responseBody=f'["r{n}"]') if n else b
    ),
    lambda b, n: b.dom_added("option", f"result number {n}"),
)

CAUSES = ("a1", "load", None)
FOLLOWED: tuple[Step, ...] = tuple(
    lambda b, n, step=step: step(b.caused(CAUSES[n % len(CAUSES)]), n)  # type: ignore[misc]  # one per step
    for step in ORDINARY
)
"""The same of a page that follows some of it to the action, and some to its loading."""

WINDOWS: Mapping[str, tuple[int, tuple[Step, ...]]] = {
    "ordinary": (300, ORDINARY),
    "two thousand": (2_000, ORDINARY),
    "two thousand, followed": (2_000, FOLLOWED),
    "full ring": (PAGE_EVENTS, ORDINARY),
    "full ring of requests": (PAGE_EVENTS, NETWORK),
    "full ring of failures": (PAGE_EVENTS, FAILURES),
    "full ring of writes": (PAGE_EVENTS, WRITES),
    "full ring, all open": (PAGE_EVENTS, OPEN),
    "full ring of overlapping reads": (PAGE_EVENTS, TYPING),
}


def recorded(events: int, steps: tuple[Step, ...]) -> WindowBuilder:
    """
    A window of about so many events, in which the claim's text came up.
    """
    builder = WindowBuilder(step_ms=1).click().text("Saved", there=False, before=True)
    if steps is FOLLOWED:
        builder.caused("load")
        for n in range(500):
            builder.changed_before("state.change", {"store": "app", "path": f"rows.{n}", "value": n})
    n = 0
    while len(builder) < events:
        steps[n % len(steps)](builder, n)
        n += 1
    return builder.text("Saved")


class Timed(NamedTuple):
    """
    One window's times in ms, and what it was worth.
    """

    name: str
    events: int
    first: float
    best: float
    verified: str


def measure() -> Iterator[Timed]:
    """
    Each window in turn.
    """
    claim = parse(CLAIM)
    for name, (events, steps) in WINDOWS.items():
        builder = recorded(events, steps)
        times: list[float] = []
        verified = ""
        for _ in range(RUNS if events == PAGE_EVENTS else SHORT_RUNS):
            window = builder.build()
            began = time.process_time()
            decision = decide(claim, window)
            times.append((time.process_time() - began) * 1000)
            verified = f"{decision.verified.value} ({decision.reason.value})"
        yield Timed(name, len(builder), times[0], min(times), verified)
