"""
What clients hear of pages.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

import attrs
import pytest
from twisted.internet.task import Clock

from reticle.dispatch.notices import Notices
from reticle.dispatch.page_notices import PageNotices
from reticle.model.ids import PageId
from reticle.model.limits import PAGE_NOTICE_SECONDS
from reticle.model.mcp import Notice, ResourcesChanged, ResourceUpdated, ToolsChanged
from reticle.ports import Pages
from reticle.testing.pages import FakePage, FakePages

P1 = PageId("p1")
SNAPSHOT = ResourceUpdated("reticle://session/p1/snapshot")
LIST = [ResourcesChanged(), ResourceUpdated("reticle://sessions")]


def listed_now(pages: Pages) -> AbstractSet[str]:
    """
    One tool, while a page has declared something.
    """
    return frozenset({"t"} if any(page.identity.has_capabilities for page in pages.all()) else ())


@attrs.define(eq=False)
class Scene:
    """
    Pages, what is told of them, and time.
    """

    pages: FakePages = attrs.field(factory=FakePages)
    clock: Clock = attrs.field(factory=Clock)
    heard: list[Notice] = attrs.field(factory=list)
    told: PageNotices = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        notices = Notices()
        notices.subscribe(self._hear)
        for uri in ("reticle://sessions", SNAPSHOT.uri):
            notices.watch(uri, self._hear)
        self.told = PageNotices(notices, self.clock)
        self.told.watch(self.pages, listed_now)

    def _hear(self, notice: Notice) -> None:
        self.heard.append(notice)

    def hear(self) -> list[Notice]:
        """
        What is told by the time that it must be.
        """
        self.clock.advance(PAGE_NOTICE_SECONDS)
        heard, self.heard[:] = list(self.heard), []
        return heard


@pytest.fixture
def scene() -> Scene:
    """
    Nobody connected.
    """
    return Scene()


def test_a_page_that_comes_changes_the_lists(scene: Scene) -> None:
    """
    A client learns that there is a page to read, and nothing of tools that are the same.
    """
    scene.pages.pages.append(FakePage("p1"))
    scene.told.page_changed(P1)
    assert scene.heard == []
    assert scene.hear() == [*LIST, SNAPSHOT]


def test_the_tools_change_only_when_the_list_differs(scene: Scene) -> None:
    """
    A second page that declares something changes no list of tools; the last one that leaves does.
    """
    first, second = FakePage("p1"), FakePage("p2")
    for page in (first, second):
        page._identity = attrs.evolve(page.identity, has_capabilities=True)
    scene.pages.pages.append(first)
    scene.told.page_changed(P1)
    assert ToolsChanged() in scene.hear()
    scene.pages.pages.append(second)
    scene.told.page_changed(PageId("p2"))
    assert ToolsChanged() not in scene.hear()
    scene.pages.pages.clear()
    scene.told.page_changed(P1)
    assert ToolsChanged() in scene.hear()


def test_a_busy_page_is_told_once_in_a_while_and_at_last(scene: Scene) -> None:
    """
    A thousand changes are one notice, and the change after it is not forgotten.
    """
    scene.pages.pages.append(FakePage("p1"))
    scene.told.page_changed(P1)
    scene.hear()
    for _ in range(1_000):
        scene.told.page_changed(P1)
    assert scene.hear() == [SNAPSHOT]
    assert scene.hear() == []
    scene.told.page_changed(P1)
    assert scene.hear() == [SNAPSHOT]


def test_a_reload_within_the_time_changes_no_list(scene: Scene) -> None:
    """
    A page that is away only to come back is no other list, but shows something else.
    """
    page = FakePage("p1")
    scene.pages.pages.append(page)
    scene.told.page_changed(P1)
    scene.hear()
    scene.pages.pages.clear()
    scene.told.page_changed(P1)
    scene.pages.pages.append(page)
    scene.told.page_changed(P1)
    assert scene.hear() == [SNAPSHOT]


def test_a_route_is_no_other_list(scene: Scene) -> None:
    """
    A page that moves on is told to whoever reads the pages, and makes nobody list resources again.
    """
    page = FakePage("p1")
    scene.pages.pages.append(page)
    scene.told.page_changed(P1)
    scene.hear()
    page.load_document("doc2", "http://localhost:8000/next")
    scene.told.page_changed(P1)
    assert scene.hear() == [LIST[1], SNAPSHOT]


def test_before_there_are_pages_nothing_is_told() -> None:
    """
    A change while the daemon is being put together breaks nothing.
    """
    clock, heard, notices = Clock(), list[Notice](), Notices()
    notices.watch(SNAPSHOT.uri, heard.append)
    PageNotices(notices, clock).page_changed(P1)
    clock.advance(PAGE_NOTICE_SECONDS)
    assert heard == []


def test_another_app_is_another_list() -> None:
    """
    Where a page is led to another app, clients that may see only one of the two look at their lists anew.
    """
    page = FakePage("p1", url="http://localhost:1/")
    scene = Scene(FakePages(page))
    page.load_document("d2", "http://localhost:1/other")
    scene.told.page_changed(P1)
    assert ResourcesChanged() not in scene.hear()
    page.load_document("d3", "http://localhost:2/")
    scene.told.page_changed(P1)
    assert ResourcesChanged() in scene.hear()
