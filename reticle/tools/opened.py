"""
Tabs and windows that a driven page opened: each is a page of its own, and an agent reads under which name.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from reticle.model.codes import EventType
from reticle.model.page import PageEvent, PageIdentity
from reticle.tools.fields import cut, text_of, told

SHOWN: Final = 5
"""An app that opens more with one act is at fault, and reticle_sessions lists them all."""

_URL_CHARS: Final = 300


def opened_fields(page: PageIdentity, events: Iterable[PageEvent]) -> dict[str, object]:
    """
    ``{"opened": [{sessionId, url}, …]}`` of the tabs that were opened in a stretch; nothing without any. What
    a page that dialled in says of that is not believed: it could name somebody else's page.
    """
    if page.attested is None:
        return {}
    told_of = [event.data for event in events if event.type == EventType.PAGE_OPENED][:SHOWN]
    return told(
        opened=[
            {"sessionId": text_of(data.get("sessionId")), "url": cut(text_of(data.get("url")), _URL_CHARS)}
            for data in told_of
        ]
    )
