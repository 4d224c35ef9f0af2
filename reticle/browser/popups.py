"""
Windows that a driven page opens: each is a page of its own, and the page that opened it hears which one.
"""

from __future__ import annotations

from reticle.browser.sayings import event_message, shown_url
from reticle.model.codes import EventType
from reticle.model.ids import PageId


def opened_message(page_id: PageId, url: str) -> bytes:
    """
    What the opener is told. The address is that which was asked for; it may still be on its way.
    """
    return event_message(EventType.PAGE_OPENED, {"sessionId": page_id, "url": shown_url(url)})
