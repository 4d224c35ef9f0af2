"""
Whether a browser slowed the page.
"""

from __future__ import annotations

import pytest

from reticle.domain.throttling import hidden, silent, throttled
from reticle.testing.windows import WindowBuilder, WindowStep


@pytest.mark.parametrize(
    ("steps", "seen"),
    [
        (lambda b: b, (False, False, None)),
        (lambda b: b.event("page.health", {"hidden": False}), (False, False, None)),
        (lambda b: b.hidden(), (True, False, "the page is in a hidden tab")),
        (lambda b: b.event("page.health", {"hidden": True}), (True, False, "the page is in a hidden tab")),
        (lambda b: b.loss("page.health", where="page"), (False, False, "what the page said of itself")),
        (lambda b: b.loss("page.health", where="ring"), (False, False, None)),
        (lambda b: b.silent(12_000), (False, False, None)),
        (lambda b: b.silent(12_001).hidden(), (True, True, "the page has said nothing for 12 s")),
    ],
)
def test_a_hidden_or_silent_page_is_slowed(steps: WindowStep, seen: tuple[bool, bool, str | None]) -> None:
    """
    A tab that was hidden at any time, and one that missed its heartbeats, are told apart from a live one.
    """
    window = steps(WindowBuilder()).build()
    told = throttled(window)
    assert (hidden(window), silent(window)) == seen[:2]
    assert told == seen[2] or (told is not None and seen[2] is not None and told.startswith(seen[2]))
