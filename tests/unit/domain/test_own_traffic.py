"""
Which requests are the app's own.
"""

from __future__ import annotations

import pytest

from reticle.domain.own_traffic import failed_before, open_reads, own_requests, own_writes
from reticle.model.limits import BODIES_JUDGED
from reticle.testing.windows import WindowBuilder


def urls(builder: WindowBuilder) -> list[str]:
    return [one.url for one in own_requests(builder.build())]


def test_tooling_telemetry_beacons_and_polls_are_not_the_apps() -> None:
    """
    What runs by itself neither proves nor accuses.
    """
    builder = WindowBuilder().net("GET", "/@vite/client").net("POST", "https://x.sentry.io/1")
    builder.net("POST", "/count", initiator="beacon").net("POST", "/api/a").pending("GET", "/open")
    for _ in range(3):
        builder.net("GET", "/poll").wait(760)
    assert urls(builder) == ["/api/a"]


def test_a_poll_that_waits_when_the_action_comes_is_one() -> None:
    """
    A poll is known by all its beats, the one that was under way before the action too.
    """
    builder = WindowBuilder().click().open_before("GET", "/poll", age_ms=200)
    builder.answered("old1", "GET", "/poll").wait(750).pending("GET", "/poll")
    for age_ms in (3_100, 2_100, 1_100):
        builder.answered_before("GET", "/poll", age_ms=age_ms, durationMs=100)
    assert open_reads(builder.build()) == ()


def test_the_beats_before_the_window_make_a_poll() -> None:
    """
    A poll each five seconds beats once in a window, and is known by its earlier beats.
    """
    builder = WindowBuilder().net("GET", "/poll", 500).net("GET", "/api/a")
    assert urls(builder) == ["/poll", "/api/a"]
    builder.answered_before("GET", "/poll", 500, age_ms=10_000, durationMs=7)
    builder.answered_before("GET", "/poll", 500, age_ms=5_000)
    assert urls(builder) == ["/api/a"]


def test_a_call_is_a_poll_however_long_its_answer_takes() -> None:
    """
    A read that would be judged when it fails is waited for while it is open, and no other.
    """
    builder = WindowBuilder().click().pending("GET", "/poll").pending("GET", "/api/a")
    builder.pending("POST", "/api/b")
    builder.pending("GET", "/count", initiator="beacon").open_before("GET", "/earlier")
    assert [one.url for one in open_reads(builder.build())] == ["/poll", "/api/a"]
    for age_ms in (15_000, 10_000, 5_000):
        builder.answered_before("GET", "/poll", age_ms=age_ms)
    assert [one.url for one in open_reads(builder.build())] == ["/api/a"]


@pytest.mark.parametrize(
    ("method", "before", "known"),
    [("GET", [500], True), ("GET", [200, 500], True), ("GET", [500, 200], False), ("POST", [500], False)],
)
def test_a_read_that_failed_before_is_known(method: str, before: list[int], known: bool) -> None:  # noqa: FBT001 -- a table column
    """
    What last failed before the action is not its fault; a write is made anew each time.
    """
    builder = WindowBuilder().click().net(method, "/api/a", 500)
    for status in before:
        builder.answered_before(method, "/api/a", status)
    window = builder.build()
    assert failed_before(own_requests(window)[0], window) is known


def test_only_so_many_writes_are_compared() -> None:
    """
    A page that writes without end does not hold up its verdict.
    """
    builder = WindowBuilder().net("POST", "/failed", 500)
    for n in range(BODIES_JUDGED + 1):
        builder.net("POST", f"/api/{n}")
    written = own_writes(builder.build())
    assert (len(written), written[0].url) == (BODIES_JUDGED, "/api/0")
