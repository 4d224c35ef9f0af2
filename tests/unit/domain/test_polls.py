"""
Which reads repeat on their own, for settling and for detectors.
"""

from __future__ import annotations

import pytest

from reticle.domain.polls import call_name, is_beat, long_polls, regular_polls, steady_polls
from reticle.domain.requests import requests
from reticle.testing.windows import WindowBuilder


def begun(*pauses: int, method: str = "GET", url: str = "/rows") -> WindowBuilder:
    """
    The same call, begun again after each pause.
    """
    builder = WindowBuilder(step_ms=0).pending(method, url)
    for pause in pauses:
        builder.wait(pause).pending(method, url)
    return builder


@pytest.mark.parametrize(
    ("builder", "steady", "regular"),
    [
        (begun(), (), ()),
        (begun(0), (), ()),
        (begun(199), (), ()),
        (begun(200), ("GET /rows",), ()),
        (begun(800, 800), ("GET /rows",), ("GET /rows",)),
        (begun(800, 20, 780), ("GET /rows",), ()),
        (begun(800, 20), (), ()),
        (begun(800, 1_200), ("GET /rows",), ("GET /rows",)),
        (begun(1_000, 2_000, 4_000), ("GET /rows",), ()),
        (begun(800, 800, method="POST"), (), ()),
        (begun(800, 800, url="/@vite/client"), (), ()),
    ],
)
def test_a_poll_is_a_read_that_comes_again(
    builder: WindowBuilder, steady: tuple[str, ...], regular: tuple[str, ...]
) -> None:
    """
    Twice with a pause is enough to stop waiting for it; only a beat is enough to overlook its failures.
    """
    seen = requests(builder.build())
    assert (steady_polls(seen), regular_polls(seen)) == (steady, regular)


@pytest.mark.parametrize(
    ("times", "beat"),
    [
        ((0, 300, 600), True),
        ((0, 300, 653, 907, 1_200), True),
        ((0, 300), False),
        ((0, 300, 420), False),
        ((0, 300, 1_200), False),
        ((0, 300, 600, 900, 1_501), False),
        ((0, 300, 600, 900, 1_500), True),
        ((), False),
    ],
)
def test_a_timer_is_known_by_its_middle_pause(times: tuple[int, ...], *, beat: bool) -> None:
    """
    A busy page is late once and in time again; half or twice the pause is no beat any more.
    """
    assert is_beat(times, 3) is beat


@pytest.mark.parametrize(
    ("spans", "begun_again", "known"),
    [
        ([(-400, -300), (-290, -200), (-190, -20)], 0, True),
        ([(-400, -300), (-290, -200), (-190, -20)], None, False),
        ([(-290, -200), (-190, -20)], 0, False),
        ([(-11_000, -6_000), (-5_900, -100)], 0, True),
        ([(-11_000, -6_000), (-5_900, -2_000)], 0, False),
        ([(-11_000, -6_100), (-5_900, -100)], 0, False),
        ([(-1_400, -1_300), (-900, -800), (-500, -400)], 0, False),
    ],
)
def test_a_long_poll_is_asked_again_as_soon_as_it_is_answered(
    spans: list[tuple[int, int]], begun_again: int | None, *, known: bool
) -> None:
    """
    A chat that waits for news is let be; a list that is read once after each action is not.
    """
    builder = WindowBuilder(step_ms=0)
    for start, end in spans:
        builder.answered_before("GET", "/news", age_ms=-end, durationMs=end - start)
    if begun_again is not None:
        builder.pending("GET", "/news")
    window = builder.build()
    assert long_polls(requests(window), window.answers_before) == (("GET /news",) if known else ())


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("/rows", "GET /rows"),
        ("/rows?t=17", "GET /rows"),
        ("/rows?page=2&_=1700000000000", "GET /rows?page=2"),
        ("/rows?_=1&page=2", "GET /rows?page=2"),
        ("/rows?v=1700000000", "GET /rows"),
        ("/rows?q=ab", "GET /rows?q=ab"),
        ("/rows?id=17", "GET /rows?id=17"),
    ],
)
def test_only_what_defeats_caches_is_left_out_of_a_call(url: str, name: str) -> None:
    """
    A search with another word is another call.
    """
    assert call_name("GET", url) == name
