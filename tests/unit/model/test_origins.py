"""
The origin of an address.
"""

from __future__ import annotations

import pytest

from reticle.model.origins import origin_of


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("http://localhost:80/a?b#c", "http://localhost"),
        ("https://shop.example:443/", "https://shop.example"),
        ("https://Shop.example:8443/", "https://shop.example:8443"),
        ("http://[::1]:3000/", "http://[::1]:3000"),
        ("file:///srv/a.html", "null"),
        ("http://[broken", "null"),
        ("http://a:99999/", "null"),
        ("", "null"),
    ],
)
def test_an_origin_is_what_browsers_write(url: str, origin: str) -> None:
    """
    A page is recognised by its origin whatever its address looks like.
    """
    assert origin_of(url) == origin
