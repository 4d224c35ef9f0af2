"""
Journeys that do not order: logging in and out, searching, filling the cart.
"""

from __future__ import annotations

from examples.journeys.claims import COUNTING, every, heading, post, stored, text
from examples.journeys.ordering import ORDER_TOTAL
from examples.journeys.walk import Claim, Journey, Walk
from reticle.client import CallResult

TEAPOT, CUP = 4900, 1800
REFUSED = text("Wrong name or password.")
SUGGESTED = text("Stoneware cup", scope="#suggestions")


def log_in(walk: Walk, password: str, until: Claim) -> CallResult:
    """
    Log in as Ada.
    """
    walk.fill("login-name", "ada")
    walk.fill("login-password", password)
    return walk.click("login", until)


def _refused(walk: Walk) -> CallResult:
    return log_in(walk, "babbage", REFUSED)


def _kept(walk: Walk) -> CallResult:
    """
    A login that is there when the page is loaded again.
    """
    log_in(walk, "lovelace", every(post("/api/login", 200), text("Logged in as ada")))
    walk.open("?fault=login-forgotten")
    return walk.look(text("Logged in as ada"))


def _log_out(walk: Walk) -> CallResult:
    return walk.click("log-out", every(post("/logout", 200), heading("Welcome back")), confirm=True)


def _to_checkout(walk: Walk) -> CallResult:
    return walk.click("to-checkout", {"kind": "route", "pathname": "/checkout"})


def _to_checkout_while_polling(walk: Walk) -> CallResult:
    walk.wait_for(COUNTING)
    return _to_checkout(walk)


def _suggest(walk: Walk) -> CallResult:
    return walk.type("search-words", "cup", SUGGESTED)


def _search(walk: Walk) -> CallResult:
    walk.fill("search-words", "  TEA ")
    return walk.click("search", every(post("/api/search", 200), text("1 found for “tea”")))


def _add_set(walk: Walk) -> CallResult:
    total = ORDER_TOTAL + TEAPOT + CUP
    return walk.click("add-set", every(post("/api/cart", 200, count=2), stored("cart", "total", total)))


def _take_out(walk: Walk) -> CallResult:
    """
    The quantity 0 that is sent comes back in no line.
    """
    total = ORDER_TOTAL - 2 * CUP
    return walk.click("take-out-cup", every(post("/api/cart", 200), stored("cart", "total", total)))


def _add_kettle(walk: Walk) -> CallResult:
    gone = {"kind": "element", "query": {"testid": "take-out-kettle"}, "absent": True}
    return walk.click("add-kettle", every(text("Somebody was faster"), gone))


FAULTS = (
    Journey("blames-the-user", "?visit=new&fault=blames-the-user", _refused, "no", "contradicted", "login"),
    Journey("login-forgotten", "?visit=new&fault=login-forgotten", _kept, "no", "assertion_failed"),
    Journey("blank-route", "?visit=ready&fault=blank-route", _to_checkout, "unknown", "evidence_incomplete"),
    Journey(
        "restless-blank-route",
        "?visit=ready&fault=restless-blank-route",
        _to_checkout_while_polling,
        "unknown",
        "evidence_incomplete",
    ),
    Journey(
        "stale-search", "?visit=ready&fault=stale-search", _suggest, "no", "contradicted", "search-words"
    ),
)
TRAPS = (
    Journey("a refusal that is shown", "?visit=new", _refused),
    Journey("a line that is taken back", "?visit=ready&trap=sold-out", _add_kettle),
    Journey("a zero that is not echoed", "?visit=ready", _take_out),
    Journey("one click, two writes", "?visit=ready", _add_set),
    Journey("an echo of less than asked", "?visit=ready", _search),
    Journey("a late answer that is dropped", "?visit=ready&trap=late-answer", _suggest),
    Journey("a form post that redirects", "?visit=ready", _log_out),
)
