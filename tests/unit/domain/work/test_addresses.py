"""
A page counts where a plan says, and not beside it.
"""

from __future__ import annotations

import pytest

from reticle.domain.work.addresses import is_address, shows_address


@pytest.mark.parametrize(
    ("wanted", "url", "opened", "shown"),
    [
        ("http://localhost:3000/", "http://localhost:3000/cart?x=1#top", None, True),
        ("http://localhost:3000", "http://localhost:3000/", None, True),
        ("http://localhost:3000/cart", "http://localhost:3000/cart/7", None, True),
        ("http://localhost:3000/cart/", "http://localhost:3000/cart", None, True),
        ("http://localhost:3000/cart", "http://localhost:3000/carts", None, False),
        ("http://localhost:3000/cart", "http://localhost:3000/", None, False),
        ("http://localhost:3000/", "http://127.0.0.1:3000/", None, False),
        ("http://localhost:3000/", "http://localhost:3001/", None, False),
        ("http://localhost:3000/", "https://localhost:3000/", None, False),
        ("http://shop.test/", "http://shop.test:80/a", None, True),
        ("http://localhost:3000/cart", "http://localhost:3000/done", "http://localhost:3000/cart", True),
        ("http://localhost:3000/", "http://localhost:3001/", "http://localhost:3000/", False),
        ("http://localhost:3000/", "http://localhost:3000/", "http://localhost:3001/", False),
        (
            "http://localhost:3000/cart",
            "http://localhost:3000/x",
            "http://localhost:3000/cart/%2e%2e/x",
            False,
        ),
        ("http://localhost:3000/a b", "http://localhost:3000/a%20b", None, True),
    ],
)
def test_shows(wanted: str, url: str, opened: str | None, shown: bool) -> None:  # noqa: FBT001 - a table
    """A page is at an address by origin and by whole names of the path."""
    assert shows_address(wanted, url, opened) is shown


def test_tells_addresses() -> None:
    """A plan cannot name what no page is at."""
    assert is_address("http://localhost:3000/cart")
    assert not any(map(is_address, ("/cart", "localhost:3000", "file:///a", "", "http://", "http://a:x/")))
