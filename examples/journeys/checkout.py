"""
The journey: log in, fill the cart, check out; and what must come of the last click.

Two claims are made. The full one names every consequence; the other only what the screen says, as a
careless agent would: there the daemon has to notice by itself that the channels disagree.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import NamedTuple

from reticle.client import CallResult, Client

ORDER_TOTAL = 1450 + 2 * 1800 + 490
"""One tea, two cups and shipping, in cents."""

SCREEN_ONLY: Mapping[str, object] = {"kind": "text", "contains": "Order placed", "visible": True}

EVERY_CONSEQUENCE: Mapping[str, object] = {
    "kind": "allOf",
    "predicates": [
        {"kind": "net", "method": "POST", "urlContains": "/api/orders", "status": 201, "count": 1},
        {"kind": "element", "query": {"role": "heading", "name": "Thank you!"}, "state": "visible"},
        {"kind": "state", "store": "cart", "path": "order.total", "equals": ORDER_TOTAL},
        {"kind": "signal", "name": "order.placed"},
        {"kind": "console", "level": "error", "absent": True},
    ],
}

WAIT_MS = 3_000


class Journey(NamedTuple):
    """
    One run of the checkout: its name, the planted fault, what is claimed, and whether it may pass.
    """

    name: str
    fault: str
    until: Mapping[str, object]
    passes: bool = False


JOURNEYS = (
    Journey("clean", "", EVERY_CONSEQUENCE, passes=True),
    Journey("silent-500", "silent-500", EVERY_CONSEQUENCE),
    Journey("double-submit", "double-submit", EVERY_CONSEQUENCE),
    Journey("dead-button", "dead-button", EVERY_CONSEQUENCE),
    Journey("store-lies", "store-lies", EVERY_CONSEQUENCE),
    Journey("console-error", "console-error", EVERY_CONSEQUENCE),
    Journey("lying-toast", "lying-toast", EVERY_CONSEQUENCE),
    Journey("silent-500, screen only", "silent-500", SCREEN_ONLY),
    Journey("double-submit, screen only", "double-submit", SCREEN_ONLY),
    Journey("lying-toast, screen only", "lying-toast", SCREEN_ONLY),
    Journey("lying-toast-200, screen only", "lying-toast-200", SCREEN_ONLY),
)


class JourneyBrokenError(Exception):
    """
    The way to the last click could not be walked; says which step and what came back.
    """


def connected_page(client: Client, seconds: float = 20.0) -> str:
    """
    The id of the one page that is connected, once there is one.

    Raises ``JourneyBrokenError`` with the daemon's own diagnosis after the time.
    """
    deadline = time.monotonic() + seconds
    while True:
        listed = client.call("reticle_sessions")
        sessions = listed.fields.get("sessions")
        if isinstance(sessions, list) and sessions:
            return str(sessions[0]["sessionId"])
        if time.monotonic() > deadline:
            raise JourneyBrokenError(f"no page connected within {seconds:g} s: {listed.text}")
        time.sleep(0.1)


def travel(client: Client, page: str, shop_url: str, journey: Journey) -> CallResult:
    """
    Walk one journey on a page; gives the verdict on its last click.

    Raises ``JourneyBrokenError`` when a step before it fails.
    """
    walk = _Walk(client, page)
    walk.step("reticle_navigate", url=f"{shop_url}?visit=new&fault={journey.fault}")
    ready = {"kind": "element", "query": {"testid": "login-name"}, "state": "visible"}
    walk.step("reticle_wait_for", until=ready)
    walk.fill("login-name", "ada")
    walk.fill("login-password", "lovelace")
    walk.prove("login", {"kind": "net", "method": "POST", "urlContains": "/api/login", "status": 200})
    walk.prove("add-sencha", _in_cart(1450 + 490))
    walk.prove("add-cup", _in_cart(1450 + 1800 + 490))
    walk.prove("add-cup", _in_cart(ORDER_TOTAL))
    walk.prove("to-checkout", {"kind": "route", "pathname": "/checkout"})
    walk.fill("order-name", "Ada Lovelace")
    walk.fill("order-address", "12 St James's Square, London")
    return walk.click("place-order", journey.until, confirm=True)


class _Walk:
    """
    Calls on one page, each checked.
    """

    def __init__(self, client: Client, page: str) -> None:
        self._client = client
        self._page = page

    def step(self, tool: str, **arguments: object) -> CallResult:
        result = self._client.call(tool, {"sessionId": self._page, **arguments}, timeout_seconds=30)
        negative = (result.fields.get("confirmed"), result.fields.get("pass"))
        failed = result.verified is None and False in negative
        if not result.ok or failed:
            raise JourneyBrokenError(f"{tool} {arguments}: {result.text}")
        return result

    def fill(self, testid: str, value: str) -> None:
        self.step("reticle_act", action="fill", target={"testid": testid}, args={"value": value})

    def click(self, testid: str, until: Mapping[str, object], *, confirm: bool = False) -> CallResult:
        return self.step(
            "reticle_act_and_wait",
            action="click",
            target={"testid": testid},
            args={"confirmDangerous": True} if confirm else {},
            until=until,
            timeout_ms=WAIT_MS,
        )

    def prove(self, testid: str, until: Mapping[str, object]) -> None:
        result = self.click(testid, until)
        if result.verified != "yes":
            raise JourneyBrokenError(f"the step {testid!r} is not proved: {result.text}")


def _in_cart(total: int) -> Mapping[str, object]:
    return {
        "kind": "allOf",
        "predicates": [
            {"kind": "net", "method": "POST", "urlContains": "/api/cart", "ok": True},
            {"kind": "state", "store": "cart", "path": "total", "equals": total},
        ],
    }
