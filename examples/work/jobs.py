"""
What the agents of the demo are asked to do: three bugs of the corner shop, and a look at the mends.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

FIXER, REVIEWER = "fixer", "reviewer"
ROLES: Final[Mapping[str, Any]] = {FIXER: {"slots": 4}, REVIEWER: {"slots": 1, "reviewer": True}}

ORDER_KEPT: Final[Mapping[str, Any]] = {
    "allOf": [
        {"kind": "net", "method": "POST", "urlContains": "/api/orders", "ok": True},
        {"kind": "text", "contains": "Order 1"},
    ]
}
ORDER_SERVED: Final[Mapping[str, Any]] = {
    "allOf": [
        {"kind": "server", "method": "POST", "urlContains": "/api/orders", "status": 201},
        {"kind": "text", "contains": "Order 1"},
    ]
}


def fixing(name: str, url: str, file: str, prompt: str, claim: Mapping[str, Any]) -> dict[str, Any]:
    """
    A job that changes one file, publishes it, and has to prove the claim.
    """
    return {
        "id": name,
        "role": FIXER,
        "title": prompt,
        "prompt": f"{prompt} The shop runs at {url}.",
        "write_scope": {"allowed_paths": [file]},
        "expected_artifacts": [{"logical_name": "change", "kind": "source", "path": file}],
        "requires_verdict": [{"claim": claim, "url": url, "server_reloads": True}],
    }


def basket_total(url: str) -> dict[str, Any]:
    """
    The total counts each article once.
    """
    claim = {"kind": "text", "contains": "Total 6.00"}
    return fixing("basket-total", url, "static/cart.js", "Two of an article cost as much as one.", claim)


def orders_kept(url: str, claim: Mapping[str, Any] = ORDER_KEPT) -> dict[str, Any]:
    """
    An order is thanked for and forgotten.
    """
    return fixing("orders-kept", url, "shop.py", "Orders are thanked for and then forgotten.", claim)


def search_case(url: str) -> dict[str, Any]:
    """
    The search finds only what is written as in the shelf.
    """
    claim = {"kind": "text", "contains": "1 of 3 shown"}
    return fixing("search-case", url, "static/search.js", "A search in capitals finds nothing.", claim)


def review(job: Mapping[str, Any]) -> dict[str, Any]:
    """
    A look at what a job published, once it is done.
    """
    return {
        "id": f"review-{job['id']}",
        "role": REVIEWER,
        "type": "review",
        "title": f"Read the change for {job['id']}",
        "prompt": "Read what was published; accept it, or say what to do better.",
        "depends_on": [job["id"]],
        "reviews": job["id"],
    }
