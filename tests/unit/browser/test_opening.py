"""
What every tab of a lease is given before the app's own scripts.
"""

from __future__ import annotations

import json
from itertools import count

from reticle.browser.opening import Outfitter
from reticle.model.browser import Attestation, BrowserWish, Standing
from reticle.model.ids import BrowserLeaseId, PageId
from reticle.testing.bridge import Bridge
from reticle.testing.sockets import FakeSocketWriter

WISH = BrowserWish("http://user:secret@localhost:8000/cart?x=1", project_id="shop")


def outfitter(bridge: Bridge) -> Outfitter:
    """
    One whose words are numbered.
    """
    numbers = count(1)
    return Outfitter(bridge.directory, lambda: f"w{next(numbers)}", lambda: "ws://127.0.0.1:4477/reticle")


def test_a_tab_gets_the_script_with_its_own_names() -> None:
    """
    JSON text, ready for the browser; no two tabs have one name.
    """
    clothes = outfitter(Bridge())
    fittings = clothes.fittings(BrowserLeaseId("l1"), WISH)
    source = json.loads(fittings.script(PageId("b9")))
    for told in (
        '"binding": "rw1", "door": "rw2", "word": "rw3"',
        '"session": "b9", "url": "ws://127.0.0.1:4477/reticle", "project": "shop"',
        '"panel": false, "console": false',
    ):
        assert told in source
    assert (clothes.new_page(), clothes.new_page()) == ("bw4", "bw5")


def test_its_documents_are_attested_with_the_url_that_was_opened() -> None:
    """
    What the page says of itself has no part in it; since when its context is there is known, too.
    """
    bridge = Bridge()
    fittings = outfitter(bridge).fittings(BrowserLeaseId("l1"), WISH, 12.5, 3.5)
    link = fittings.admit(FakeSocketWriter(), lambda _: Standing(PageId("b9"), is_frame=False, origin=""))
    assert link is not None
    hello = {
        "kind": "hello",
        "protocolVersion": 1,
        "sessionId": "b9",
        "url": "http://evil.example/",
        "title": "",
    }
    link.texts_received([json.dumps(hello).encode()])
    [page] = bridge.directory.all()
    assert page.identity.attested == Attestation(BrowserLeaseId("l1"), WISH.url)
    assert (page.identity.attested.since, page.identity.attested.since_monotonic) == (12.5, 3.5)


def test_the_panel_is_there_where_a_person_looks_on() -> None:
    """
    And in no picture of a page that nobody looks at.
    """
    fittings = outfitter(Bridge()).fittings(BrowserLeaseId("l1"), BrowserWish("http://a/", headed=True))
    assert '"panel": true, "console": true' in json.loads(fittings.script(PageId("b9")))
    assert fittings.headed
