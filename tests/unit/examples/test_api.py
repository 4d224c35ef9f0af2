"""
The example shop's API is sound by itself, and each variant of it differs in just what it says.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from http import HTTPStatus
from typing import Any

import pytest

from examples.journeys.ordering import ORDER_TOTAL
from examples.shop import api, variants
from examples.shop.stock import Stock

ORDER = {
    "lines": [{"product": "sencha", "quantity": 1}, {"product": "cup", "quantity": 2}],
    "name": "Ada",
    "address": "London",
}
PLACED = {"id": 1, "name": "Ada", "address": "London", "total": ORDER_TOTAL}


@pytest.fixture
def stock() -> Iterator[Stock]:
    """
    A fresh shop.
    """
    with closing(Stock()) as fresh:
        yield fresh


def order(stock: Stock, variant: str) -> tuple[object, int]:
    """
    What an order is answered with in a variant, and how many are placed then.
    """
    visitor = stock.ready_visitor(variant)
    return api.write(stock, visitor, "/api/orders", ORDER), stock.orders_of(visitor)


@pytest.mark.parametrize(
    ("variant", "answer", "placed"),
    [
        ("", (HTTPStatus.CREATED, PLACED), 1),
        (variants.LYING_TOAST, (HTTPStatus.CONFLICT, {"error": api.DECLINED}), 0),
        (variants.LYING_TOAST_200, (HTTPStatus.OK, {"ok": False, "error": api.DECLINED}), 0),
        (variants.ACCEPTED_ONLY, (HTTPStatus.ACCEPTED, {"queued": True}), 0),
        (
            variants.IN_FINNISH,
            (HTTPStatus.UNPROCESSABLE_ENTITY, {"field": "address", "error": "Tarkista osoite."}),
            0,
        ),
        (variants.JOB_FAILS, (HTTPStatus.ACCEPTED, {"job": 1}), 0),
        (variants.SESSION_EXPIRED, (HTTPStatus.SEE_OTHER, "/login"), 0),
        (variants.ADDRESS_IGNORED, (HTTPStatus.CREATED, {**PLACED, "address": "1 Old Street"}), 1),
        (
            variants.HALF_ORDER,
            (
                HTTPStatus.CREATED,
                {**PLACED, "results": [{"product": "sencha"}, {"product": "cup", "error": "out of stock"}]},
            ),
            1,
        ),
    ],
)
def test_order_in_each_variant(stock: Stock, variant: str, answer: object, placed: int) -> None:
    """
    What the server does with an order is what the variant's name promises.
    """
    assert order(stock, variant) == (answer, placed)


def test_retry_goes_through(stock: Stock) -> None:
    """
    The first order of a visitor meets a busy shop, the second is placed; other visitors begin anew.
    """
    visitor = stock.ready_visitor(variants.RETRY)
    busy = (HTTPStatus.SERVICE_UNAVAILABLE, {"error": "The shop is busy."})
    assert api.write(stock, visitor, "/api/orders", ORDER) == busy
    assert api.write(stock, visitor, "/api/orders", ORDER) == (HTTPStatus.CREATED, PLACED)
    assert api.write(stock, stock.ready_visitor(variants.RETRY), "/api/orders", ORDER) == busy


def test_job_of_an_accepted_order_fails(stock: Stock) -> None:
    """
    Who asks after an order that was only accepted hears that it failed.
    """
    failed = (HTTPStatus.OK, {"status": "failed", "error": "out of stock"})
    assert api.read(stock, stock.new_visitor(variants.JOB_FAILS), "/api/jobs/1", {}) == failed


def test_failures_of_the_server_are_raised(stock: Stock) -> None:
    """
    A service behind the shop that does not answer becomes a 500.
    """
    with pytest.raises(RuntimeError, match="payment"):
        order(stock, variants.SILENT_500)
    with pytest.raises(RuntimeError, match="accounts"):
        api.write(stock, stock.new_visitor(variants.BLAMES_THE_USER), "/api/login", {})


@pytest.mark.parametrize(
    ("variant", "password", "answer", "user"),
    [
        ("", "lovelace", (HTTPStatus.OK, {"user": "ada"}), "ada"),
        ("", "babbage", (HTTPStatus.UNAUTHORIZED, {"error": "Wrong name or password."}), None),
        (variants.LOGIN_FORGOTTEN, "lovelace", (HTTPStatus.OK, {"user": "ada"}), None),
    ],
)
def test_login_in_each_variant(
    stock: Stock, variant: str, password: str, answer: object, user: str | None
) -> None:
    """
    The right password lets in for good, except where the shop forgets it.
    """
    visitor = stock.new_visitor(variant)
    assert api.write(stock, visitor, "/api/login", {"name": "ada", "password": password}) == answer
    known = stock.visitor(visitor.id)
    assert known is not None
    assert known.user == user


def test_search_echoes_what_it_made_of_the_question(stock: Stock) -> None:
    """
    The words come back folded and the limit lowered, which is no mistake.
    """
    answer = api.write(stock, stock.new_visitor(""), "/api/search", {"words": " TEA ", "limit": 50})
    assert answer is not None
    status, found = answer
    assert isinstance(found, dict)
    assert (status, found["words"], found["limit"]) == (HTTPStatus.OK, "tea", 10)
    assert [product["id"] for product in found["products"]] == ["teapot"]


def test_cart_takes_what_is_there(stock: Stock) -> None:
    """
    The cart is answered as it then is; where somebody was faster, it stays as it was.
    """
    visitor, late = stock.new_visitor(""), stock.new_visitor(variants.SOLD_OUT)
    more: dict[str, Any] = {"product": "kettle", "quantity": 2}
    line = {"id": "kettle", "name": "Gooseneck kettle", "price": 7200, "quantity": 2}
    assert api.write(stock, visitor, "/api/cart", more) == (HTTPStatus.OK, {"user": None, "lines": [line]})
    assert api.write(stock, late, "/api/cart", more) == (
        HTTPStatus.CONFLICT,
        {"error": "Somebody was faster: that was the last one."},
    )
    assert api.read(stock, late, "/api/cart", {}) == (HTTPStatus.OK, {"user": None, "lines": []})


def test_order_can_be_read_and_refunded_by_its_customer_alone(stock: Stock) -> None:
    """
    A stranger finds no such order; a refund in euros gives back some cents.
    """
    visitor, other = stock.ready_visitor(""), stock.new_visitor("")
    api.write(stock, visitor, "/api/orders", ORDER)
    read = {"id": 1, "total": ORDER_TOTAL, "refunded": 0}
    assert api.read(stock, visitor, "/api/orders/1", {}) == (HTTPStatus.OK, read)
    assert api.read(stock, other, "/api/orders/1", {}) is None
    back = api.write(stock, visitor, "/api/orders/1/refund", {"amount": ORDER_TOTAL / 100})
    assert back == (HTTPStatus.CREATED, {**read, "refunded": 55})
    assert api.write(stock, other, "/api/orders/1/refund", {"amount": 1}) == (
        HTTPStatus.CONFLICT,
        {"error": "That is more than you paid."},
    )


def test_unknown_paths_are_nothing(stock: Stock) -> None:
    """
    What the shop does not have is told apart from what it has.
    """
    visitor = stock.new_visitor("")
    assert api.read(stock, visitor, "/api/nothing", {}) is None
    assert api.read(stock, visitor, "/api/orders/1/refund", {}) is None
    assert api.write(stock, visitor, "/api/nothing", {}) is None
