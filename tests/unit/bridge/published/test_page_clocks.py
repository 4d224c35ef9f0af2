"""
Documents that come back from the back/forward cache.
"""

from __future__ import annotations

import pytest

from reticle.bridge.published.page_clocks import REMEMBERED, PageClocks
from reticle.bridge.wire import WireEvent
from reticle.model.ids import DocumentId

ONE, TWO = DocumentId("published-1"), DocumentId("published-2")


def at(page_time: float | None) -> list[WireEvent]:
    """
    An event of that time in its document.
    """
    return [WireEvent(type="page.health", page_time=page_time)]


@pytest.fixture
def clocks() -> PageClocks:
    """
    Of a page whose first document began at 10 s and whose second at 20 s.
    """
    clocks = PageClocks()
    assert clocks.speaker(at(5), ONE, 10.005) == ONE
    clocks.reconnected(20.0)
    assert clocks.speaker(at(1), TWO, 20.001) == TWO
    return clocks


def test_the_earlier_document_is_known_at_once(clocks: PageClocks) -> None:
    """
    Back: the first event over the new socket counts from the first document's beginning.
    """
    clocks.reconnected(30.0)
    assert clocks.speaker(at(20_003), TWO, 30.01) == ONE


def test_the_present_document_stays_whatever_waited(clocks: PageClocks) -> None:
    """
    A second without a socket: what waited comes late and counts from the present document's beginning.
    """
    clocks.reconnected(30.0)
    for page_time in (8_900, 9_500, 10_000):
        assert clocks.speaker(at(page_time), TWO, 30.0) == TWO
    assert clocks.speaker(at(12_000), TWO, 32.0) == TWO


def test_the_later_document_is_known_by_an_event_that_did_not_wait(clocks: PageClocks) -> None:
    """
    Forward again: an event that waited just so long would look the same, so that the next heartbeat tells.
    """
    clocks.reconnected(30.0)
    assert clocks.speaker(at(20_000), TWO, 30.0) == ONE
    clocks.reconnected(40.0)
    assert clocks.speaker(at(20_000), ONE, 40.0) == ONE
    assert clocks.speaker(at(25_000), ONE, 45.0) == TWO


def test_a_clock_that_fits_nobody_changes_nothing(clocks: PageClocks) -> None:
    """
    A laptop that slept, an event without a time, a page that was just asked: no other document is made up.
    """
    clocks.reconnected(3_600.0)
    assert clocks.speaker(at(11_000), TWO, 3_600.0) == TWO
    assert clocks.speaker(at(None), TWO, 3_601.0) == TWO
    assert clocks.speaker(at(3_591_000), TWO, 3_601.0) == ONE


def test_without_a_new_socket_nobody_comes_back(clocks: PageClocks) -> None:
    """
    A document leaves the cache with a socket of its own.
    """
    assert clocks.speaker(at(1_600), TWO, 21.6) == TWO
    clocks.reconnected(22.0)
    assert clocks.speaker(at(3_600), TWO, 23.6) == TWO
    assert clocks.speaker(at(13_700), TWO, 23.7) == TWO


@pytest.mark.parametrize(("number", "known"), [(99 - REMEMBERED, False), (99 - REMEMBERED + 1, True)])
def test_a_tab_of_many_documents_is_no_growing_memory(number: int, known: object) -> None:
    """
    The oldest are forgotten; browsers have thrown them away long before.
    """
    clocks = PageClocks()
    for each in range(1, 100):
        clocks.speaker(at(1), DocumentId(f"published-{each}"), each * 10.0)
    clocks.reconnected(1_000.0)
    back = clocks.speaker(at((1_000 - number * 10) * 1_000), DocumentId("published-99"), 1_000.0)
    assert (back == DocumentId(f"published-{number}")) is known
