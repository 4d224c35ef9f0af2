"""
Tabs that a page opened, in an answer.
"""

from __future__ import annotations

from reticle.model.browser import Attestation
from reticle.model.codes import EventType
from reticle.model.ids import BrowserLeaseId, Cursor
from reticle.testing.pages import FakePage
from reticle.tools.fields import list_of, object_of
from reticle.tools.opened import SHOWN, opened_fields

OPENED = Attestation(BrowserLeaseId("l1"), "http://127.0.0.1/")


def test_each_opened_tab_is_named_and_nothing_else() -> None:
    """
    An agent reads which page to go on with; other events are none of it.
    """
    page = FakePage(attested=OPENED)
    page.record(EventType.PAGE_HEALTH, {"hidden": False})
    assert opened_fields(page.identity, page.events(Cursor(0))) == {}
    page.record(EventType.PAGE_OPENED, {"sessionId": "b2", "url": "http://127.0.0.1/" + "x" * 1000})
    page.record(EventType.PAGE_OPENED, {"sessionId": 7})
    first, second = map(object_of, list_of(opened_fields(page.identity, page.events(Cursor(0)))["opened"]))
    assert (first["sessionId"], len(str(first["url"])) < 330) == ("b2", True)
    assert second == {"sessionId": "", "url": ""}


def test_a_flood_of_tabs_is_cut() -> None:
    """
    An answer stays small, whatever the app does.
    """
    page = FakePage(attested=OPENED)
    for number in range(50):
        page.record(EventType.PAGE_OPENED, {"sessionId": f"b{number}", "url": ""})
    assert len(list_of(opened_fields(page.identity, page.events(Cursor(0)))["opened"])) == SHOWN


def test_a_page_that_dialled_in_opens_nothing() -> None:
    """
    Such a page could lead an agent to somebody else's by its name.
    """
    page = FakePage()
    page.record(EventType.PAGE_OPENED, {"sessionId": "b2", "url": ""})
    assert opened_fields(page.identity, page.events(Cursor(0))) == {}
