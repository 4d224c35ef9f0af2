"""
Slow facts at any cursor.
"""

from __future__ import annotations

from reticle.bridge.history import ANY_KIND, BlindSpots, History
from reticle.model.limits import BLIND_SPOT_KINDS, HISTORY_MARKS


def test_a_value_is_as_it_was() -> None:
    """
    A past window gets the past value.
    """
    history = History("a")
    history.set("b", 3)
    history.set("c", 7)
    history.set("d", 7)
    assert [history.at(cursor) for cursor in (0, 3, 6, 7, 9)] == ["a", "b", "b", "d", "d"]
    assert (history.during(1, 6), history.during(4, 6), history.now) == (["a", "b"], ["b"], "d")


def test_old_marks_are_forgotten_into_the_beginning() -> None:
    """
    A page that changes for days costs no more than its last marks.
    """
    history = History(0, marks=3)
    for at in range(1, 10):
        history.set(at, at)
    assert [history.at(cursor) for cursor in (0, 6, 7, 9)] == [6, 6, 7, 9]


def test_a_blind_spot_counts_for_every_window_it_touched() -> None:
    """
    A frame that vanished half-way hid something before; a withdrawn spot does not bother later windows.
    """
    spots = BlindSpots()
    spots.report("cross-origin-iframe", 2, 3)
    spots.report("closed-shadow-root", 1, 4)
    spots.report("cross-origin-iframe", 0, 6)
    assert spots.during(0, 2) == {}
    assert spots.during(0, 5) == {"cross-origin-iframe": 2, "closed-shadow-root": 1}
    assert spots.during(6, 9) == {"closed-shadow-root": 1}
    spots.clear(10)
    assert spots.during(10, 12) == {}


def test_kinds_beyond_the_cap_hide_anything() -> None:
    """
    A page that makes up kinds of blind spots costs a bounded table, and none of what it said is forgotten.
    """
    spots = BlindSpots()
    for number in range(BLIND_SPOT_KINDS):
        spots.report(f"kind-{number}", 1, number)
    spots.report("one-more", 7, 100)
    spots.report("yet-another", 3, 101)
    spots.report("yet-another", 0, 102)
    spots.report("kind-0", 0, 103)
    assert len(spots.during(104, 105)) == BLIND_SPOT_KINDS
    assert (spots.during(104, 105)[ANY_KIND], "kind-0" in spots.during(104, 105)) == (7, False)


def test_what_is_said_again_pushes_nothing_out() -> None:
    """
    However often a page repeats its blind spots, a window far back still knows when they began.
    """
    spots = BlindSpots()
    spots.report("cross-origin-iframe", 1, 10)
    for at in range(11, 11 + 2 * HISTORY_MARKS):
        spots.report("cross-origin-iframe", 1, at)
        spots.report("never-there", 0, at)
    assert (spots.during(0, 9), spots.during(0, 10)) == ({}, {"cross-origin-iframe": 1})
