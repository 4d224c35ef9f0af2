"""
The resource that lists the pages.
"""

from __future__ import annotations

import json

from twisted.internet.defer import Deferred

from reticle.resources.sessions import read_sessions
from reticle.resources.spec import Content
from reticle.testing.context import FakeContext
from reticle.testing.pages import FakePage, FakePages


def test_every_page_leads_to_its_snapshot() -> None:
    """
    A client that reads the list knows what is open, how it is, and where to read on.
    """
    hidden = FakePage("a/b", title="Cart", url="http://localhost/cart")
    hidden.hide()
    context = FakeContext(FakePages(FakePage("p1"), hidden))
    got: list[Content] = []
    Deferred.fromCoroutine(read_sessions(context)).addCallback(got.append)
    assert got[0].mime_type == "application/json"
    first, second = json.loads(got[0].text or "")["sessions"]
    assert (first["sessionId"], first["throttled"]) == ("p1", False)
    assert second == {
        "sessionId": "a/b",
        "url": "http://localhost/cart",
        "title": "Cart",
        "projectId": None,
        "throttled": True,
        "control": "active",
        "snapshot": "reticle://session/a%2Fb/snapshot",
    }
