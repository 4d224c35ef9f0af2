"""
When "it did not happen" may be said.
"""

from __future__ import annotations

import pytest

from reticle.domain.predicate.watching import events_after, held_too_briefly, unseen
from reticle.model.limits import COUNT_HOLD_MS
from reticle.testing.windows import WindowBuilder


@pytest.mark.parametrize(
    ("channel", "lost", "hidden"),
    [
        ("net", "net", True),
        ("net", "*", True),
        ("net", "dom", False),
        ("console", "console.log", True),
        ("console", "error", True),
        ("signal", "error", False),
    ],
)
def test_a_loss_hides_its_own_channel(channel: str, lost: str, *, hidden: bool) -> None:
    """
    Dropped log lines do not make a request doubtful; uncaught errors belong to the console.
    """
    assert (unseen(WindowBuilder().loss(lost).build(), channel) is not None) is hidden


def test_a_clean_watch_has_no_gap() -> None:
    """
    Without losses and blind spots an absence can be vouched for; a frame hides text, not requests.
    """
    assert unseen(WindowBuilder().build(), "net") is None
    assert unseen(WindowBuilder().blind_spot("virtualized-unmounted").build(), "net") is None


def test_a_fresh_answer_waits_for_the_rest_of_its_time() -> None:
    """
    The time runs from the last event that counted, or from the start.
    """
    window = WindowBuilder(opened_t_ms=1_000).quiet(COUNT_HOLD_MS).build()
    assert held_too_briefly(window, None) is None
    gap = held_too_briefly(window, 1_100)
    assert gap is not None
    assert (gap.retry_after_ms, gap.why) == (
        100,
        f"watched for only {COUNT_HOLD_MS - 100} ms of {COUNT_HOLD_MS}",
    )


def test_events_are_taken_by_family_and_cursor() -> None:
    """
    ``console`` is every level and no other word that begins so; a leaf's cursor narrows, never widens.
    """
    builder = WindowBuilder(since=10).console("log", "a").event("consoles", {}).console("error", "b")
    window = builder.build()
    assert [event.seq for event in events_after(window, None, "console")] == [11, 13]
    assert [event.seq for event in events_after(window, 11, "console")] == [13]
    assert [event.seq for event in events_after(window, 3, "console")] == [11, 13]
    assert [event.seq for event in events_after(window, None, "console.log")] == [11]
