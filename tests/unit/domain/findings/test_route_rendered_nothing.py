"""
An address that changed over a page that did not.
"""

from __future__ import annotations

import attrs
import pytest

from reticle.domain.findings import route_rendered_nothing
from reticle.domain.ladder import decide
from reticle.domain.predicate import parse
from reticle.model.limits import CALM_MS, QUIET_MS
from reticle.model.verdict import FindingTier
from reticle.model.window import Pending
from reticle.testing.windows import WindowBuilder, WindowStep


def kinds(builder: WindowBuilder) -> list[str]:
    return [finding.kind for finding in route_rendered_nothing.find(builder.build(), None)]


def test_a_new_path_over_an_unchanged_page_is_found() -> None:
    """
    A router that goes to a page which renders nothing casts doubt on the claim that it arrived.
    """
    builder = WindowBuilder().click().at("/", before=True).route("/orders").at("/orders")
    [finding] = route_rendered_nothing.find(builder.build(), None)
    assert (finding.kind, finding.tier) == ("route-rendered-nothing", FindingTier.ABSENCE)
    assert (finding.claim, finding.counter) == ("the route changed to /orders", "nothing was rendered")
    arrived = decide(parse({"kind": "route", "pathname": "/orders"}), builder.build())
    assert (arrived.verified.value, arrived.reason.value) == ("unknown", "evidence_incomplete")


def test_a_page_with_nothing_left_to_come_needs_no_longer_look() -> None:
    """
    Where the page knows that nothing more comes of the click, a moment without rendering is enough.
    """
    window = (
        WindowBuilder().click().at("/", before=True).route("/orders").at("/orders").quiet(CALM_MS).build()
    )
    assert not route_rendered_nothing.find(window, None)
    calm = attrs.evolve(window, pending=Pending(window.closed_t_ms, quiet_ms=QUIET_MS))
    [finding] = route_rendered_nothing.find(calm, None)
    assert finding.kind == "route-rendered-nothing"
    at_once = WindowBuilder().click().at("/", before=True).route("/orders").at("/orders").build()
    rested = Pending(at_once.closed_t_ms, quiet_ms=QUIET_MS, rested=True)
    assert len(route_rendered_nothing.find(attrs.evolve(at_once, pending=rested), None)) == 1


def test_a_live_text_and_its_poll_are_no_rendering() -> None:
    """
    A number of viewers that ticks beside a blank route renders no route.
    """
    builder = WindowBuilder().click().at("/", before=True)
    for age_ms in (700, 350):
        builder.answered_before("GET", "/viewers", age_ms=age_ms)
        builder.changed_before("dom.text", {"text": "3", "old": "2"}, ref="e9", age_ms=age_ms)
    builder.route("/orders").at("/orders")
    for _ in range(2):
        builder.net("GET", "/viewers").event("dom.text", {"text": "5", "old": "4"}, ref="e9").wait(290)
    arrived = decide(parse({"kind": "route", "pathname": "/orders"}), builder.build())
    assert (arrived.verified.value, arrived.reason.value) == ("unknown", "evidence_incomplete")
    assert kinds(builder.event("dom.text", {"text": "Orders", "old": ""}, ref="e1")) == []


def test_a_poll_that_a_busy_machine_made_uneven_is_no_rendering() -> None:
    """
    One call seen before is enough: when it comes again, early or late, it is no sign of the new page.
    """
    builder = WindowBuilder().click().at("/", before=True)
    builder.answered_before("GET", "/viewers", age_ms=900)
    builder.changed_before("dom.text", {"text": "3", "old": "2"}, ref="e9", age_ms=900)
    builder.route("/orders").at("/orders").wait(40)
    builder.net("GET", "/viewers").event("dom.text", {"text": "5", "old": "4"}, ref="e9").wait(700)
    builder.net("GET", "/viewers").wait(290)
    assert kinds(builder) == ["route-rendered-nothing"]
    assert kinds(builder.net("GET", "/api/orders")) == []


def test_a_text_that_was_not_there_before_was_rendered() -> None:
    """
    Who sees what was claimed on the new page need not see it being put in.
    """
    builder = WindowBuilder().click().route("/orders").text("Orders", there=False, before=True).text("Orders")
    assert decide(parse({"kind": "text", "contains": "Orders"}), builder.build()).verified.value == "yes"


@pytest.mark.parametrize(
    "step",
    [
        lambda b: b.route("/orders").dom_added(),
        lambda b: b.dom_added().route("/orders"),
        lambda b: b.route("/orders").pending("GET", "/api/orders"),
        lambda b: b.event(
            "route.change", {"from": "/a", "to": "/a?tab=2", "pathname": "/a", "search": "?tab=2", "hash": ""}
        ),
        lambda b: b.event("route.change", {"from": "/a", "to": "/a#top"}),
        lambda b: b.route("/orders").quiet(299),
        lambda b: b.route("/orders").loss("dom"),
        lambda b: b.route("/orders").blind_spot("closed-shadow-root"),
        lambda b: b.route("/orders").new_document(),
        lambda b: b,
    ],
)
def test_rendering_or_what_may_have_hidden_it_is_enough(step: WindowStep) -> None:
    """
    A change, a request, a mere query or fragment, too little time, a place nobody can look into.
    """
    assert kinds(step(WindowBuilder().click())) == []
