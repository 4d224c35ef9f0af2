"""
The cart: lines, coupon, shipping, and checking out.
"""

from __future__ import annotations

from typing import Any

from catalogue import Catalogue
from orders import Orders
from refusals import Refused

COUPONS = {"SPRING10": 10, "TEAM25": 25}
EXPIRED = {"WINTER20"}
FREE_SHIPPING_FROM = 5_000
SHIPPING = {"standard": 490, "express": 1_200}
DECLINED = "4000000000000002"


class Cart:
    """
    What one customer is about to buy.
    """

    def __init__(self, catalogue: Catalogue, orders: Orders) -> None:
        self._catalogue = catalogue
        self._orders = orders
        self._counts: dict[str, int] = {}
        self._coupon = ""
        self._shipping = "standard"

    def add(self, product: str) -> dict[str, Any]:
        """
        Put one piece in.
        """
        if self._catalogue.products[product]["stock"] <= self._counts.get(product, 0):
            raise Refused(409, "not in stock")
        self._counts[product] = self._counts.get(product, 0) + 1
        return self.shown()

    def again(self, order: str) -> dict[str, Any]:
        """
        Take over the lines of a former order.
        """
        self._counts = {line["id"]: line["count"] for line in self._orders.one(order)["lines"]}
        return self.shown()

    def change(self, product: str, count: int) -> dict[str, Any]:
        """
        Set how many pieces of a product there are.
        """
        if count > self._catalogue.products[product]["stock"]:
            raise Refused(409, "not in stock")
        self._counts[product] = count
        return self.shown()

    def remove(self, product: str) -> None:
        """
        Take a line out.
        """
        self._counts.pop(product, None)

    def redeem(self, code: str) -> dict[str, Any]:
        """
        Apply a coupon.
        """
        if code in EXPIRED:
            raise Refused(422, "This coupon has expired")
        if code not in COUPONS:
            raise Refused(422, "There is no such coupon")
        self._coupon = code
        return self.shown()

    def ship(self, shipping: str) -> dict[str, Any]:
        """
        Choose how it is sent.
        """
        self._shipping = shipping
        return self.shown()

    def shown(self) -> dict[str, Any]:
        """
        The cart with all its sums.
        """
        lines = []
        for product, count in self._counts.items():
            of = self._catalogue.products[product]
            lines.append(
                {"id": product, "name": of["name"], "count": count, "each": of["cents"],
                 "cents": of["cents"] * count}
            )  # fmt: skip
        cents = sum(line["cents"] for line in lines)
        discount = cents * COUPONS.get(self._coupon, 0) // 100
        shipping = SHIPPING[self._shipping]
        if self._shipping == "standard" and cents - discount >= FREE_SHIPPING_FROM:
            shipping = 0
        return {
            "lines": lines,
            "count": sum(self._counts.values()),
            "cents": cents,
            "coupon": self._coupon,
            "discount": discount,
            "shippingBy": self._shipping,
            "shipping": shipping,
            "due": cents - discount + shipping,
        }

    def check_out(self, name: str, card: str, **_: str) -> dict[str, Any]:
        """
        Make an order of it and empty it.
        """
        if card.replace(" ", "") == DECLINED:
            raise Refused(402, "Your card was declined")
        shown = self.shown()
        order = self._orders.place(name, shown["lines"], shown["due"])
        self._counts, self._coupon, self._shipping = {}, "", "standard"
        return order
