"""
What the plain app's server knows and does; all of it in memory, money in cents.
"""

from __future__ import annotations

import threading
from typing import Any

PRODUCTS = [
    {"id": "mug", "name": "Mug", "cents": 1_250, "stock": 12},
    {"id": "lamp", "name": "Lamp", "cents": 4_900, "stock": 3},
    {"id": "desk", "name": "Desk", "cents": 19_900, "stock": 0},
]


class Api:
    """
    One shop with one customer.
    """

    def __init__(self) -> None:
        self.cart: dict[str, int] = {}
        self._lock = threading.Lock()

    def answer(self, request: Any, sent: dict[str, Any] | None) -> None:
        """
        Answer one request.
        """
        path = request.path.split("?")[0]
        with self._lock:
            if path == "/api/products":
                request.send_json(200, PRODUCTS)
            elif path == "/api/cart" and sent is None:
                request.send_json(200, self.shown_cart())
            elif path == "/api/cart" and sent is not None:
                self.add(request, sent)
            else:
                request.send_json(404, {"error": "no such thing"})

    def add(self, request: Any, sent: dict[str, Any]) -> None:
        """
        Put a product into the cart.
        """
        product = next((one for one in PRODUCTS if one["id"] == sent.get("id")), None)
        if product is None or product["stock"] == 0:
            request.send_json(409, {"error": "not in stock"})
            return
        self.cart[sent["id"]] = self.cart.get(sent["id"], 0) + 1
        request.send_json(201, self.shown_cart())

    def shown_cart(self) -> dict[str, Any]:
        """
        The cart as the page shows it.
        """
        prices = {str(one["id"]): int(str(one["cents"])) for one in PRODUCTS}
        lines = [
            {"id": name, "count": count, "cents": prices[name] * count} for name, count in self.cart.items()
        ]
        return {
            "lines": lines,
            "count": sum(self.cart.values()),
            "cents": sum(prices[name] * count for name, count in self.cart.items()),
        }
