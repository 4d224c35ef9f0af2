"""
Pages that were turned away are told to the agent that wonders where its page is.
"""

from __future__ import annotations

from reticle.bridge.refused_dials import RefusedDials
from reticle.model.limits import RECENT_REFUSALS


def test_the_same_refusal_is_one_entry_with_a_count() -> None:
    """
    A page that dials every second does not push the others out, and the newest comes first.
    """
    seconds = iter(range(100))
    dials = RefusedDials(lambda: float(next(seconds)))
    dials.add("http://a", "no token", "Set it.")
    dials.add("http://b", "no token", "Set it.")
    dials.add("http://a", "no token", "Set it.")
    dials.add("http://a", "bad origin", "Use localhost.")
    told = [(dial.at, dial.origin, dial.reason, dial.count) for dial in dials.newest_first()]
    assert told == [
        (3.0, "http://a", "bad origin", 1),
        (2.0, "http://a", "no token", 2),
        (1.0, "http://b", "no token", 1),
    ]


def test_an_origin_that_was_let_in_is_forgotten() -> None:
    """
    What is mended is no longer reported, also where the origin was too long to keep whole.
    """
    long = "http://" + "a" * 500
    dials = RefusedDials(lambda: 0.0)
    dials.add(long, "no token", "Set it.")
    dials.add("http://b", "no token", "Set it.")
    assert max(len(dial.origin) for dial in dials.newest_first()) == 200
    dials.forget(long)
    assert [dial.origin for dial in dials.newest_first()] == ["http://b"]


def test_only_the_newest_are_kept() -> None:
    """
    A flood of origins fills no memory: the oldest goes when one more comes.
    """
    dials = RefusedDials(lambda: 0.0)
    for number in range(RECENT_REFUSALS + 1):
        dials.add(f"http://{number}", "no token", "Set it.")
    origins = [dial.origin for dial in dials.newest_first()]
    assert origins == [f"http://{number}" for number in range(RECENT_REFUSALS, 0, -1)]
