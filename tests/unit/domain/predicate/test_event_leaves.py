"""
Console, signals, routes and settling, as claims over recorded events.
"""

from __future__ import annotations

import attrs
import pytest

from reticle.domain.predicate import evaluate, parse
from reticle.model.verdict import Held
from reticle.testing.windows import WindowBuilder

YES, NO, UNKNOWN = Held.YES, Held.NO, Held.UNKNOWN


@pytest.mark.parametrize("level", ["log", "info", "debug", "warn", "error"])
def test_every_console_level_can_be_claimed(level: str) -> None:
    """
    An entry fits its own level and no other.
    """
    window = WindowBuilder().console(level, "cart loaded").build()
    assert evaluate(parse({"kind": "console", "level": level}), window).held is YES
    assert evaluate(parse({"kind": "console"}), window).held is YES
    other = "warn" if level != "warn" else "log"
    missed = evaluate(parse({"kind": "console", "level": other}), window)
    assert missed.held is NO
    assert missed.failure == f"no console {other}; entries seen: {level}: cart loaded"
    assert evaluate(parse({"kind": "console", "contains": "loaded"}), window).held is YES
    assert evaluate(parse({"kind": "console", "contains": "Loaded"}), window).held is NO


def test_an_uncaught_error_is_a_console_error() -> None:
    """
    "No console error" is refuted by an error that nobody caught.
    """
    window = WindowBuilder().uncaught("x is not a function").build()
    outcome = evaluate(parse({"kind": "console", "level": "error", "absent": True}), window)
    assert (outcome.held, outcome.final) == (NO, True)
    assert outcome.failure == "error: x is not a function"


def test_a_number_in_the_console_is_met_whole() -> None:
    """
    "Cost 2,500" in the console neither proves "Cost 2" nor its absence.
    """
    other = WindowBuilder().console("log", "Cost 2,500").build()
    outcome = evaluate(parse({"kind": "console", "contains": "Cost 2"}), other)
    assert outcome.held is UNKNOWN
    assert "only as a part of another number" in str(outcome.failure)
    assert evaluate(parse({"kind": "console", "contains": "Cost 2", "absent": True}), other).held is UNKNOWN
    both = WindowBuilder().console("log", "Cost 2,500").console("log", "Cost 2").build()
    assert evaluate(parse({"kind": "console", "contains": "Cost 2"}), both).held is YES


@pytest.mark.parametrize("channel", ["*", "console", "console.error", "error.uncaught"])
def test_no_console_error_needs_a_whole_watch(channel: str) -> None:
    """
    After a flood that lost entries, "no error" cannot be told; nor before some time has passed.
    """
    absent = parse({"kind": "console", "level": "error", "absent": True})
    assert evaluate(absent, WindowBuilder().build()).held is YES
    assert evaluate(absent, WindowBuilder().loss(channel).build()).held is UNKNOWN
    early = evaluate(absent, WindowBuilder().quiet(100).build())
    assert (early.held, early.retry_after_ms) == (UNKNOWN, 200)
    assert evaluate(absent, WindowBuilder().loss("dom").build()).held is YES


@pytest.mark.parametrize(
    ("level", "held"), [(None, UNKNOWN), ("info", UNKNOWN), ("debug", UNKNOWN), ("warn", YES), ("error", YES)]
)
def test_the_published_packages_say_nothing_of_info(level: str | None, held: Held) -> None:
    """
    "No entry" cannot be told on their page where the entry may be one that they do not report; nor is one
    that is claimed missing for it. A later build, which names its contract, reports all of them.
    """
    claim = {"kind": "console"} if level is None else {"kind": "console", "level": level}
    window = WindowBuilder().build()
    published = attrs.evolve(window, page=attrs.evolve(window.page, own_script=False))
    assert evaluate(parse({**claim, "absent": True}), published).held is held
    assert evaluate(parse(claim), published).held is (UNKNOWN if held is UNKNOWN else NO)
    later = attrs.evolve(published, page=attrs.evolve(published.page, script_hash="98965227"))
    assert evaluate(parse({**claim, "absent": True}), later).held is YES
    written = WindowBuilder().console("log", "x").build()
    told = attrs.evolve(written, page=published.page)
    assert evaluate(parse({"kind": "console"}), told).held is YES
    assert evaluate(parse({"kind": "console", "absent": True}), told).held is NO


def test_a_signal_is_known_by_name_and_payload() -> None:
    """
    The right name with the wrong payload is not the signal, and is told with its payload.
    """
    window = WindowBuilder().signal("order.placed", {"id": 7, "total": 0}).build()
    assert evaluate(parse({"kind": "signal", "name": "order.placed"}), window).held is YES
    assert evaluate(parse({"kind": "signal", "name": "order.placed", "data": {"id": 7}}), window).held is YES
    wrong = evaluate(parse({"kind": "signal", "name": "order.placed", "data": {"total": {"$gt": 0}}}), window)
    assert (wrong.held, wrong.assertion) == (NO, "signal.payload")
    assert wrong.failure is not None
    assert '"total": 0' in wrong.failure
    other = evaluate(parse({"kind": "signal", "name": "order.paid"}), window)
    assert (other.held, other.assertion) == (NO, "signal.absent")
    assert other.failure == "no signal 'order.paid'; signals seen: order.placed"
    missing = {"kind": "signal", "name": "order.placed", "data": {"coupon": {"$exists": False}}}
    assert evaluate(parse(missing), window).held is YES


def test_a_payload_that_was_not_sent_is_unknown() -> None:
    """
    A redacted or cut payload proves neither side.
    """
    claim = parse({"kind": "signal", "name": "a", "data": {"token": "x"}})
    assert evaluate(claim, WindowBuilder().signal("a", {"token": "[REDACTED]"}).build()).held is UNKNOWN
    assert evaluate(claim, WindowBuilder().signal("a", "[TRUNCATED]").build()).held is UNKNOWN


def test_signal_counts_are_exact_and_must_hold() -> None:
    """
    A signal that fires twice is not one that fires once, however late the second comes.
    """
    once = parse({"kind": "signal", "name": "a", "count": 1})
    assert evaluate(once, WindowBuilder().signal("a").build()).held is YES
    assert evaluate(once, WindowBuilder().signal("a").quiet(299).build()).held is UNKNOWN
    twice = evaluate(once, WindowBuilder().signal("a").signal("a").quiet(0).build())
    assert (twice.held, twice.final) == (NO, True)
    never = parse({"kind": "signal", "name": "b", "count": 0})
    assert evaluate(never, WindowBuilder().signal("a").build()).held is YES
    assert evaluate(never, WindowBuilder().signal("a").loss("signal").build()).held is UNKNOWN


def test_a_route_is_where_the_page_is_and_not_what_it_only_came_by() -> None:
    """
    The current address decides: who was sent on from the account to the login is not at the account.
    """
    window = WindowBuilder().route("/checkout").route("/done").at("/done").build()
    assert evaluate(parse({"kind": "route", "pathname": "/done"}), window).held is YES
    passed = evaluate(parse({"kind": "route", "pathname": "/checkout"}), window)
    assert passed.held is UNKNOWN
    assert passed.failure == "the page came by /checkout and went on to /done: claim where it is to end"
    unread = WindowBuilder().route("/checkout").route("/done").build()
    assert evaluate(parse({"kind": "route", "pathname": "/checkout"}), unread).held is UNKNOWN
    assert evaluate(parse({"kind": "route", "pathname": "/done"}), unread).held is YES
    assert evaluate(parse({"kind": "route"}), window).held is YES
    missed = evaluate(parse({"kind": "route", "pathname": "/cart"}), window)
    assert missed.held is NO
    assert missed.failure == "the page is at /done; came by: /checkout, /done"
    still = WindowBuilder().at("/done").build()
    here = evaluate(parse({"kind": "route", "contains": "don"}), still)
    assert (here.held, here.evidence[0]["decidedBy"]) == (YES, "current-route")
    assert evaluate(parse({"kind": "route"}), still).held is NO


def test_a_new_document_is_a_route_change() -> None:
    """
    A server-rendered navigation counts as going somewhere.
    """
    window = WindowBuilder().dom_added().new_document().dom_added().at("/home").build()
    assert evaluate(parse({"kind": "route"}), window).held is YES
    assert evaluate(parse({"kind": "route", "pathname": "/home"}), window).held is YES


def test_settled_says_what_it_waits_for() -> None:
    """
    A page with an open request, or without quiet, is not settled yet and says why.
    """
    settled = parse({"kind": "settled"})
    assert evaluate(settled, WindowBuilder().dom_added().quiet(500).build()).held is YES
    busy = evaluate(settled, WindowBuilder().pending("GET", "/slow").build())
    assert (busy.held, busy.assertion) == (UNKNOWN, "settled.in-flight")
    assert busy.failure == "the page is not settled: still in flight: GET /slow"
    loud = evaluate(settled, WindowBuilder().dom_added().quiet(200).build())
    assert (loud.held, loud.assertion, loud.retry_after_ms) == (UNKNOWN, "settled.quiet", 300)


@pytest.mark.parametrize(("channel", "held"), [("dom.added", UNKNOWN), ("net", UNKNOWN), ("dom.text", YES)])
def test_what_was_lost_may_have_ended_quiet(channel: str, held: Held) -> None:
    """
    A page of which a change or a request was lost is not called settled; words alone stir nothing.
    """
    lossy = WindowBuilder().dom_added().loss(channel, where="page").quiet(500).build()
    assert evaluate(parse({"kind": "settled"}), lossy).held is held


def test_an_address_that_may_have_been_passed_unseen_is_unknown() -> None:
    """
    A page that lost route changes may have come by the address.
    """
    lossy = WindowBuilder().at("/").loss("route").build()
    assert evaluate(parse({"kind": "route", "pathname": "/rows"}), lossy).held is UNKNOWN
    assert evaluate(parse({"not": {"kind": "route", "pathname": "/rows"}}), lossy).held is UNKNOWN
    assert evaluate(parse({"kind": "route", "pathname": "/"}), lossy).held is YES
