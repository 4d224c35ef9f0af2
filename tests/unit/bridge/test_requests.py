"""
Which requests were open when.
"""

from __future__ import annotations

from reticle.bridge.requests import OpenRequests
from reticle.bridge.ring import Entry


def pending(seq: int) -> Entry:
    """
    A request that began as event number ``seq``.
    """
    return Entry(seq, seq, "net.pending", b'{"id":"n%d"}' % seq)


def open_at(requests: OpenRequests, cursor: int) -> list[int]:
    """
    The numbers of the requests open at a cursor.
    """
    return [event.seq for event in requests.open_at(cursor)]


def test_a_request_is_open_from_its_start_to_its_end() -> None:
    """
    Any past cursor gets its own answer, also after the requests ended.
    """
    requests = OpenRequests(lambda _: None)
    requests.started("a", pending(2))
    requests.started("b", pending(3))
    requests.ended("a", 5)
    assert [open_at(requests, cursor) for cursor in (1, 2, 3, 4, 5)] == [[], [2], [2, 3], [2, 3], [3]]


def test_a_document_takes_its_requests_with_it() -> None:
    """
    A request that the user navigated away from is not open for ever.
    """
    requests = OpenRequests(lambda _: None)
    requests.started("a", pending(2))
    requests.end_all(4)
    assert (open_at(requests, 3), open_at(requests, 4)) == ([2], [])


def test_too_many_open_requests_are_told() -> None:
    """
    A page that never ends its requests loses the oldest, and that is reported.
    """
    forgotten: list[int] = []
    requests = OpenRequests(lambda entry: forgotten.append(entry.seq), max_tracked=2)
    for seq in (1, 2, 3):
        requests.started(seq, pending(seq))
    assert (forgotten, open_at(requests, 3)) == ([1], [2, 3])


def test_an_end_without_a_start_is_ignored() -> None:
    """
    A request that began before the page script did opens nothing.
    """
    requests = OpenRequests(lambda _: None)
    requests.ended("a", 1)
    assert open_at(requests, 0) == []


def test_large_requests_are_remembered_up_to_a_size() -> None:
    """
    A page that asks for addresses without end costs no memory without end; each that is forgotten is told.
    """
    forgotten: list[int] = []
    requests = OpenRequests(lambda entry: forgotten.append(entry.seq), max_bytes=10_000)
    for seq in range(1, 21):
        requests.started(f"n{seq}", Entry(seq, 0, "net.pending", b"x" * 1_000))
    assert len(requests.open_at(20)) == 8
    assert forgotten == list(range(1, 13))
    for seq in range(13, 21):
        requests.ended(f"n{seq}", 30)
    assert (len(requests.open_at(25)), requests.open_at(30)) == (8, [])
