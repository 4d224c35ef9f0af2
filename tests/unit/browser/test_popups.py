"""
What a page hears of a window that it opened.
"""

from __future__ import annotations

from reticle.bridge.wire import Events, parse_message
from reticle.browser.popups import opened_message
from reticle.model.ids import PageId


def test_the_opener_hears_the_name_and_the_address() -> None:
    """
    An agent can go on in the new tab by its name.
    """
    message = parse_message(opened_message(PageId("b2"), "http://app.test/help?token=abc"))
    assert isinstance(message, Events)
    (event,) = message.events
    assert (event.type, bytes(event.data)) == (
        "page.opened",
        '{"sessionId":"b2","url":"http://app.test/help?…"}'.encode(),
    )
