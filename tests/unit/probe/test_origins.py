"""
Where a page says that its app stands.
"""

from __future__ import annotations

import pytest

from reticle.probe.origins import place_of_page


@pytest.mark.parametrize(
    ("asked", "place"),
    [
        (("http", "LocalHost:8000", ""), ("http://localhost:8000", "")),
        (("https", " a.test ", "/shop/"), ("https://a.test", "/shop")),
        (("http", "[::1]:80", '/"><b>'), ("http://[::1]:80", "")),
        (("http", 'a"b', ""), None),
        (("http", "", ""), None),
        (("ftp", "localhost", ""), None),
    ],
)
def test_a_page_is_told_no_place_with_signs_of_html(
    asked: tuple[str, str, str], place: tuple[str, str] | None
) -> None:
    """
    What a request says of its host stands in the page's tag, and breaks out of none.
    """
    assert place_of_page(*asked) == place
