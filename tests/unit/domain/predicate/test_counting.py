"""
From what was counted to an answer: what is final, what waits, what cannot be told.
"""

from __future__ import annotations

import attrs
import pytest

from reticle.domain.predicate.counting import Tally, at_least_one, exactly
from reticle.model.limits import COUNT_HOLD_MS
from reticle.model.verdict import Held
from reticle.model.window import Window
from reticle.testing.windows import WindowBuilder

NONE = Tally("net", "a call", (), None, (), "no call", ("GET /b",))


def seen(times: int, last_t_ms: int = 0) -> Tally:
    """
    A channel that showed the event so often.
    """
    return attrs.evolve(NONE, fitting=[{"seq": number} for number in range(times)], last_t_ms=last_t_ms)


def window(held_ms: int = COUNT_HOLD_MS, *, lossy: bool = False) -> Window:
    """
    A window without events that was watched for so long.
    """
    builder = WindowBuilder(opened_t_ms=0).quiet(held_ms)
    return (builder.loss("net", 3) if lossy else builder).build()


def test_one_sighting_is_enough_and_final() -> None:
    """
    A loss, or others that might fit, take nothing back; at most five are shown.
    """
    tally = attrs.evolve(seen(7), maybe=["one still runs"])
    outcome = at_least_one(tally, window(0, lossy=True), "net.present", "net.unread")
    assert (outcome.held, outcome.final, outcome.observed) == (Held.YES, True, 7)
    assert outcome.evidence == [{"seq": number} for number in range(5)]


def test_what_might_fit_keeps_the_answer_open() -> None:
    """
    The reason names the first three that may, under the id of what could not be read.
    """
    tally = attrs.evolve(NONE, maybe=["a", "b", "c", "d"])
    outcome = at_least_one(tally, window(), "net.present", "net.unread")
    assert (outcome.held, outcome.assertion, outcome.failure) == (Held.UNKNOWN, "net.unread", "a; b; c")


def test_nothing_seen_is_no_only_without_a_loss() -> None:
    """
    "It did not happen" needs a whole watch; while it is fresh the caller is told when to look again.
    """
    gone = at_least_one(NONE, window(), "net.present", "net.unread")
    assert (gone.held, gone.failure, gone.observed, gone.final) == (Held.NO, "no call", ["GET /b"], False)
    assert gone.retry_after_ms is None
    assert at_least_one(NONE, window(COUNT_HOLD_MS - 1), "x", "y").retry_after_ms == 1
    lost = at_least_one(NONE, window(lossy=True), "net.present", "net.unread")
    assert (lost.held, lost.failure) == (
        Held.UNKNOWN, "no call, but not all of it was seen: 3 net events lost (ring)"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("count", "tally", "held", "why"),
    [
        (1, seen(2), Held.NO, "2 times, not 1: a call"),
        (0, seen(1), Held.NO, "1 time, not 0: a call"),
        (2, seen(1), Held.NO, "1 time, not 2: a call"),
        (1, NONE, Held.NO, "0 times, not 1: no call"),
        (1, seen(1), Held.YES, None),
        (0, NONE, Held.YES, None),
        (2, attrs.evolve(seen(1), maybe=["GET /x is open"]), Held.UNKNOWN, "1 so far, and GET /x is open"),
        (1, attrs.evolve(seen(2), maybe=["GET /x is open"]), Held.NO, "2 times, not 1: a call"),
    ],
)
def test_an_exact_count(count: int, tally: Tally, held: Held, why: str | None) -> None:
    """
    Too many refutes at once, too few after the watch, the right number holds; a candidate keeps it open.
    """
    outcome = exactly(count, tally, window(), "net.count")
    assert (outcome.held, outcome.failure) == (held, why)
    assert outcome.final is (len(tally.fitting) > count)
    assert (outcome.assertion, outcome.expected) == ("net.count", f"exactly {count}: a call")


def test_a_count_that_was_just_reached_waits_for_a_late_one() -> None:
    """
    A double submit comes a moment later: the count holds only once it has stood for a while.
    """
    last = 100
    early = exactly(1, seen(1, last), window(last + COUNT_HOLD_MS - 1), "net.count")
    assert (early.held, early.retry_after_ms) == (Held.UNKNOWN, 1)
    assert exactly(1, seen(1, last), window(last + COUNT_HOLD_MS), "net.count").held is Held.YES


def test_a_loss_impeaches_every_count_but_one_exceeded() -> None:
    """
    What was dropped may have been one more.
    """
    assert exactly(1, seen(1), window(lossy=True), "net.count").held is Held.UNKNOWN
    assert exactly(2, seen(1), window(lossy=True), "net.count").held is Held.UNKNOWN
    assert exactly(0, seen(1), window(lossy=True), "net.count").held is Held.NO


def test_a_count_that_held_says_how_long_it_was_watched() -> None:
    """
    A reader sees for how long no late duplicate came, and that nothing at all did.
    """
    once = exactly(1, seen(1, 100), window(100 + COUNT_HOLD_MS + 20), "net.count")
    assert once.evidence[1] == {"held": "no more than 1", "watchedMs": COUNT_HOLD_MS + 20}
    never = exactly(0, NONE, window(COUNT_HOLD_MS + 5), "net.count")
    assert never.evidence == ({"held": "no a call", "watchedMs": COUNT_HOLD_MS + 5},)
