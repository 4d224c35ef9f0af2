"""
Which part of the server answers which address.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl

from account import Account
from cart import Cart
from catalogue import Catalogue
from orders import Orders
from refusals import Refused
from reports import Reports
from stock import Stock


class Api:
    """
    One shop, one customer, one back office; all of it in memory, money in cents.
    """

    def __init__(self) -> None:
        self.catalogue = Catalogue()
        self.account = Account()
        self.orders = Orders(self.catalogue)
        self.cart = Cart(self.catalogue, self.orders)
        self.stock = Stock(self.catalogue, self.account)
        self.reports = Reports(self.orders)
        self._lock = threading.Lock()
        self._routes: dict[tuple[str, str], tuple[int, Callable[..., Any]]] = {
            ("GET", "products"): (200, self.catalogue.page),
            ("PUT", "favourites/*"): (200, self.catalogue.favour),
            ("GET", "cart"): (200, self.cart.shown),
            ("POST", "cart"): (201, self.cart.add),
            ("POST", "cart/again"): (200, self.cart.again),
            ("PATCH", "cart/lines/*"): (200, self.cart.change),
            ("DELETE", "cart/lines/*"): (204, self.cart.remove),
            ("POST", "cart/coupon"): (200, self.cart.redeem),
            ("PUT", "cart/shipping"): (200, self.cart.ship),
            ("POST", "orders"): (201, self.cart.check_out),
            ("GET", "orders"): (200, self.orders.page),
            ("GET", "orders/*"): (200, self.orders.one),
            ("POST", "orders/archive"): (200, self.orders.archive),
            ("POST", "orders/*/cancel"): (200, self.orders.cancel),
            ("POST", "orders/*/notes"): (201, self.orders.note),
            ("GET", "stock"): (200, self.stock.shown),
            ("PUT", "stock/*"): (200, self.stock.count),
            ("DELETE", "stock/*"): (204, self.stock.delete),
            ("GET", "session"): (200, self.account.session),
            ("PUT", "session"): (200, self.account.act_as),
            ("DELETE", "session"): (204, self.account.sign_out),
            ("PUT", "profile"): (200, self.account.save),
            ("PATCH", "profile"): (200, self.account.mails),
            ("PUT", "password"): (204, self.account.change_password),
            ("POST", "reports"): (202, self.reports.begin),
            ("GET", "reports/*"): (200, self.reports.state),
            ("GET", "history"): (200, self.reports.history),
        }

    def answer(self, request: Any, sent: dict[str, Any]) -> None:
        """
        Answer one request; streams are answered without the lock.
        """
        path, _, query = request.path.partition("?")
        asked = dict(parse_qsl(query))
        match request.command, path.strip("/").split("/")[1:]:
            case "GET", ["sales"]:
                request.send_parts("text/event-stream", self.stock.sales())
            case "POST", ["explanations"]:
                request.send_parts("text/plain; charset=utf-8", self.reports.explanation())
            case method, parts:
                with self._lock:
                    status, value, headers = self._answered(method, parts, asked, sent)
                request.send_json(status, value, headers)

    def _answered(
        self, method: str, parts: list[str], asked: dict[str, str], sent: dict[str, Any]
    ) -> tuple[int, Any, dict[str, str]]:
        for (wanted, pattern), (status, run) in self._routes.items():
            found = _fit(pattern.split("/"), parts) if wanted == method else None
            if found is not None:
                try:
                    return (
                        status,
                        run(*found, **(asked if method == "GET" else sent)),
                        self._headers(method, pattern),
                    )
                except Refused as refused:
                    return refused.status, refused.body, {}
        return 404, {"error": "no such thing"}, {}

    @staticmethod
    def _headers(method: str, pattern: str) -> dict[str, str]:
        """
        The session's cookie: set when the session is read, taken back when it ends.
        """
        match method, pattern:
            case "GET", "session":
                return {"Set-Cookie": "depot_seen=1; Path=/; SameSite=Lax"}
            case "DELETE", "session":
                return {"Set-Cookie": "depot_seen=; Path=/; Max-Age=0"}
        return {}


def _fit(pattern: list[str], parts: list[str]) -> list[str] | None:
    """
    What stands where the pattern has a star; None when the address does not fit.
    """
    if len(pattern) != len(parts) or any(
        wanted not in {"*", part} for wanted, part in zip(pattern, parts, strict=True)
    ):
        return None
    return [part for wanted, part in zip(pattern, parts, strict=True) if wanted == "*"]
