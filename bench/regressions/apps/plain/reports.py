"""
Figures: a report that takes a while, the sales of former years, and an explanation in words.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from orders import Orders

LOOKS = 3
PRODUCTS = ("Bowl", "Chair", "Lamp", "Mug", "Rug", "Vase")
WORDS = "Sales rose by 4 % because chairs sold well. Lamps are running out. End of the explanation."


class Reports:
    """
    Reports by number.
    """

    def __init__(self, orders: Orders) -> None:
        self._orders = orders
        self._looks: dict[int, int] = {}

    def begin(self) -> dict[str, Any]:
        """
        Start one.
        """
        number = len(self._looks) + 1
        self._looks[number] = 0
        return {"id": number, "state": "running"}

    def state(self, name: str) -> dict[str, Any]:
        """
        How far one has come; done at the third look.
        """
        number = int(name)
        self._looks[number] += 1
        if self._looks[number] < LOOKS:
            return {"id": number, "state": "running"}
        sold = [one for one in self._orders.all() if one["status"] != "cancelled"]
        return {
            "id": number,
            "state": "done",
            "orders": [{"id": one["id"], "at": one["at"], "cents": one["cents"]} for one in reversed(sold)],
            "cents": sum(one["cents"] for one in sold),
        }

    def history(self) -> list[dict[str, Any]]:
        """
        1,200 sales of former years.
        """
        return [
            {"id": n, "product": PRODUCTS[n % 6], "year": 2015 + n % 10, "cents": 500 + (n * 37) % 9_000}
            for n in range(1, 1_201)
        ]

    def explanation(self) -> Iterator[str]:
        """
        An explanation, word by word.
        """
        for word in WORDS.split(" "):
            yield f"{word} "
            time.sleep(0.03)
