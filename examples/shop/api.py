"""
What the shop's API answers; the server's half of the variants lives here.

An answer is a status and JSON, or where to go where the status is 303.
Nothing of HTTP but the status: ``examples.shop.web`` reads requests and writes answers.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

from examples.shop import variants
from examples.shop.stock import OrderRefusedError, Stock, Visitor

Answer = tuple[HTTPStatus, object]
Fields = Mapping[str, Any]

DECLINED = "The card was declined."
SEARCH_LIMIT = 10
LATE_SECONDS = 0.35
SLOW_SECONDS = 0.9
NEVER_SECONDS = 60
_ORDER = re.compile(r"/api/orders/(\d+)(/refund)?")


def read(stock: Stock, visitor: Visitor, path: str, query: Fields) -> Answer | None:
    """
    What a GET is answered with; None when there is nothing at the path.
    """
    found = READS.get(path)
    if found is not None:
        return found(stock, visitor, query)
    named = _ORDER.fullmatch(path)
    order = stock.order(visitor, int(named[1])) if named and not named[2] else None
    return None if order is None else (HTTPStatus.OK, order)


def write(stock: Stock, visitor: Visitor, path: str, body: Fields) -> Answer | None:
    """
    What a POST is answered with; None when there is nothing at the path.

    Raises whatever a malformed body leads to; the caller answers that with a 500.
    """
    try:
        named = _ORDER.fullmatch(path)
        if named and named[2]:
            # A client that counts in euros is not noticed: 55.4 becomes 55 cents.
            return HTTPStatus.CREATED, stock.refund(visitor, int(named[1]), int(body["amount"]))
        found = WRITES.get(path)
        return None if found is None else found(stock, visitor, body)
    except OrderRefusedError as refused:
        return HTTPStatus.CONFLICT, {"error": str(refused)}


def _products(stock: Stock, visitor: Visitor, query: Fields) -> Answer:
    words = str(query.get("q", ""))
    if len(words) == 1 and visitor.variant in (variants.STALE_SEARCH, variants.LATE_ANSWER):
        time.sleep(LATE_SECONDS)
    return HTTPStatus.OK, {"products": stock.products(words)}


def _cart(stock: Stock, visitor: Visitor, _fields: Fields) -> Answer:
    return HTTPStatus.OK, {"user": visitor.user, "lines": stock.cart(visitor)}


def _viewers(_stock: Stock, _visitor: Visitor, _query: Fields) -> Answer:
    return HTTPStatus.OK, {"viewers": random.randint(2, 40)}


def _graph(stock: Stock, visitor: Visitor, _body: Fields) -> Answer:
    """
    The one query that is asked here.
    """
    return HTTPStatus.OK, {"data": _viewers(stock, visitor, {})[1]}


def _job(_stock: Stock, _visitor: Visitor, _query: Fields) -> Answer:
    return HTTPStatus.OK, {"status": "failed", "error": "out of stock"}


def _log_in(stock: Stock, visitor: Visitor, body: Fields) -> Answer:
    if visitor.variant == variants.BLAMES_THE_USER:
        raise RuntimeError("the directory of accounts did not answer")
    user = str(body.get("name"))
    if visitor.variant != variants.LOGIN_FORGOTTEN and not stock.log_in(
        visitor, user, str(body.get("password"))
    ):
        return HTTPStatus.UNAUTHORIZED, {"error": "Wrong name or password."}
    return HTTPStatus.OK, {"user": user}


def _search(stock: Stock, _visitor: Visitor, body: Fields) -> Answer:
    """
    A search echoes what it made of the question, which is not always what was asked.
    """
    words = str(body["words"]).strip().lower()
    limit = min(int(body["limit"]), SEARCH_LIMIT)
    found = stock.products(words)[:limit]
    return HTTPStatus.OK, {"words": words, "limit": limit, "products": found}


def _put_in_cart(stock: Stock, visitor: Visitor, body: Fields) -> Answer:
    product, quantity = str(body["product"]), int(body["quantity"])
    if visitor.variant == variants.SOLD_OUT and quantity > 0:
        raise OrderRefusedError("Somebody was faster: that was the last one.")
    stock.put_in_cart(visitor, product, quantity)
    return _cart(stock, visitor, body)


def _place_order(stock: Stock, visitor: Visitor, body: Fields) -> Answer:
    lines = [(str(line["product"]), int(line["quantity"])) for line in body["lines"]]
    if visitor.variant == variants.RETRY and stock.attempt(visitor) == 1:
        return HTTPStatus.SERVICE_UNAVAILABLE, {"error": "The shop is busy."}
    spoiled = _spoiled(visitor.variant)
    if spoiled is not None:
        return spoiled
    address = "1 Old Street" if visitor.variant == variants.ADDRESS_IGNORED else str(body["address"])
    order = stock.place_order(visitor, lines, str(body["name"]), address)
    if visitor.variant == variants.HALF_ORDER:
        order["results"] = [
            {"product": product, "error": "out of stock"} if product == "cup" else {"product": product}
            for product, _ in lines
        ]
    return HTTPStatus.CREATED, order


def _spoiled(variant: str) -> Answer | None:
    """
    What comes of an order that is never placed; None for one that is, if need be late.
    """
    match variant:
        case variants.SILENT_500:
            raise RuntimeError("the payment service did not answer")
        case variants.LYING_TOAST:
            raise OrderRefusedError(DECLINED)
        case variants.LYING_TOAST_200:
            return HTTPStatus.OK, {"ok": False, "error": DECLINED}
        case variants.ACCEPTED_ONLY:
            return HTTPStatus.ACCEPTED, {"queued": True}
        case variants.JOB_FAILS:
            return HTTPStatus.ACCEPTED, {"job": 1}
        case variants.SESSION_EXPIRED:
            return HTTPStatus.SEE_OTHER, "/login"
        case variants.IN_FINNISH:
            return HTTPStatus.UNPROCESSABLE_ENTITY, {"field": "address", "error": "Tarkista osoite."}
        case variants.NEVER_ANSWERED:
            time.sleep(NEVER_SECONDS)
        case variants.SLOW_ORDER:
            time.sleep(SLOW_SECONDS)
    return None


_Answering = Callable[[Stock, Visitor, Fields], Answer]

READS: Mapping[str, _Answering] = {
    "/api/products": _products,
    "/api/cart": _cart,
    "/api/viewers": _viewers,
    "/api/jobs/1": _job,
}
WRITES: Mapping[str, _Answering] = {
    "/api/login": _log_in,
    "/api/search": _search,
    "/api/cart": _put_in_cart,
    "/api/orders": _place_order,
    "/graphql": _graph,
}
