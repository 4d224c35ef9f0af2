"""
The example shop tells the truth about its template, its stock and its faults.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing

import pytest

from examples.journeys.children import ROOT
from examples.journeys.ordering import ORDER_TOTAL
from examples.shop.page import render, stamp, static_file
from examples.shop.stock import OrderRefusedError, Stock

STAMPED = re.compile(r'data-reticle-source="([^":]+):(\d+)"[^>]*data-testid="([^"]+)"')


@pytest.fixture
def stock() -> Iterator[Stock]:
    """
    A fresh shop.
    """
    with closing(Stock()) as fresh:
        yield fresh


def test_every_stamp_names_the_line_of_its_control() -> None:
    """
    The place a verdict names is where the control really stands in the template.
    """
    stamps = STAMPED.findall(render("", 4400).decode())
    assert len(stamps) == 18
    for path, line, testid in stamps:
        assert f'data-testid="{testid}"' in (ROOT / path).read_text().splitlines()[int(line) - 1]


def test_only_controls_with_a_test_id_are_stamped() -> None:
    """
    Lines are counted from one, and what is no control is left alone.
    """
    template = '<p data-testid="x">\n<button\n data-testid="y">\n<a href="/">'
    assert stamp(template, "a.html") == (
        '<p data-testid="x">\n<button data-reticle-source="a.html:2"\n data-testid="y">\n<a href="/">'
    )


def test_page_script_is_optional() -> None:
    """
    With port 0 the shop runs without reticle; with a port the script comes from there, before the app's own.
    """
    assert b"sdk.js" not in render("", 0)
    page = render("silent-500", 4400).decode()
    assert page.index("http://127.0.0.1:4400/sdk.js") < page.index("/static/shop.js")
    assert '<body data-variant="silent-500">' in page


@pytest.mark.parametrize("name", ["../web.py", "page.html", "", "nothing.js"])
def test_only_style_and_script_are_given_out(name: str) -> None:
    """
    A crafted file name reads nothing else.
    """
    assert static_file(name) is None


def test_order_takes_stock_and_empties_the_cart(stock: Stock) -> None:
    """
    A placed order costs what the journey expects, empties the cart and wakes who watches the stock; the next
    visitor finds full shelves.
    """
    visitor = stock.new_visitor("")
    stock.put_in_cart(visitor, "sencha", 1)
    assert [line["quantity"] for line in stock.cart(visitor)] == [1]
    order = stock.place_order(visitor, [("sencha", 1), ("cup", 2)], "Ada", "London")
    assert order == {"id": 1, "name": "Ada", "address": "London", "total": ORDER_TOTAL}
    assert (stock.cart(visitor), stock.orders_of(visitor)) == ([], 1)
    assert stock.wait_for_change(0, timeout_seconds=0) == 1
    assert (left(stock, "sencha"), left(stock, "cup")) == (23, 13)
    stock.new_visitor("")
    assert (left(stock, "sencha"), left(stock, "cup")) == (24, 15)
    assert stock.wait_for_change(1, timeout_seconds=0) == 2


def left(stock: Stock, product: str) -> int:
    """
    How many of a product are on the shelf.
    """
    return next(int(each["stock"]) for each in stock.products() if each["id"] == product)


def test_refused_order_changes_nothing(stock: Stock) -> None:
    """
    An order that is too large takes none of its goods.
    """
    visitor = stock.new_visitor("")
    with pytest.raises(OrderRefusedError, match="that many"):
        stock.place_order(visitor, [("sencha", 1), ("kettle", 9)], "Ada", "London")
    with pytest.raises(OrderRefusedError, match="goods, a name"):
        stock.place_order(visitor, [], "Ada", "London")
    assert left(stock, "sencha") == 24
    assert stock.orders_of(visitor) == 0


def test_refund_gives_back_no_more_than_was_paid(stock: Stock) -> None:
    """
    A customer gets the money of an own order back, once.
    """
    visitor, other = stock.ready_visitor(""), stock.new_visitor("")
    assert visitor.user is None
    assert stock.visitor(visitor.id) == visitor._replace(user="ada")
    order = stock.place_order(visitor, [("cup", 1)], "Ada", "London")
    with pytest.raises(OrderRefusedError, match="more than you paid"):
        stock.refund(other, order["id"], 1)
    assert stock.refund(visitor, order["id"], 2290) == {"id": order["id"], "total": 2290, "refunded": 2290}
    with pytest.raises(OrderRefusedError, match="more than you paid"):
        stock.refund(visitor, order["id"], 1)
    assert stock.order(visitor, order["id"]) == {"id": order["id"], "total": 2290, "refunded": 2290}
    assert stock.order(other, order["id"]) is None


def test_search_knows_parts_of_names(stock: Stock) -> None:
    """
    A customer finds a product by any part of its name, in any case.
    """
    assert [product["id"] for product in stock.products(" TEA ")] == ["teapot"]
    assert [product["id"] for product in stock.products()] == ["sencha", "teapot", "cup", "kettle"]
    assert stock.products("%") == []


def test_login_needs_the_right_password(stock: Stock) -> None:
    """
    A wrong password leaves the visitor anonymous; visitors do not share anything.
    """
    visitor, other = stock.new_visitor("dead-button"), stock.new_visitor("")
    assert not stock.log_in(visitor, "ada", "wrong")
    assert stock.log_in(visitor, "ada", "lovelace")
    assert stock.visitor(visitor.id) == visitor._replace(user="ada")
    assert stock.visitor(other.id) == other
    assert stock.visitor("nobody") is None
    stock.log_out(visitor)
    assert stock.visitor(visitor.id) == visitor
