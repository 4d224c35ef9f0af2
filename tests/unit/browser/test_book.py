"""
Browser leases, each until its time is over.
"""

from __future__ import annotations

import attrs
import pytest
from twisted.internet.task import Clock

from reticle.browser.book import LeaseBook
from reticle.errors import Refusal
from reticle.model.browser import BrowserLease, BrowserWish
from reticle.model.ids import BrowserLeaseId, PageId
from reticle.model.leases import Lease

L1 = BrowserLeaseId("l1")


class Scene:
    """
    A book, its time, and what was over.
    """

    def __init__(self) -> None:
        self.clock = Clock()
        self.over: list[BrowserLeaseId] = []
        self.book = LeaseBook(self.clock, lambda: 1000.0 + self.clock.seconds(), self.over.append)
        page = PageId("b1")
        self.lease = BrowserLease(L1, BrowserWish("http://a/"), Lease("a", "a", "", 1000, 1010), page, [page])
        self.book.put(self.lease)


@pytest.fixture(name="scene")
def scene_fixture() -> Scene:
    """
    One lease for ten seconds.
    """
    return Scene()


def test_a_lease_is_over_when_its_time_is(scene: Scene) -> None:
    """
    Told once; it stands until it is taken out.
    """
    scene.clock.advance(9.9)
    assert scene.over == []
    scene.clock.advance(0.2)
    assert (scene.over, scene.book.of(L1)) == ([L1], scene.lease)
    assert scene.book.take_out(L1) == scene.lease
    assert (scene.book.take_out(L1), scene.clock.getDelayedCalls()) == (None, [])


def test_a_renewed_lease_lasts_and_a_shortened_one_ends(scene: Scene) -> None:
    """
    The last rule counts.
    """
    longer = attrs.evolve(scene.lease.lease, until=1060)
    scene.book.change(L1, lambda _: longer)
    scene.clock.advance(30)
    assert scene.over == []
    scene.book.change(L1, lambda there: attrs.evolve(there, until=1031) if there else None)
    scene.clock.advance(1)
    assert scene.over == [L1]


def test_a_rule_that_refuses_changes_nothing(scene: Scene) -> None:
    """
    Another agent's renewal is refused with the lease as it was.
    """

    def refuse(_: Lease | None) -> Lease | None:
        raise Refusal("page_held", "no")

    with pytest.raises(Refusal):
        scene.book.change(L1, refuse)
    assert scene.book.all() == [scene.lease]
    assert scene.book.change(L1, lambda _: None) == (True, None)
    assert scene.book.change(BrowserLeaseId("x"), lambda there: there) == (False, None)


@pytest.mark.parametrize("name", ["b1", "b2", "b1.0", "b2.1.0"])
def test_a_page_and_its_frames_belong_to_the_lease(scene: Scene, name: str) -> None:
    """
    Who holds the tab holds what is in it.
    """
    scene.book.show(L1, [PageId("b1"), PageId("b2")])
    found = scene.book.of_page(PageId(name))
    assert found is not None
    assert found.lease_id == L1


@pytest.mark.parametrize("name", ["b", "b11", "s1", "", ".0", "b1~2"])
def test_other_pages_do_not(scene: Scene, name: str) -> None:
    """
    A page that dialled in is nobody's lease.
    """
    assert scene.book.of_page(PageId(name)) is None
