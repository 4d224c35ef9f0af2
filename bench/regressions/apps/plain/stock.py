"""
The back office: how many there are of what.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

from account import Account
from catalogue import Catalogue
from refusals import Refused

COUNTED_BY = {"vase": "Ines"}
SALES = ["mug", "lamp", "mug"]


class Stock:
    """
    Counting and deleting; deleting is for the admin.
    """

    def __init__(self, catalogue: Catalogue, account: Account) -> None:
        self._catalogue = catalogue
        self._account = account

    def shown(self) -> list[dict[str, Any]]:
        """
        Every product.
        """
        return list(self._catalogue.products.values())

    def count(self, product: str, stock: int) -> dict[str, Any]:
        """
        Set the number; not while someone else is counting.
        """
        of = self._catalogue.products[product]
        if product in COUNTED_BY:
            raise Refused(409, f"{COUNTED_BY[product]} is counting this product", stock=of["stock"])
        of["stock"] = stock
        return of

    def delete(self, product: str) -> None:
        """
        Take a product out of the shop.
        """
        if self._account.role != "admin":
            raise Refused(403, "Only an admin can delete products")
        del self._catalogue.products[product]

    def sales(self) -> Iterator[str]:
        """
        Sales as they come, as server-sent events.
        """
        yield ": hello\n\n"
        for product in SALES:
            time.sleep(0.2)
            of = self._catalogue.products[product]
            of["stock"] -= 1
            sale = {"id": product, "name": of["name"], "left": of["stock"]}
            yield f"event: sale\ndata: {json.dumps(sale)}\n\n"
        while True:
            time.sleep(2)
            yield ": still there\n\n"
