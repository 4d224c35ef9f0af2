"""
Sampling a flood.
"""

from __future__ import annotations

from reticle.bridge.flood import FloodGate


def test_what_decides_has_a_reserve_of_its_own() -> None:
    """
    One console error behind three log lines in a second of two is kept.
    """
    gate = FloodGate(per_second=2)
    assert [gate.admits("console.log", 5.0 + tenth / 10) for tenth in range(3)] == [True, True, False]
    assert [gate.admits("console.error", 5.5) for _ in range(3)] == [True, True, False]


def test_the_next_second_starts_afresh() -> None:
    """
    A burst does not silence a page for longer than its second.
    """
    gate = FloodGate(per_second=1)
    assert [gate.admits("dom.text", now) for now in (1.0, 1.9, 2.0)] == [True, False, True]


def test_many_at_once_are_taken_or_looked_at_one_by_one() -> None:
    """
    A batch that fits is kept whole; of one that does not, as much as fits.
    """
    gate = FloodGate(per_second=5)
    assert (gate.takes(3, 1.0), gate.takes(3, 1.5)) == (True, False)
    assert [gate.admits("console.log", 1.5) for _ in range(3)] == [True, True, False]
    assert gate.takes(5, 2.0)
