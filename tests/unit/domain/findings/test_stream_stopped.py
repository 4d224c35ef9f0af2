"""
``stream-stopped``: the stream that a page lives on broke, or fell silent.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from reticle.domain.findings import find_all
from reticle.domain.findings.stream_stopped import KIND
from reticle.domain.predicate import parse
from reticle.model.verdict import Finding, FindingTier
from reticle.testing.windows import WindowBuilder, WindowStep


def found(builder: WindowBuilder, claim: Mapping[str, object] | None = None) -> list[Finding]:
    told = find_all(builder.build(), None if claim is None else parse(claim))
    return [finding for finding in told if finding.kind == KIND]


def tell(builder: WindowBuilder, direction: str, transport: str = "ws", **more: object) -> WindowBuilder:
    fields = {"transport": transport, "direction": direction, "id": "w1", "url": "/live", **more}
    return builder.event("net.stream", fields)


def in_use(transport: str = "ws", preview: str = '{"price": 41}') -> WindowBuilder:
    """
    A stream that brought something well after the click.
    """
    builder = tell(WindowBuilder().click().wait(400), "in", transport, preview=preview)
    return builder.wait(100)


def ticking(times: int = 8, last: str = '{"price": 41}', pause: int = 300) -> WindowBuilder:
    """
    A stream with an even beat.
    """
    builder = WindowBuilder(step_ms=0).click()
    for number in range(times):
        tell(builder.wait(pause), "in", preview=last if number == times - 1 else '{"price": 42}')
    return builder.quiet(4_000)


@pytest.mark.parametrize(
    ("builder", "how"),
    [
        (tell(in_use(), "close").quiet(3_500), "it ended and was not opened again"),
        (tell(in_use("sse"), "close", "sse").quiet(3_500), "it ended and was not opened again"),
        (
            tell(in_use("fetch"), "close", "fetch", broken=True).quiet(3_500),
            "it broke off and was not opened again",
        ),
        (ticking(), "a message came every 300 ms, and then none for 4000 ms"),
    ],
)
def test_a_stream_that_ends_or_falls_silent_is_in_doubt(builder: WindowBuilder, how: str) -> None:
    """
    Prices that stand still look like prices that do not move.
    """
    (finding,) = found(builder)
    assert (finding.tier, finding.counter) == (FindingTier.ABSENCE, how)
    assert finding.detail["url"] == "/live"
    shown = closed().event("dom.attr", {"attr": "hidden", "value": None, "old": ""}, ref="e7")
    assert len(found(shown.quiet(600), LIVE)) == 1


@pytest.mark.parametrize(
    "step",
    [
        lambda b: tell(b.wait(500), "open", id="w2"),
        lambda b: b.shown("status", "Connection lost, reconnecting"),
        lambda b: b.signal("stream.failed"),
        lambda b: b.route("/elsewhere"),
        lambda b: b.new_document(),
        lambda b: b.loss("net"),
        lambda b: b.hidden(),
    ],
)
def test_a_stream_that_returns_or_whose_page_says_so_is_let_be(step: WindowStep) -> None:
    """
    Reconnecting, a banner, a view that was left: nobody is deceived, or nobody knows.
    """
    assert found(step(tell(in_use(), "close")).quiet(3_500)) == []


@pytest.mark.parametrize(
    "builder",
    [
        tell(in_use("fetch"), "close", "fetch").quiet(3_500),
        tell(in_use(preview='{"done": true}'), "close").quiet(3_500),
        tell(in_use(), "close").quiet(2_900),
        tell(tell(WindowBuilder().click(), "in", preview="x"), "close").quiet(3_500),
        tell(WindowBuilder().click().wait(500), "close").quiet(3_500),
        ticking(times=5),
        ticking(last='{"progress": 100}'),
        ticking().quiet(1_100),
        ticking(pause=1_500),
        tell(tell(ticking(times=4), "in", preview="x").wait(2_500), "in", preview="x"),
    ],
)
def test_an_end_in_good_order_is_none(builder: WindowBuilder) -> None:
    """
    A body read to its end, a last message, a socket that the click closed, a few messages, a slow beat.
    """
    assert found(builder) == []


def test_a_claim_about_the_stream_decides_by_itself() -> None:
    """
    Who claims that it closes, or that a message comes, is not told of it a second time.
    """
    claim = {"kind": "stream", "transport": "ws", "direction": "close"}
    assert found(tell(in_use(), "close").quiet(3_500), claim) == []


LIVE = {"kind": "text", "contains": "Saved"}


def closed(name: str = "Save", *, fed: int = 8, cause: str | None = "a1") -> WindowBuilder:
    """
    A click after which the app closed a stream that it had before.
    """
    builder = WindowBuilder().click(name).caused(cause)
    return tell(builder, "close", "sse", by="app", heard=9, fed=fed).caused(None)


def test_a_stream_that_the_action_made_the_app_close_is_in_doubt() -> None:
    """
    "Saved", and from then on the prices stand still: the handler closed the stream that feeds them.
    """
    (finding,) = found(closed().quiet(600), LIVE)
    assert (
        finding.counter == "the app closed it with this action, after 8 of its messages had changed the page"
    )
    assert finding.detail["url"] == "/live"


@pytest.mark.parametrize(
    "builder",
    [
        closed("Stop"),
        closed("Log out"),
        closed(fed=2),
        closed(cause=None),
        closed(cause="load"),
        tell(closed(), "open", "sse", id="s2", url="/other"),
        closed().dom_removed("region", "Prices"),
        closed().route("/elsewhere"),
        closed().event("dom.attr", {"attr": "hidden", "value": "", "old": None}, ref="e7"),
        closed().event("dom.attr", {"attr": "aria-selected", "value": "false", "old": "true"}, ref="e7"),
    ],
)
def test_a_stream_that_was_to_end_is_let_be(builder: WindowBuilder) -> None:
    """
    Who presses Stop, leaves the view or changes the channel wants it closed; what else closes it may too.
    """
    assert found(builder.quiet(600), LIVE) == []
    assert found(closed().quiet(600), {"kind": "text", "contains": "Disconnected"}) == []
