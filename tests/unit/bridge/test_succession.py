"""
Where an act leads on a page of the published packages.
"""

from __future__ import annotations

import pytest

from reticle.bridge.page import BridgedPage
from reticle.model.ids import PageId
from reticle.model.limits import NAVIGATE_SECONDS
from reticle.testing.bridge import Bridge
from reticle.testing.sockets import PageEnd

SITE = "http://localhost:8000"
LEAVING = {"hidden": True, "focused": True, "reason": "visibilitychange"}


def comes(bridge: Bridge, name: str, *, origin: str = SITE, own: bool = False, **fields: object) -> PageEnd:
    """
    A document of the packages, or of our script, that dials in under a name.
    """
    end = bridge.dial(origin=origin)
    end.hello(name, "doc00001" if own else None, own=own, **fields)
    end.event("page.health", {"hidden": False, "focused": True, "reason": "initial"})
    return end


@pytest.fixture
def end(bridge: Bridge) -> PageEnd:
    """
    A page on which an agent acts.
    """
    first = comes(bridge, "first", projectId="shop")
    bridge.page("first").begin_action()
    return first


def names(bridge: Bridge) -> list[str]:
    """
    The connected pages.
    """
    return sorted(page.identity.page_id for page in bridge.directory.all())


def test_a_link_leads_the_page_on(bridge: Bridge, end: PageEnd) -> None:
    """
    The next document is the same page, under its old name, with a document and refs of its own.
    """
    page = bridge.page("first")
    end.lose(1001)
    after = comes(bridge, "second", projectId="shop", url=f"{SITE}/next")
    assert (names(bridge), page.identity.url) == (["first"], f"{SITE}/next")
    assert page.identity.document_id == "published-2"
    after.lose(1012)
    comes(bridge, "second", projectId="shop")
    assert names(bridge) == ["first"]


def test_a_document_that_went_to_the_cache_leads_on_too(bridge: Bridge, end: PageEnd) -> None:
    """
    Its socket stays open and silent; when the agent goes back, it comes back as the page it was.
    """
    end.event("page.health", LEAVING)
    comes(bridge, "second", projectId="shop")
    assert names(bridge) == ["first"]
    page = bridge.page("first")
    page.end_action(page.begin_action())
    end.lose(1001)
    comes(bridge, "first", projectId="shop")
    assert names(bridge) == ["first"]


def test_a_tab_that_another_comes_before_is_not_left(bridge: Bridge, end: PageEnd) -> None:
    """
    A new tab takes the focus first, then the old one is hidden: two pages.
    """
    end.event("page.health", {"hidden": False, "focused": False, "reason": "blur"})
    end.event("page.health", {**LEAVING, "focused": False})
    comes(bridge, "second", projectId="shop")
    assert names(bridge) == ["first", "second"]


@pytest.mark.parametrize(
    ("origin", "own", "project"),
    [
        ("http://localhost:9000", False, "shop"),
        ("null", False, "shop"),
        ("", False, "shop"),
        (SITE, True, "shop"),
        (SITE, False, "blog"),
    ],
)
def test_whoever_is_not_of_the_same_app_is_a_page_of_its_own(
    bridge: Bridge, end: PageEnd, origin: str, own: object, project: str
) -> None:
    """
    The browser says where a socket comes from; nothing that a page says of itself makes it a successor.
    """
    end.lose(1001)
    comes(bridge, "second", origin=origin, own=own is True, projectId=project)
    assert names(bridge) == ["second"]


@pytest.mark.parametrize("origin", ["null", ""])
def test_documents_without_an_origin_lead_nowhere(bridge: Bridge, origin: str) -> None:
    """
    Two files, or two sandboxed frames, have nothing in common by that neither says where it is from.
    """
    end = comes(bridge, "first", origin=origin, projectId="shop")
    bridge.page("first").begin_action()
    end.lose(1001)
    comes(bridge, "second", origin=origin, projectId="shop")
    assert names(bridge) == ["second"]


def test_nobody_is_led_on_without_an_act(bridge: Bridge) -> None:
    """
    A person's own way through the app, or a tab that was opened later, is another page as ever.
    """
    end = comes(bridge, "first")
    page: BridgedPage = bridge.page("first")
    page.end_action(page.begin_action())
    bridge.clock.advance(NAVIGATE_SECONDS)
    end.lose(1001)
    comes(bridge, "second")
    assert names(bridge) == ["second"]


def test_a_page_that_was_gone_before_the_act_is_not_led_on(bridge: Bridge) -> None:
    """
    Only what goes away because of the act, or while it runs, leads anywhere.
    """
    end = comes(bridge, "first")
    end.lose(1001)
    bridge.clock.advance(1)
    bridge.page("first").begin_action()
    comes(bridge, "second")
    assert names(bridge) == ["second"]


def test_two_pages_that_leave_at_once_lead_nowhere(bridge: Bridge, end: PageEnd) -> None:
    """
    Nobody can tell which of them it was.
    """
    other = comes(bridge, "other", projectId="shop")
    assert names(bridge) == ["first", "other"]
    bridge.page("other").begin_action()
    end.lose(1001)
    other.lose(1001)
    comes(bridge, "second", projectId="shop")
    assert names(bridge) == ["second"]


def test_a_page_led_on_many_times_is_no_growing_memory(bridge: Bridge, end: PageEnd) -> None:
    """
    An agent that clicks its way through a site for a day stays on one page.
    """
    for number in range(50):
        end.lose(1001)
        end = comes(bridge, f"d{number}", projectId="shop")
        bridge.page("first").begin_action()
    assert names(bridge) == ["first"]
    assert len(bridge.page("first").session_ids) < 50
    assert bridge.directory.resolve(PageId("first")).connected
