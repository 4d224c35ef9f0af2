"""
Which page a frame belongs to.
"""

from __future__ import annotations

import pytest

from reticle.model.framing import hosts
from reticle.model.ids import PageId
from reticle.model.page import PageIdentity


def page(name: str, url: str, depth: int = 0, ancestors: tuple[str, ...] = ()) -> PageIdentity:
    """
    A connected page.
    """
    return PageIdentity(PageId(name), url, name, own_script=True, frame_depth=depth, ancestors=ancestors)


SHOP = page("shop", "http://localhost:8000/cart")
OTHER = page("other", "http://localhost:9000/")
PAY = page("pay", "http://127.0.0.1:8000/pay", 1, ("http://localhost:8000",))
INNER = page("inner", "http://localhost:8000/ad", 2, ("http://127.0.0.1:8000", "http://localhost:8000"))


@pytest.mark.parametrize(
    ("frame", "others", "found"),
    [
        (PAY, [SHOP, OTHER, PAY], ["shop"]),
        (PAY, [OTHER, PAY], []),
        (INNER, [SHOP, PAY, INNER, OTHER], ["shop", "pay"]),
        (PAY, [INNER, PAY], []),
        (SHOP, [SHOP, PAY, INNER], []),
        (page("blind", "http://a.localhost/", 1, ("",)), [SHOP, OTHER, PAY], ["shop", "other"]),
        (page("alone", "http://localhost:8000/story", 1), [SHOP], []),
    ],
)
def test_a_frame_belongs_to_pages_around_it(
    frame: PageIdentity, others: list[PageIdentity], found: list[str]
) -> None:
    """
    Only what is further out and of an origin that the frame named, or could not name, is its page.
    """
    assert [one.page_id for one in hosts(frame, others)] == found
