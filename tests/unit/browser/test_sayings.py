"""
What the browser says for a page.
"""

from __future__ import annotations

import pytest

from reticle.bridge.wire import Events, parse_message
from reticle.browser.sayings import event_message, shown_url
from reticle.model.codes import EventType


def test_it_is_an_event_without_a_number() -> None:
    """
    The page's own count of its events shows no gap beside it.
    """
    message = parse_message(event_message(EventType.DIALOG, {"kind": "alert"}))
    assert isinstance(message, Events)
    (event,) = message.events
    assert (event.type, bytes(event.data), event.page_seq, event.document_id) == (
        "dialog",
        b'{"kind":"alert"}',
        None,
        None,
    )


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://me:secret@app.test:8000/a/b.csv?token=abc#x", "http://app.test:8000/a/b.csv?…"),
        ("https://app.test/a", "https://app.test/a"),
        ("http://[::1]:80/a", "http://[::1]:80/a"),
        ("data:text/csv;base64,c2VjcmV0", "data:text/csv"),
        ("data:text/plain,secret", "data:text/plain"),
        ("blob:http://app.test/7b1c", "blob:"),
        ("javascript:alert('secret')", "javascript:"),
        ("about:blank", "about:blank"),
        ("", ""),
        ("http://[broken", ""),
    ],
)
def test_an_address_is_shown_without_what_may_be_secret(url: str, shown: str) -> None:
    """
    Neither passwords nor tokens of a query, and no content, stand in what is recorded.
    """
    assert shown_url(url) == shown
