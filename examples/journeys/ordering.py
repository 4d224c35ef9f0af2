"""
Journeys that end with an order: the whole checkout, its faults, and what only looks like one.

Two claims are made of an order. The full one names every consequence; the other only what the screen says,
as a careless agent would: there the daemon has to notice by itself that the channels disagree.
"""

from __future__ import annotations

from examples.journeys.claims import COUNTING, NO_ERRORS, every, heading, post, signal, stored, text
from examples.journeys.walk import WAIT_MS, Claim, Journey, Walk
from reticle.client import CallResult

SHIPPING = 490
ORDER_TOTAL = 1450 + 2 * 1800 + SHIPPING
"""One tea, two cups and shipping, in cents."""

SHORT_MS = 1_500
"""The budget where nothing good can come; it is spent whole."""

SCREEN_ONLY = text("Order placed")
EVERY_CONSEQUENCE = every(
    post("/api/orders", 201, count=1),
    heading("Thank you!"),
    stored("cart", "order.total", ORDER_TOTAL),
    signal("order.placed"),
    NO_ERRORS,
)


def order(walk: Walk, until: Claim = EVERY_CONSEQUENCE, wait_ms: int = WAIT_MS) -> CallResult:
    """
    Fill the checkout's form and place the order.
    """
    walk.fill("order-name", "Ada Lovelace")
    walk.fill("order-address", "12 St James's Square, London")
    return walk.click("place-order", until, wait_ms=wait_ms, confirm=True)


def whole_checkout(walk: Walk) -> CallResult:
    """
    Log in, fill the cart, check out, each step proved.
    """
    walk.fill("login-name", "ada")
    walk.fill("login-password", "lovelace")
    walk.prove("login", post("/api/login", 200))
    walk.prove("add-sencha", _in_cart(1450 + SHIPPING))
    walk.prove("add-cup", _in_cart(1450 + 1800 + SHIPPING))
    walk.prove("add-cup", _in_cart(ORDER_TOTAL))
    walk.prove("to-checkout", every({"kind": "route", "pathname": "/checkout"}, heading("Checkout")))
    return order(walk)


def refund(walk: Walk, until: Claim) -> CallResult:
    """
    Order, then send it all back.
    """
    order(walk)
    return walk.click("refund", until, confirm=True)


def _in_cart(total: int) -> Claim:
    return every(post("/api/cart", 200), stored("cart", "total", total))


def _with_a_fault(walk: Walk) -> CallResult:
    return order(walk, EVERY_CONSEQUENCE, SHORT_MS)


def _screen_only(walk: Walk) -> CallResult:
    return order(walk, SCREEN_ONLY, SHORT_MS)


def _refund_on_screen(walk: Walk) -> CallResult:
    return refund(walk, text("on its way back"))


def _whole_refund(walk: Walk) -> CallResult:
    return refund(
        walk, every(post("/refund", 201, count=1), stored("cart", "order.refunded", ORDER_TOTAL), NO_ERRORS)
    )


def _while_polling(walk: Walk) -> CallResult:
    walk.wait_for(COUNTING)
    return order(walk)


def _marked_in_finnish(walk: Walk) -> CallResult:
    marked = {"kind": "element", "query": {"testid": "order-address"}, "state": "invalid"}
    return order(walk, every(marked, text("Tarkista osoite.")))


def _faulty(fault: str, verified: str, reason: str) -> Journey:
    fix_at = "place-order" if verified == "no" else ""
    return Journey(fault, f"checkout?visit=ready&fault={fault}", _with_a_fault, verified, reason, fix_at)


def _careless(fault: str, verified: str, reason: str, fix_at: str = "place-order") -> Journey:
    start = f"checkout?visit=ready&fault={fault}"
    fix_at = fix_at if verified == "no" else ""
    return Journey(f"{fault}, screen only", start, _screen_only, verified, reason, fix_at)


CLEAN = (
    Journey("clean", "?visit=new", whole_checkout),
    Journey("clean refund", "checkout?visit=ready", _whole_refund),
)
FAULTS = (
    _faulty("silent-500", "no", "assertion_failed"),
    _careless("silent-500", "no", "contradicted"),
    _faulty("double-submit", "no", "assertion_failed"),
    _careless("double-submit", "unknown", "evidence_incomplete"),
    _faulty("late-duplicate", "no", "assertion_failed"),
    _faulty("dead-button", "no", "assertion_failed"),
    _faulty("store-lies", "no", "assertion_failed"),
    _faulty("console-error", "no", "assertion_failed"),
    _careless("late-crash", "no", "contradicted", "order.js: confetti"),
    _careless("lying-toast", "no", "contradicted"),
    _careless("lying-toast-200", "no", "contradicted"),
    _faulty("half-order", "no", "contradicted"),
    _faulty("address-ignored", "no", "contradicted"),
    _careless("accepted-only", "unknown", "outcome_pending"),
    _careless("job-fails", "no", "contradicted"),
    _faulty("session-expired", "no", "assertion_failed"),
    _careless("session-expired", "unknown", "outcome_unread"),
    _careless("never-answered", "unknown", "evidence_incomplete"),
    Journey(
        "refund-in-euros",
        "checkout?visit=ready&fault=refund-in-euros",
        _refund_on_screen,
        "no",
        "contradicted",
        "refund",
    ),
)
TRAPS = (
    Journey("slow answer, placeholder", "checkout?visit=ready&trap=slow-order", order),
    Journey("polls and counts for ever", "checkout?visit=ready&trap=restless", order),
    Journey("polls by POST", "checkout?visit=ready&trap=polls-by-post", _while_polling),
    Journey("a toast that goes again", "checkout?visit=ready&trap=short-toast", _screen_only),
    Journey("an error in Finnish", "checkout?visit=ready&trap=in-finnish", _marked_in_finnish),
    Journey("a retry that goes through", "checkout?visit=ready&trap=retry", order),
)
