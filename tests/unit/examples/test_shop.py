"""
The example shop tells the truth about its template, its stock and its faults.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing

import pytest

from examples.journeys.checkout import JOURNEYS, ORDER_TOTAL
from examples.journeys.children import ROOT
from examples.shop.faults import FAULTS
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
    assert len(stamps) == 13
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
    assert '<body data-fault="silent-500">' in page


@pytest.mark.parametrize("name", ["../web.py", "page.html", "", "nothing.js"])
def test_only_style_and_script_are_given_out(name: str) -> None:
    """
    A crafted file name reads nothing else.
    """
    assert static_file(name) is None


def test_order_takes_stock_and_empties_the_cart(stock: Stock) -> None:
    """
    A placed order costs what the journey expects, empties the cart and wakes who watches the stock.
    """
    visitor = stock.new_visitor("")
    stock.put_in_cart(visitor, "sencha", 1)
    assert [line["quantity"] for line in stock.cart(visitor)] == [1]
    order = stock.place_order(visitor, [("sencha", 1), ("cup", 2)], "Ada", "London")
    assert order == {"id": 1, "total": ORDER_TOTAL}
    assert (stock.cart(visitor), stock.orders_of(visitor)) == ([], 1)
    assert stock.wait_for_change(0, timeout_seconds=0) == 1
    left = {product["id"]: product["stock"] for product in stock.products()}
    assert (left["sencha"], left["cup"]) == (23, 13)
    stock.restock()
    assert {product["id"]: product["stock"] for product in stock.products()}["cup"] == 14


def test_refused_order_changes_nothing(stock: Stock) -> None:
    """
    An order that is too large takes none of its goods.
    """
    visitor = stock.new_visitor("")
    with pytest.raises(OrderRefusedError, match="that many"):
        stock.place_order(visitor, [("sencha", 1), ("kettle", 9)], "Ada", "London")
    with pytest.raises(OrderRefusedError, match="goods, a name"):
        stock.place_order(visitor, [], "Ada", "London")
    assert {product["id"]: product["stock"] for product in stock.products()}["sencha"] == 24
    assert stock.orders_of(visitor) == 0


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


def test_every_fault_has_a_journey() -> None:
    """
    No fault of the shop is left out of the demo, and only the clean journey may pass.
    """
    assert {journey.fault for journey in JOURNEYS} == {"", *FAULTS}
    assert [journey.name for journey in JOURNEYS if journey.passes] == ["clean"]
