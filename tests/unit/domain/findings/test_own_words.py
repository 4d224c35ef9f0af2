"""
Words of a message that come from what the user did.
"""

from __future__ import annotations

import pytest

from reticle.domain.findings.own_words import without_own_words
from reticle.testing.windows import WindowBuilder


@pytest.mark.parametrize(
    ("name", "url", "sent", "text", "left"),
    [
        ("Reject", "/offers/7", "", "Offer rejected", "Offer"),
        ("No", "/offers/7/decline", "", "Offer declined", "Offer"),
        ("Deny", "/requests/7", "", "Request denied", "Request"),
        ("Dent", "/requests/7", "", "Request denied", "Request denied"),
        ("Form", "/requests", "", "Forbidden", "Forbidden"),
        ("Retry failed", "/jobs", "", "Retry failed", "Retry failed"),
        ("Add", "/items", '{"item": {"title": "Login  error"}}', "Added: login error", "Added:"),
        ("Add", "/items", "title=Login+error", "Added: Login errors", "Added: Login errors"),
        ("Add", "/items", '{"title": "Milk"}', "Milk: failed", "Milk: failed"),
    ],
)
def test_what_was_sent_and_how_the_action_is_called_is_taken_out(
    name: str, url: str, sent: str, text: str, left: str
) -> None:
    """
    A to-do called "Login error" is no error, and a refused offer was refused by the user.
    """
    window = WindowBuilder().click(name).net("POST", url, 200, requestBody=sent).build()
    assert without_own_words(text, window).strip() == left
