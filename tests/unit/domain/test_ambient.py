"""
What goes on by itself is told from what an action did.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from reticle.domain.ambient import last_of_the_page, of_the_page
from reticle.domain.findings import action_had_no_effect, response_ignored
from reticle.testing.windows import WindowBuilder, WindowStep

CHANNELS = ("dom", "visible", "net", "state", "signal")
Change = tuple[str, dict[str, object], str | None]

TICK: Change = ("dom.text", {"text": "3 are looking"}, "e9")
STATE: Change = ("state.change", {"store": "app", "path": "viewers", "value": 3}, None)
ROW: Change = ("dom.added", {"role": "listitem", "name": "Tea"}, "e4")


def left(builder: WindowBuilder) -> list[str]:
    return [event.type for event in of_the_page(builder.build(), CHANNELS)]


def ticking(change: Change, before: Sequence[int], pauses: Sequence[int]) -> WindowBuilder:
    """
    The same change, so many milliseconds before a click, and after these pauses since it.
    """
    type_, fields, ref = change
    builder = WindowBuilder(step_ms=0).click()
    for age_ms in before:
        builder.changed_before(type_, fields, ref=ref, age_ms=age_ms)
    for pause in pauses:
        builder.wait(pause).event(type_, fields, ref=ref)
    return builder


@pytest.mark.parametrize("change", [TICK, STATE, ROW])
@pytest.mark.parametrize(
    ("before", "pauses", "known"),
    [
        ((600, 250), (50, 400, 300), True),
        ((600, 250), (300,), True),
        ((5_000, 600, 250), (100,), False),
        ((250,), (100, 350), True),
        ((250,), (100,), False),
        ((), (300, 300, 300), False),
        ((600, 250), (100, 20, 330), False),
        ((600, 250), (900,), False),
        ((600, 250), (100, 0, 350), True),
    ],
)
def test_what_beat_before_the_window_and_goes_on_is_passed_over(
    change: Change,
    before: Sequence[int],
    pauses: Sequence[int],
    known: bool,  # noqa: FBT001 -- a table column
) -> None:
    """
    Three beats are needed, the first of them before; a change off the beat may be the action's.
    """
    expected = [] if known else [change[0]] * len(pauses)
    assert left(ticking(change, before, pauses)) == expected


@pytest.mark.parametrize(
    "step",
    [
        lambda b: b.event("dom.text", {"text": "Saved"}, ref="e2"),
        lambda b: b.event("dom.text", {"text": "Saved"}),
        lambda b: b.dom_added(),
        lambda b: b.net("GET", "/orders"),
        lambda b: b.pending("POST", "/orders"),
    ],
)
def test_what_is_new_stays(step: WindowStep) -> None:
    """
    Another element, another request: the beat beside it hides nothing.
    """
    assert left(step(ticking(TICK, (600, 250), (100,)))) != []


@pytest.mark.parametrize(("method", "body"), [("GET", None), ("POST", '{"query":"{ viewers }"}')])
def test_a_poll_from_before_is_passed_over(method: str, body: str | None) -> None:
    """
    Its requests and its answers; a write by the same address, with another body, is not.
    """
    builder = WindowBuilder(step_ms=0).click()
    fields: dict[str, Any] = {} if body is None else {"requestBody": body}
    for age_ms in (600, 250):
        builder.answered_before(method, "/graphql", age_ms=age_ms, **fields)
    builder.wait(100).net(method, "/graphql", **fields).wait(350).net(method, "/graphql", **fields)
    assert left(builder) == []
    assert left(builder.net("POST", "/graphql", requestBody="{}")) == ["net.pending", "net.request"]


def test_tooling_and_telemetry_are_not_the_pages() -> None:
    """
    A hot-reload ping and a count of clicks are no trace of what a control does.
    """
    builder = WindowBuilder().click().net("GET", "/__vite_ping")
    assert left(builder.net("POST", "https://www.google-analytics.com/g/collect", 204)) == []


@pytest.mark.parametrize(
    ("find", "kind"),
    [(action_had_no_effect.find, "action-had-no-effect"), (response_ignored.find, "response-ignored")],
)
def test_a_live_text_hides_no_dead_control(find: Callable[..., object], kind: str) -> None:
    """
    A dead button is dead, and an ignored answer ignored, on a page with a clock too.
    """
    builder = WindowBuilder(step_ms=0).click()
    if kind == "response-ignored":
        builder.net("POST", "/api/save")
    for age_ms in (600, 250):
        builder.changed_before("dom.text", {"text": "1"}, ref="e9", age_ms=age_ms)
    for _ in range(2):
        builder.wait(300).event("dom.text", {"text": "2"}, ref="e9")
    found = find(builder.build(), None)
    assert isinstance(found, tuple)
    assert [finding.kind for finding in found] == [kind]


def test_the_last_of_the_page_is_the_last_that_is_not_by_itself() -> None:
    """
    A clock that ticks on does not hide when the page last moved of its own.
    """
    builder = ticking(TICK, (700, 350), (0, 350)).dom_added("listitem", "Tea").wait(350)
    window = builder.event(TICK[0], TICK[1], ref=TICK[2]).build()
    last = last_of_the_page(window, CHANNELS)
    assert last is not None
    assert (last.type, last) == ("dom.added", list(of_the_page(window, CHANNELS))[-1])
    assert last_of_the_page(WindowBuilder().build(), CHANNELS) is None
