"""
What was produced and not kept.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reticle.bridge.losses import FLOOD, PAGE, RING, LossAccount
from reticle.bridge.ring import Entry
from reticle.model.ids import Cursor
from reticle.model.page import Loss


def test_only_windows_over_a_loss_are_impeached() -> None:
    """
    A loss at cursor 200 concerns windows from 200 or earlier, not later ones.
    """
    account = LossAccount()
    account.add("dom", 200, 7, PAGE)
    assert account.between(150, 300) == [Loss(Cursor(200), "dom", 7, "page")]
    assert account.between(200, 300) == [Loss(Cursor(200), "dom", 7, "page")]
    assert account.between(201, 300) == []
    assert account.between(0, 199) == []


def test_an_eviction_belongs_to_the_window_of_its_event() -> None:
    """
    Losing event 11 spoils a window up to 11, not one that ends at 10; other losses at 10 do.
    """
    account = LossAccount()
    account.add("signal", 10, 1, RING)
    account.add("signal", 10, 1, FLOOD)
    assert account.between(5, 10) == [Loss(Cursor(10), "signal", 1, "flood")]
    assert account.between(5, 11) == [
        Loss(Cursor(10), "signal", 1, "flood"),
        Loss(Cursor(10), "signal", 1, "ring"),
    ]


def test_neighbouring_losses_are_one() -> None:
    """
    A flood is told as one number, from the window's own beginning.
    """
    account = LossAccount()
    for at in range(100, 160):
        account.add("console.log", at, 2, FLOOD)
    assert account.between(0, 500) == [Loss(Cursor(100), "console.log", 120, "flood")]
    assert account.between(130, 500) == [Loss(Cursor(130), "console.log", 120, "flood")]
    assert account.total == 120


def test_a_loss_that_got_a_name_is_not_told_twice() -> None:
    """
    What was an unknown loss and turns out to be DOM churn no longer impeaches a claim about requests.
    """
    account = LossAccount()
    account.add("*", 5, 3, PAGE)
    account.add("*", 500, 4, PAGE)
    account.take_back("*", 5, PAGE)
    assert account.between(0, 900) == [Loss(Cursor(5), "*", 2, "page")]
    account.take_back("*", 99, PAGE)
    assert (account.between(0, 900), account.total) == ([], 0)


def test_too_many_channels_become_any_channel() -> None:
    """
    A page cannot fill the account with invented names; the loss is still told.
    """
    account = LossAccount()
    for number in range(70):
        account.add(f"x{number}", number, 1, RING)
    losses = account.between(0, 1_000)
    assert len(losses) == 65
    assert losses[-1] == Loss(Cursor(64), "*", 6, "ring")


@given(
    st.lists(st.tuples(st.integers(0, 5_000), st.integers(1, 9)), max_size=60),
    st.integers(0, 5_000),
)
def test_merging_never_hides_a_loss(losses: list[tuple[int, int]], since: int) -> None:
    """
    However many there were, a window never sees fewer than happened inside it.
    """
    account = LossAccount()
    for at, dropped in sorted(losses):
        account.add("dom", at, dropped, PAGE)
    inside = sum(dropped for at, dropped in losses if at >= since)
    assert sum(loss.dropped for loss in account.between(since, 10_000)) >= inside
    assert account.total == sum(dropped for _, dropped in losses)


@given(
    st.lists(
        st.tuples(st.sampled_from(["a", "b", "*", *map(str, range(70))]), st.integers(1, 200)), max_size=90
    )
)
def test_evictions_told_at_once_are_those_told_one_by_one(gone: list[tuple[str, int]]) -> None:
    """
    The short road of the ring's own losses, in any order and beyond the bounds, gives the same account.
    """
    at_once, one_by_one = LossAccount(), LossAccount()
    entries = [Entry(seq, 0, event_type, b"{}") for event_type, seq in gone]
    at_once.add_evicted(entries)
    for entry in entries:
        one_by_one.add(entry.type, entry.seq - 1, 1, RING)
    assert at_once.between(0, 300) == one_by_one.between(0, 300)
    assert at_once.total == one_by_one.total
