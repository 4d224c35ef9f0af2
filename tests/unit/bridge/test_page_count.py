"""
Gaps in the page's own count.
"""

from __future__ import annotations

from reticle.bridge.page_count import PageCount
from reticle.model.ids import DocumentId

DOC = DocumentId("doc00001")


def test_a_gap_is_what_is_missing() -> None:
    """
    Events 1, 2, 5 mean that two were lost; a document that starts at 4 lost three.
    """
    count = PageCount()
    assert [count.of(DOC).missing_before(seq) for seq in (1, 2, 5)] == [0, 0, 2]
    assert count.of(DocumentId("doc00002")).missing_before(4) == 3


def test_repetitions_and_restarts_prove_nothing() -> None:
    """
    The same number again is no loss.
    """
    count = PageCount()
    assert [count.of(DOC).missing_before(seq) for seq in (3, 3, 1, 4)] == [2, 0, 0, 0]


def test_an_announced_gap_is_not_counted_twice() -> None:
    """
    Whether the page tells before or after the gap, its own number is the only one.
    """
    count = PageCount()
    assert count.of(DOC).announce(4) == 0
    assert count.of(DOC).missing_before(6) == 1
    assert count.of(DOC).announce(1) == 1
    assert count.of(DOC).missing_before(9) == 2
    assert count.of(DOC).announce(5) == 2
    assert count.of(DOC).missing_before(12) == 0
