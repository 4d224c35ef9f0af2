"""
What is for sale, and the customer's favourites.
"""

from __future__ import annotations

from typing import Any

from refusals import Refused

PAGE = 6
MOST_FAVOURITES = 3

NAMES = [
    ("bowl", "Bowl", 1_800, 9), ("candle", "Candle", 690, 40), ("chair", "Chair", 12_900, 5),
    ("clock", "Clock", 3_450, 7), ("desk", "Desk", 19_900, 0), ("frame", "Frame", 2_200, 14),
    ("lamp", "Lamp", 4_900, 3), ("lantern", "Lantern", 3_900, 8), ("mirror", "Mirror", 7_500, 2),
    ("mug", "Mug", 1_250, 12), ("pin", "Pin", 90, 300), ("rug", "Rug", 15_000, 4),
    ("shelf", "Shelf", 8_800, 6), ("vase", "Vase", 2_750, 11),
]  # fmt: skip


class Catalogue:
    """
    Products by id, in the order of their names.
    """

    def __init__(self) -> None:
        self.products: dict[str, dict[str, Any]] = {
            one: {"id": one, "name": name, "cents": cents, "stock": stock, "favourite": False}
            for one, name, cents, stock in NAMES
        }

    def page(self, q: str = "", sort: str = "name", page: str = "1") -> dict[str, Any]:
        """
        One page of what fits a search.
        """
        found = [one for one in self.products.values() if q.lower() in one["name"].lower()]
        found.sort(key=lambda one: one["cents"] if sort == "price" else one["name"])
        first = (int(page) - 1) * PAGE
        return {
            "items": found[first : first + PAGE],
            "page": int(page),
            "pages": max(1, -(-len(found) // PAGE)),
            "total": len(found),
        }

    def favour(self, product: str, *, on: bool) -> dict[str, Any]:
        """
        Mark a favourite, or no longer; there are three at most.
        """
        kept = [one["id"] for one in self.products.values() if one["favourite"]]
        if on and len(kept) >= MOST_FAVOURITES:
            raise Refused(422, f"You can have {MOST_FAVOURITES} favourites at most")
        self.products[product]["favourite"] = on
        return self.products[product]
