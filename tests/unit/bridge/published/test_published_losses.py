"""
What the published packages lose silently.
"""

from __future__ import annotations

from reticle.bridge.published.losses import UndeclaredLosses
from reticle.bridge.wire import WireEvent
from reticle.model.ids import Cursor
from reticle.model.page import Loss
from reticle.testing.published import PublishedPage


def batch(event_type: str, count: int, time: float = 5.0) -> list[WireEvent]:
    """
    Events of one mutation batch.
    """
    return [WireEvent(type=event_type, page_time=time) for _ in range(count)]


def test_a_full_batch_is_a_loss() -> None:
    """
    Exactly 40 added elements mean that there may have been more; 39 do not.
    """
    losses = UndeclaredLosses()
    assert losses.observe(batch("dom.added", 39), 0) == []
    assert losses.observe(batch("dom.added", 1), 0) == [("dom.added", 1)]
    assert losses.observe(batch("dom.added", 1), 0) == []


def test_batches_are_told_apart_by_the_pages_time() -> None:
    """
    Two batches of 25 with a pause are two batches, and so are many small ones in a row.
    """
    losses = UndeclaredLosses()
    assert losses.observe(batch("dom.added", 25) + batch("dom.added", 25, 200.0), 0) == []
    row = [each for at in range(60) for each in batch("dom.added", 1, 400.0 + at * 4)]
    assert losses.observe(row, 0) == []


def test_a_batch_may_take_its_time() -> None:
    """
    Forty events over the milliseconds that a busy machine needs are one batch.
    """
    losses = UndeclaredLosses()
    slow = [each for at in range(8) for each in batch("dom.added", 5, 100.0 + at * 12)]
    assert losses.observe(slow, 0) == [("dom.added", 1)]


def test_a_batch_that_lost_the_processor_once_is_one_batch() -> None:
    """
    A pause of 170 ms in the middle of forty does not hide that the batch was cut.
    """
    losses = UndeclaredLosses()
    halves = [
        each for start in (100.0, 330.0) for at in range(20) for each in batch("dom.added", 1, start + at * 3)
    ]
    assert losses.observe(halves, 0) == [("dom.added", 1)]


def test_attribute_and_text_changes_share_a_cap() -> None:
    """
    Twenty of each fill the batch, and either kind may be missing.
    """
    losses = UndeclaredLosses()
    mixed = batch("dom.attr", 20) + batch("dom.text", 20)
    assert losses.observe(mixed, 0) == [("dom.attr", 1), ("dom.text", 1)]


def test_a_full_queue_after_an_outage_is_a_loss() -> None:
    """
    500 frames in the burst after a reconnect mean that the newest were dropped.
    """
    losses = UndeclaredLosses()
    losses.reconnected(10.0)
    assert losses.observe(batch("signal", 498), 10.1) == []
    assert losses.observe(batch("signal", 1), 10.2) == [("*", 1)]
    assert losses.observe(batch("signal", 5), 10.3) == []
    losses.reconnected(20.0)
    assert losses.observe(batch("signal", 600), 21.5) == []


def test_the_page_accounts_for_it(published: PublishedPage) -> None:
    """
    A window over a full batch says what it may miss.
    """
    for _ in range(40):
        published.end.event("dom.added", t=77)
    assert published.page.window(Cursor(0)).losses == [Loss(Cursor(40), "dom.added", 1, "page")]
    assert published.page.window(Cursor(41)).losses == []
