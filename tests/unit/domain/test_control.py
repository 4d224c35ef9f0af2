"""
What comes without the action proves nothing about it; what only the action brings does.
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs
import pytest

from reticle.domain.predicate import parse
from reticle.domain.rejudging import judge
from reticle.model.ids import DocumentId
from reticle.model.page import PageEvent
from reticle.model.verdict import Decision
from reticle.model.window import Window
from reticle.testing.windows import WindowBuilder

LOADED = 60_000
"""So long ago the page was loaded."""

POLLED = {"kind": "net", "urlContains": "/api/stats", "ok": True}
TICKED = {"kind": "signal", "name": "tick"}


def page() -> WindowBuilder:
    """
    A page that was loaded long ago, and is clicked now; something moves.
    """
    builder = WindowBuilder(opened_t_ms=100_000).click()
    return builder.answered_before("GET", "/index.json", age_ms=LOADED)


def polled(builder: WindowBuilder, *ages_ms: int, duration_ms: int = 0) -> WindowBuilder:
    for age_ms in ages_ms:
        builder.answered_before("GET", "/api/stats", age_ms=age_ms, durationMs=duration_ms)
    return builder


def decided(claim: Mapping[str, object], window: Window | WindowBuilder) -> Decision:
    return judge(parse(claim), window.build() if isinstance(window, WindowBuilder) else window)


def reason(claim: Mapping[str, object], window: Window | WindowBuilder) -> str:
    return decided(claim, window).reason.value


def test_a_call_that_comes_anyway_proves_nothing() -> None:
    """
    The same read had come right before the action already, without it; the reason says so.
    """
    decision = decided(POLLED, polled(page(), 400).net("GET", "/api/stats").dom_added())
    assert (decision.verified.value, decision.reason.value) == ("unknown", "already_true")
    assert "before the action, without it" in decision.because


def test_a_call_that_did_not_come_before_is_the_actions() -> None:
    """
    Longer ago than what is looked at, or never.
    """
    assert reason(POLLED, page().net("GET", "/api/stats").dom_added()) == "proved"
    assert reason(POLLED, polled(page(), 9_000).net("GET", "/api/stats").dom_added()) == "proved"


def test_another_call_beside_the_poll_is_the_actions() -> None:
    """
    By its address, its method or its body it is another one, however wide the claim is.
    """
    wide = {"kind": "net", "ok": True}
    assert (
        reason(wide, polled(page(), 400).net("GET", "/api/stats").net("GET", "/api/orders").dom_added())
        == "proved"
    )
    assert reason(POLLED, polled(page(), 400).net("GET", "/api/stats?page=2").dom_added()) == "proved"
    queried = page().answered_before("POST", "/graphql", age_ms=400, requestBody='{"op": "stats"}')
    posted = {"kind": "net", "method": "POST", "ok": True}
    assert (
        reason(posted, queried.net("POST", "/graphql", requestBody='{"op": "order"}').dom_added()) == "proved"
    )
    queried = page().answered_before("POST", "/graphql", age_ms=400, requestBody='{"op": "stats"}')
    assert (
        reason(posted, queried.net("POST", "/graphql", requestBody='{"op": "stats"}').dom_added())
        == "already_true"
    )


def test_a_call_off_its_beat_is_the_actions() -> None:
    """
    A button that asks for what is polled every two seconds asks in between.
    """
    ages = (8_400, 6_400, 4_400, 2_400, 400)
    near = polled(page(), *ages).net("GET", "/api/stats").dom_added()
    assert (
        reason(POLLED, polled(page(), *[age + 500 for age in ages]).net("GET", "/api/stats").dom_added())
        == "proved"
    )
    on = polled(page(), *ages).wait(1_560).net("GET", "/api/stats").dom_added()
    assert reason(POLLED, on) == "already_true"
    assert reason(POLLED, near) == "already_true"  # too near to the beat to be told


def test_what_a_load_or_an_earlier_action_brought_is_no_control() -> None:
    """
    A list that was loaded just now, or by the action before, and is asked for again by a button.
    """
    loaded = polled(WindowBuilder(opened_t_ms=100_000).click(), 300).net("GET", "/api/stats").dom_added()
    assert reason(POLLED, loaded) == "proved"
    before = polled(page().acted_before(age_ms=900), 300).net("GET", "/api/stats").dom_added()
    assert reason(POLLED, before) == "proved"
    window = polled(page(), 300).net("GET", "/api/stats").dom_added().build()
    *older, newest = window.answers_before
    slow = attrs.evolve(newest, document_id=DocumentId("doc2"))
    assert reason(POLLED, attrs.evolve(window, answers_before=(*older, slow))) == "proved"


def test_a_slow_answer_belongs_to_what_asked_for_it() -> None:
    """
    It was begun at once after the action before, and answered much later.
    """
    builder = page().acted_before(age_ms=3_000)
    polled(builder, 300, duration_ms=2_600).net("GET", "/api/stats").dom_added()
    assert reason(POLLED, builder) == "proved"


@pytest.mark.parametrize(("ages_ms", "data", "expected"), [
    ((700, 200), {"n": 3}, "already_true"),
    ((300,), {"n": 1}, "already_true"),
    ((300,), {"n": 2}, "proved"),
    ((), {"n": 1}, "proved"),
])  # fmt: skip
def test_a_ticking_signal_proves_nothing(ages_ms: tuple[int, ...], data: object, expected: str) -> None:
    """
    What varies by itself may say anything; a single one is told from another by what it says.
    """
    builder = page()
    for number, age_ms in enumerate(ages_ms, 1):
        builder.changed_before("signal", {"name": "tick", "data": {"n": number}}, age_ms=age_ms)
    assert reason(TICKED, builder.signal("tick", data).dom_added()) == expected


MORE = [
    ({"kind": "storage", "key": "draft"}, "storage.change", {"area": "local", "key": "draft", "new": "x"}),
    ({"kind": "stream", "direction": "in"}, "net.stream",
     {"transport": "ws", "direction": "in", "url": "/feed", "preview": "x", "bytes": 1}),
    ({"kind": "console", "contains": "saved"}, "console.log", {"message": "saved"}),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "type_", "data"), MORE)
def test_so_it_is_with_stored_values_streams_and_the_console(
    claim: dict[str, object], type_: str, data: dict[str, object]
) -> None:
    """
    What a window does not tell of the time before it is kept in it for such claims.
    """
    window = page().event(type_, data).dom_added().build()
    assert reason(claim, window) == "proved"
    earlier = PageEvent(5, window.opened_t_ms - 300, type_, data, None, window.document_id)
    assert reason(claim, attrs.evolve(window, control=(earlier,))) == "already_true"


def test_one_part_that_is_new_proves_the_whole() -> None:
    """
    A text that came up beside the poll is enough; a branch that comes by itself is not.
    """
    builder = polled(page(), 400).net("GET", "/api/stats").dom_added()
    builder.text("Saved", there=False, before=True).text("Saved")
    saved = {"kind": "text", "contains": "Saved"}
    assert reason({"allOf": [POLLED, saved]}, builder) == "proved"
    assert reason({"anyOf": [POLLED, saved]}, builder) == "already_true"


def test_counts_absences_and_windows_without_an_action_are_no_matter_of_it() -> None:
    """
    They claim something else.
    """
    builder = polled(page(), 400).net("GET", "/api/stats").dom_added()
    assert reason({**POLLED, "count": 1}, builder) == "proved"
    assert reason({"not": {"kind": "net", "method": "DELETE"}}, builder) == "proved"
    idle = WindowBuilder(opened_t_ms=100_000).answered_before("GET", "/index.json", age_ms=LOADED)
    assert reason(POLLED, polled(idle, 400).net("GET", "/api/stats")) == "proved"
