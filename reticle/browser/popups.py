"""
Windows that a driven page opens: each is a page of its own, and the page that opened it hears which one.

When the browser tells of a window it has no address yet; where it was to go was told just before.
"""

from __future__ import annotations

from collections import deque
from typing import Final

import msgspec

from reticle.browser.conversation import Session
from reticle.browser.sayings import event_message, shown_url
from reticle.model.codes import EventType
from reticle.model.ids import PageId

ASKED: Final = 16
"""Addresses of windows that were asked for and have not come; a browser may block some."""


class WindowOpen(msgspec.Struct, frozen=True):
    """
    ``Page.windowOpen``.
    """

    url: str = ""


class Openings:
    """
    What one tab asks to have opened.
    """

    def __init__(self, session: Session) -> None:
        self._asked: deque[str] = deque(maxlen=ASKED)
        session.on("Page.windowOpen", WindowOpen, lambda told: self._asked.append(told.url))

    def opened(self, page_id: PageId, url: str) -> bytes:
        """
        What the tab's page is told of a window that came, oldest first.
        """
        asked = self._asked.popleft() if self._asked else ""
        shown = shown_url(url or asked)
        return event_message(EventType.PAGE_OPENED, {"sessionId": page_id, "url": shown})
