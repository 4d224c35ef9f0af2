"""
When a page counts as settled, and what is not allowed to keep it from being so.
"""

from __future__ import annotations

import pytest

from reticle.domain.settle import settle
from reticle.testing.windows import WindowBuilder, WindowStep


def test_a_page_without_any_activity_is_settled_once_it_was_watched() -> None:
    """
    Silence counts from the window's start.
    """
    assert settle(WindowBuilder().quiet(500).build()).settled
    early = settle(WindowBuilder().quiet(120).build())
    assert (early.settled, early.quiet_for_ms, early.retry_after_ms) == (False, 120, 380)


@pytest.mark.parametrize(
    ("type_", "stirs"),
    [
        ("dom.added", True),
        ("dom.removed", True),
        ("dom.attr", True),
        ("route.change", True),
        ("dom.text", False),
        ("page.health", False),
        ("console.log", False),
        ("net.stream", False),
    ],
)
def test_only_what_a_page_builds_ends_quiet(type_: str, stirs: bool) -> None:  # noqa: FBT001 -- a table column
    """
    Rows and routes end quiet; ticking clocks, streams and logs do not.
    """
    window = WindowBuilder().wait(600).event(type_, {}).quiet(100).build()
    assert settle(window).settled is not stirs


def test_open_requests_are_named_and_no_time_helps() -> None:
    """
    Only the answer itself can settle a page that waits for one.
    """
    now = settle(WindowBuilder().pending("POST", "/a").pending("GET", "/b").quiet(5_000).build())
    assert (now.settled, now.retry_after_ms) == (False, None)
    assert [one.url for one in now.open_requests] == ["/a", "/b"]
    assert now.what_keeps_it_busy() == "still in flight: POST /a, GET /b"


def test_many_open_requests_are_counted_not_listed() -> None:
    """
    The sentence stays short.
    """
    builder = WindowBuilder()
    for number in range(5):
        builder.pending("GET", f"/{number}")
    assert (
        settle(builder.build()).what_keeps_it_busy() == "still in flight: GET /0, GET /1, GET /2 and 2 more"
    )


@pytest.mark.parametrize(
    "busy",
    [
        lambda b: b.pending("GET", "/__reload__/events/"),
        lambda b: b.pending("GET", "/socket.io/?EIO=4&transport=polling"),
        lambda b: b.pending("POST", "https://www.google-analytics.com/g/collect"),
        lambda b: b.open_before("GET", "/api/wait", age_ms=5_000),
        lambda b: b.pending("GET", "/feed", id_="s").event("net.stream", {"id": "s", "direction": "in"}),
        lambda b: (
            b.net("GET", "/poll?t=1").wait(800).net("GET", "/poll?t=2").wait(800).pending("GET", "/poll?t=3")
        ),
        lambda b: b.pending("GET", "/old").new_document(),
    ],
)
def test_what_never_ends_does_not_keep_a_page_busy(busy: WindowStep) -> None:
    """
    Tooling, long polls, telemetry, streams, steady polls and requests of a page that left are let be.
    """
    assert settle(busy(WindowBuilder()).build()).settled


@pytest.mark.parametrize(
    "busy",
    [
        lambda b: b.open_before("GET", "/api/rows", age_ms=4_999),
        lambda b: b.open_before("POST", "/api/rows", age_ms=60_000),
        lambda b: b.net("GET", "/rows").pending("GET", "/rows"),
        lambda b: b.net("POST", "/rows").wait(800).pending("POST", "/rows"),
        lambda b: b.pending("GET", "/report", initiator="document"),
        lambda b: b.net("GET", "/search?q=a").wait(500).pending("GET", "/search?q=ab"),
    ],
)
def test_what_may_still_answer_keeps_a_page_busy(busy: WindowStep) -> None:
    """
    A recent read, any write, an effect that ran twice, and a document that loads are waited for.
    """
    assert not settle(busy(WindowBuilder()).build()).settled


def test_pollers_and_tooling_are_named() -> None:
    """
    Whoever asks why a page is never quiet reads which calls repeat.
    """
    builder = (
        WindowBuilder().net("GET", "/poll?t=1").wait(800).net("GET", "/poll?t=2").net("GET", "/@vite/client")
    )
    now = settle(builder.dom_added().quiet(100).build())
    assert (now.pollers, now.ignored) == (("GET /poll",), ("/@vite/client",))
    assert now.what_keeps_it_busy() == "quiet for only 100 ms; repeating on their own: GET /poll"


def test_what_goes_on_by_itself_is_named() -> None:
    """
    A reader of a verdict sees which poll was let be, and is not left to guess what the page was doing.
    """
    builder = WindowBuilder().click()
    for _ in range(3):
        builder.net("GET", "/api/viewers", 200).wait(400)
    assert settle(builder.build()).ambient == ("GET /api/viewers",)
    assert settle(WindowBuilder().click().net("POST", "/api/orders", 201).build()).ambient == ()
