"""
What some events mean for the recording that they are in; the rest is seen in ``test_recording.py``.
"""

from __future__ import annotations

import json

import pytest

from reticle.bridge.bookkeeping import Bookkeeping
from reticle.bridge.losses import LossAccount
from reticle.bridge.page_count import PageCount
from reticle.bridge.ring import Entry
from reticle.model.ids import Cursor, DocumentId
from reticle.model.limits import LOSS_CHANNELS, TRACKED_REQUESTS
from reticle.model.page import Loss

DOC = DocumentId("doc00001")


class Books:
    """
    The bookkeeping of a page that reports one event after the other.
    """

    def __init__(self) -> None:
        self.losses = LossAccount()
        self.newest = 0
        self.kept = Bookkeeping(self.losses, PageCount(), lambda: self.newest)

    def tell(self, event_type: str, data: object) -> None:
        """
        One event.
        """
        self.newest += 1
        self.kept.watchers[event_type](
            Entry(self.newest, 0, event_type, json.dumps(data).encode(), document_id=DOC)
        )

    def open(self) -> list[object]:
        """
        The ids of the open requests.
        """
        return [event.data["id"] for event in self.kept.requests.open_at(self.newest)]


@pytest.mark.parametrize("request_id", ["n1", 7, ""])
def test_a_request_is_open_until_it_ends(request_id: object) -> None:
    """
    Whatever kind of id a script gives, its end is found.
    """
    books = Books()
    books.tell("net.pending", {"url": "/", "id": request_id})
    assert books.open() == [request_id]
    books.tell("net.request", {"id": request_id, "status": 200})
    assert (books.open(), len(books.kept.answers)) == ([], 1)


@pytest.mark.parametrize("data", [{"id": None}, {"id": [1]}, {}, [], "[UNSERIALIZABLE]", 5])
def test_a_request_without_an_id_is_never_open(data: object) -> None:
    """
    What could never be seen to end keeps no page busy.
    """
    books = Books()
    books.tell("net.pending", data)
    assert books.open() == []


def test_forgotten_requests_are_losses() -> None:
    """
    A page with more open requests than are remembered cannot be said to be at rest.
    """
    books = Books()
    for number in range(TRACKED_REQUESTS + 1):
        books.tell("net.pending", {"id": number})
    assert books.losses.between(0, books.newest + 1) == [Loss(Cursor(books.newest), "net.pending", 1, "ring")]


def test_an_overflow_of_too_many_names_is_a_loss_of_anything() -> None:
    """
    However many channels a page names, all that it dropped is accounted for, a few of them by name.
    """
    books = Books()
    books.tell("transport.overflow", {"dropped": 1, "channels": {f"c{number}": 2 for number in range(500)}})
    losses = books.losses.between(0, 1)
    assert sum(loss.dropped for loss in losses) == books.losses.total == 1_000
    assert {"c0", "*"} <= {loss.channel for loss in losses}
    assert len(losses) == LOSS_CHANNELS + 1
