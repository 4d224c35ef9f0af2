"""
The orders of the shop; moments in UTC.
"""

from __future__ import annotations

from typing import Any

from catalogue import Catalogue
from refusals import Refused

PAGE = 5
NOW = "2026-03-02T09:00:00Z"

PLACED = [
    (1001, "Ada Berg", "2026-02-26T08:05:00Z", "shipped", [("lamp", 1)]),
    (1002, "Bo Chen", "2026-02-26T15:40:00Z", "cancelled", [("rug", 1)]),
    (1003, "Cleo Diaz", "2026-02-27T11:20:00Z", "shipped", [("mug", 2), ("lamp", 1)]),
    (1004, "Dov Eriks", "2026-02-28T17:00:00Z", "open", [("mug", 1)]),
    (1005, "Eve Falk", "2026-02-28T23:30:00Z", "open", [("chair", 2)]),
    (1006, "Finn Gray", "2026-03-01T06:15:00Z", "shipped", [("pin", 10)]),
    (1007, "Gil Hart", "2026-03-01T10:45:00Z", "open", [("shelf", 1), ("bowl", 3)]),
    (1008, "Hana Ito", "2026-03-01T21:10:00Z", "open", [("clock", 1)]),
]


class Orders:
    """
    Orders by number; the newest come first.
    """

    def __init__(self, catalogue: Catalogue) -> None:
        self._orders: dict[int, dict[str, Any]] = {}
        for number, customer, at, status, bought in PLACED:
            lines = [
                {"id": one, "name": catalogue.products[one]["name"], "count": count,
                 "cents": catalogue.products[one]["cents"] * count}
                for one, count in bought
            ]  # fmt: skip
            self._keep((number, customer, at, status), lines, sum(line["cents"] for line in lines))

    def all(self) -> list[dict[str, Any]]:
        """
        Every order that is not archived.
        """
        return [one for one in reversed(self._orders.values()) if not one["archived"]]

    def page(self, status: str = "", page: str = "1") -> dict[str, Any]:
        """
        One page of the orders in a status, or of all.
        """
        found = [one for one in self.all() if status in ("", one["status"])]
        first = (int(page) - 1) * PAGE
        return {
            "items": found[first : first + PAGE],
            "page": int(page),
            "pages": max(1, -(-len(found) // PAGE)),
            "total": len(found),
        }

    def one(self, number: str | int) -> dict[str, Any]:
        """
        One order.
        """
        if int(number) not in self._orders:
            raise Refused(404, f"There is no order {number}")
        return self._orders[int(number)]

    def place(self, customer: str, lines: list[dict[str, Any]], cents: int) -> dict[str, Any]:
        """
        A new order.
        """
        return self._keep((max(self._orders) + 1, customer, NOW, "open"), lines, cents)

    def cancel(self, number: str) -> dict[str, Any]:
        """
        Cancel what has not left yet.
        """
        order = self.one(number)
        if order["status"] == "shipped":
            raise Refused(409, f"Order {number} has left already")
        order["status"] = "cancelled"
        return order

    def note(self, number: str, text: str) -> dict[str, Any]:
        """
        Write something on an order.
        """
        note = {"text": text, "at": NOW}
        self.one(number)["notes"].append(note)
        return note

    def archive(self, ids: list[int]) -> dict[str, Any]:
        """
        Put orders away.
        """
        for number in ids:
            self.one(number)["archived"] = True
        return {"archived": len(ids)}

    def _keep(
        self, head: tuple[int, str, str, str], lines: list[dict[str, Any]], cents: int
    ) -> dict[str, Any]:
        number, customer, at, status = head
        self._orders[number] = {
            "id": number, "customer": customer, "at": at, "status": status, "lines": lines, "cents": cents,
            "notes": [], "archived": False,
        }  # fmt: skip
        return self._orders[number]
