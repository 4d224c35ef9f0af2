"""
Which reads repeat on their own, for settling and for detectors.
"""

from __future__ import annotations

import attrs
import pytest

from reticle.domain.polls import call_name, is_beat, long_polls, regular_polls, steady_polls
from reticle.domain.requests import requests
from reticle.model.ids import DocumentId
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
        ((0, 300, 600, 900, 1_200, 1_500, 1_800, 2_500), False),
        ((0, 300, 600, 900, 1_200, 1_500, 1_800, 2_100, 2_800), True),
        ((0, 300, 600, 900, 1_200, 1_500, 1_800, 2_500, 3_200), False),
        ((0, 300, 600, 900, 1_200, 1_500, 1_800, 2_100, 2_110), False),
        ((), False),
    ],
)
def test_a_timer_is_known_by_its_middle_pause(times: tuple[int, ...], *, beat: bool) -> None:
    """
    A busy page is late once and in time again; half or twice the pause is no beat any more.
    """
    assert is_beat(times, 3) is beat


@pytest.mark.parametrize(
    ("ages", "acted", "pauses", "known"),
    [
        ([], [], [800] * 2, True),
        ([2_400, 1_600, 800], [0], [], True),
        ([1_600, 800], [0], [], False),
        ([2_400, 1_600, 800], [1_900, 0], [], False),
        ([3_200, 2_400, 1_600, 800], [1_900, 0], [], True),
        ([], [0], [800] * 5, False),
        ([], [0], [800] * 6, True),
        ([3_200, 2_400, 1_600, 800], [3_300, 0], [], False),
        ([3_200, 2_400, 1_600, 800], [8_200, 0], [], False),
        ([3_200, 2_400, 1_600, 800], [8_201, 0], [], True),
        ([4_800, 4_000, 3_200, 2_400, 1_600, 800], [4_900, 0], [], False),
        ([5_600, 4_800, 4_000, 3_200, 2_400, 1_600, 800], [5_700, 0], [], True),
    ],
)
def test_a_poll_beats_while_the_page_is_left_alone(
    ages: list[int], acted: list[int], pauses: list[int], *, known: bool
) -> None:
    """
    What is asked for by acting at an even pace is no poll, nor what is tried a few times after an action.
    """
    builder = begun(*pauses)
    for age_ms in ages:
        builder.answered_before("GET", "/rows", age_ms=age_ms)
    window = builder.build()
    times = [window.opened_t_ms - age_ms for age_ms in acted]
    found = regular_polls(requests(window), window.answers_before, times)
    assert found == (("GET /rows",) if known else ())


def test_each_reload_of_a_page_asks_anew() -> None:
    """
    What a page asks for once when it is loaded is no poll, however evenly it is reloaded.
    """
    earlier = [
        attrs.evolve(event, document_id=DocumentId(f"d{number}"))
        for number, event in enumerate(
            WindowBuilder()
            .answered_before("GET", "/rows", age_ms=2_000)
            .answered_before("GET", "/rows", age_ms=1_000)
            .build()
            .answers_before
        )
    ]
    assert regular_polls(requests(begun().build()), earlier) == ()


@pytest.mark.parametrize(
    ("spans", "waiting_since", "known"),
    [
        ([(-400, -300), (-290, -200), (-190, -20)], -10, True),
        ([(-400, -290), (-300, -180), (-190, -5)], -10, True),
        ([(-400, -300), (-290, -200), (-190, -20)], None, False),
        ([(-290, -200), (-190, -20)], -10, False),
        ([(-11_000, -6_000), (-5_900, -100)], -50, True),
        ([(-11_000, -6_000), (-5_900, -2_000)], -1_900, False),
        ([(-11_000, -6_100), (-5_900, -400)], -100, False),
        ([(-1_400, -1_300), (-900, -800), (-500, -400)], -50, False),
    ],
)
def test_a_long_poll_is_asked_again_as_soon_as_it_is_answered(
    spans: list[tuple[int, int]], waiting_since: int | None, *, known: bool
) -> None:
    """
    A chat that waits for news is let be; a list that is read once after each action is not.
    """
    builder = WindowBuilder(step_ms=0)
    for start, end in spans:
        builder.answered_before("GET", "/news", age_ms=-end, durationMs=end - start)
    if waiting_since is not None:
        builder.open_before("GET", "/news", age_ms=-waiting_since).answered("old1", "GET", "/news")
    window = builder.pending("GET", "/news").build()
    assert long_polls(requests(window), window.answers_before) == (("GET /news",) if known else ())


def test_a_long_poll_never_asks_while_it_waits() -> None:
    """
    What an action asks for while the last answer is still out is that action's, by the same address or not.
    An answer is told when its body was read, and may be told after the next question.
    """
    for later_ms, known in ((10, True), (250, True), (251, False), (None, False)):
        builder = WindowBuilder(step_ms=0).open_before("GET", "/news", age_ms=10).pending("GET", "/news")
        for start, end in [(-400, -300), (-290, -200), (-190, -20)]:
            builder.answered_before("GET", "/news", age_ms=-end, durationMs=end - start)
        if later_ms is not None:
            builder.wait(later_ms).answered("old1", "GET", "/news")
        window = builder.build()
        assert bool(long_polls(requests(window), window.answers_before)) is known


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
