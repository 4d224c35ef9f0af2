"""
Numbers that only seem to be what was claimed.
"""

from __future__ import annotations

import pytest

from reticle.domain.predicate.whole_numbers import is_whole_part, met_as_part


@pytest.mark.parametrize(
    ("claimed", "text"),
    [
        ("2 items", "12 items"),
        ("234 items", "1,234 items"),
        ("234,50 €", "1.234,50 €"),
        ("Total 5", "Total 50"),
        ("1 product", "1 products"),
        ("1 product", "Found: 1 products."),
        ("1 ticket", "1 tickets, 1 tickets"),
        ("found 1  Frage", "found 1 Fragen"),
        ("1 билет", "1 билета"),
        ("Total: 1", "Total: 1,234"),
        ("Total: 1", "Total: 1,23,456"),
        ("Total: 2", "Total: 2'500"),
        ("\u0662", "\u0662\u066c\u0665\u0660\u0660"),
        ("Total: $12", "Total: $12,345.00"),
        ("5 kg", "Weight 1.5 kg"),
        ("50 €", "12,50 €"),
        ("€4", "€4.50"),
        ("Total 4", "Total 4,50 €"),
        ("5 files", "15 files"),
        ("\u0665", "\u0661\u0665"),
    ],
)
def test_another_number_is_not_the_one_that_was_claimed(claimed: str, text: str) -> None:
    """
    "2 items" is no pass over "12 items", and one of something none over its plural.
    """
    assert met_as_part(claimed, [text]) == text


@pytest.mark.parametrize(
    ("claimed", "texts"),
    [
        ("2 items", ["2 items"]),
        ("2 items", ["12 items, of them 2 items new"]),
        ("2 items", ["12 items", "2 items"]),
        ("2 item", ["2 items"]),
        ("21 product", ["21 products"]),
        ("1 product", ["1 product(s)"]),
        ("1 min", ["1 minute ago"]),
        ("€4", ["€4.00"]),
        ("Total 4", ["Total 4,00 €"]),
        ("Python 3", ["Python 3.12"]),
        ("v1", ["v1.2"]),
        ("Version 1.2", ["Version 1.2.3"]),
        ("2026", ["01.12.2026"]),
        ("12.2026", ["01.12.2026"]),
        ("5 min", ["05 min"]),
        ("127.0.0.1", ["127.0.0.1:5000"]),
        ("10%", ["saves 10%."]),
        ("Total 5", ["Total 5¹"]),
        ("Task 1 complete", ["Task 1 completed"]),
        ("Part 1 load", ["Part 1 loaded!"]),
        ("1 件", ["1 件商品"]),
        ("1 개", ["1 개의 상품"]),
        ("1 product", ["1 productId"]),
        ("234", ["1, 234"]),
        ("Page 3", ["Page 3 of 12"]),
        ("12:30", ["at 12:30"]),
        ("Saved", ["Saved12"]),
        ("Order 1", ["Order 1, of 12"]),
        ("5", ["nothing of it"]),
        ("5", []),
    ],
)
def test_what_is_met_as_it_was_claimed_stays_so(claimed: str, texts: list[str]) -> None:
    """
    A part of a text is enough as ever where no number and no plural goes on.
    """
    assert met_as_part(claimed, texts) is None


@pytest.mark.parametrize(
    ("part", "address", "is_part"),
    [
        ("/orders/1", "/api/orders/12", False),
        ("page=2", "/list?page=20", False),
        ("1/lines", "/orders/21/lines", False),
        ("/orders/1", "/api/orders/1", True),
        ("/orders/1", "/api/orders/1/lines?page=2", True),
        ("/orders/1", "/api/orders/12?after=/orders/1", True),
        ("/v1", "/v1.2/orders", True),
        ("/orders/9", "/orders/9f3a", True),
        ("/orders", "/orders12", True),
        ("q=2", "/list?q=2%20mugs", True),
        ("/lines", "/orders/1", False),
    ],
)
def test_an_address_of_one_thing_is_no_part_of_another_s(part: str, address: str, *, is_part: bool) -> None:
    """
    What is done to order 12 is no proof of what was claimed of order 1.
    """
    assert is_whole_part(part, address) is is_part
