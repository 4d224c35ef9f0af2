"""
What a page says of its scheduled work.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.bridge.pending import MAX_COUNT, read_pending
from reticle.model.codes import CommandName
from reticle.model.ids import Cursor
from reticle.model.limits import PENDING_WAIT_MS
from reticle.model.window import Emptied, Mixed, Pending, Unheeded
from reticle.testing.bridge import Bridge, result_of
from reticle.testing.published import PublishedPage

TOLD = {"timers": 2, "animations": 0, "loads": 1, "soonestMs": 80, "latestMs": 900}


def test_every_field_is_read() -> None:
    """
    Counts, times, and when it was told.
    """
    assert read_pending({"pending": {**TOLD, "laterMs": 7000}}, 40) == Pending(40, 2, 0, 1, 80, 900, 7000)
    quiet = {**TOLD, "quietMs": 250, "undrawn": True}
    assert read_pending({"pending": quiet}, 40) == Pending(40, 2, 0, 1, 80, 900, None, 250, undrawn=True)
    assert read_pending({"pending": TOLD}, 40) == Pending(40, 2, 0, 1, 80, 900)
    rested = read_pending({"pending": {**TOLD, "rested": True}}, 40)
    assert rested == Pending(40, 2, 0, 1, 80, 900, rested=True)
    unseen = {**TOLD, "unseen": ["peer", "modules", "peer"]}
    assert read_pending({"pending": unseen}, 40) == Pending(40, 2, 0, 1, 80, 900, unseen=("modules", "peer"))


def test_fields_that_were_emptied_are_read_and_nonsense_among_them_left_out() -> None:
    """
    A page that lies there takes no verdict with it.
    """
    told = [{"request": "n5", "field": "textbox"}, {"request": 5, "field": "x"}, "x", None]
    pending = read_pending({"pending": {**TOLD, "emptied": told}}, 40)
    assert pending is not None
    assert pending.emptied == (Emptied("n5", "textbox"),)
    for nonsense in ({"request": "n5"}, "n5", 5):
        pending = read_pending({"pending": {**TOLD, "emptied": nonsense}}, 40)
        assert pending is not None
        assert pending.emptied == ()


def test_lists_and_themes_are_read_and_nonsense_among_them_left_out() -> None:
    """
    Rows that got mixed up and a switch that nothing heeds are told by the page alone.
    """
    told = [
        {"component": "List", "rows": 2},
        {"component": "List", "rows": 0},
        {"rows": 1},
        {"component": "x"},
        "x",
    ]
    pending = read_pending({"pending": {**TOLD, "mixed": told, "unheeded": {"scheme": "dark"}}}, 40)
    assert pending is not None
    assert (pending.mixed, pending.unheeded) == ((Mixed("List", 2),), Unheeded("dark"))
    placed = {
        "component": "List",
        "rows": 2,
        "source": "app.js:5:3",
        "frames": [["http://a/app.js", 5, 3, 90]],
    }
    no_frames: list[object] = [[], [["a", "5", 3]], [["a", -1, 3]], [[5, 5, 3]], "x", [[]]]
    odd = [{**placed, "frames": frames} for frames in no_frames]
    pending = read_pending({"pending": {**TOLD, "mixed": [placed, *odd]}}, 40)
    assert pending is not None
    assert pending.mixed[0] == Mixed("List", 2, "app.js:5:3", ("http://a/app.js", 5, 3))
    assert {one.at for one in pending.mixed[1:]} == {None}
    for nonsense in ({"component": "List"}, "dark", 5, ["dark"]):
        pending = read_pending({"pending": {**TOLD, "mixed": nonsense, "unheeded": nonsense}}, 40)
        assert pending is not None
        assert pending.mixed == ()
        assert pending.unheeded is None
    switches: list[tuple[object, dict[str, object], Unheeded | None]] = [
        (
            "light",
            {"selector": ".light", "sheet": "http://a/a.css"},
            Unheeded("light", ".light", "http://a/a.css"),
        ),
        ("dark", {"selector": ".dark", "sheet": 5}, Unheeded("dark")),
        ("ocean", {}, None),
        (["dark"], {}, None),
    ]
    for scheme, rule, read in switches:
        pending = read_pending({"pending": {**TOLD, "unheeded": {"scheme": scheme, **rule}}}, 40)
        assert pending is not None
        assert pending.unheeded == read


@pytest.mark.parametrize("told", ["modules", 7, {"peer": 1}, True])
def test_ways_that_make_no_sense_are_ways(told: object) -> None:
    """
    A page that tells them wrongly is not taken for one that has none.
    """
    pending = read_pending({"pending": {**TOLD, "unseen": told}}, 40)
    assert pending is not None
    assert pending.unseen == ("unknown",)


def test_a_page_that_the_browser_watches_has_no_modules_out_of_sight() -> None:
    """
    What the browser fetches counts as under way, for as long as anything else that has no end; then it is as
    unknown as before.
    """
    bridge = Bridge()
    end = bridge.connect()
    page = bridge.page()
    end.on("act", {"ok": True, "pending": {**TOLD, "unseen": ["modules", "peer"]}})
    result_of(page.ask(CommandName.ACT, {}))
    assert ways(page.window(Cursor(0)).pending) == (1, ("modules", "peer"))
    page.fetching(0, 0)
    assert ways(page.window(Cursor(0)).pending) == (1, ("peer",))
    page.fetching(2, 0)
    assert ways(page.window(Cursor(0)).pending) == (3, ("peer",))
    bridge.clock.advance((PENDING_WAIT_MS + 1) / 1000)
    assert ways(page.window(Cursor(0)).pending) == (1, ("modules", "peer"))


def test_a_page_is_not_quiet_while_the_browser_fetches_what_an_element_shows() -> None:
    """
    A film that no part of the document holds may still fail, and the app may wait for that; one that is sent
    for ever does not keep a page from ever being quiet.
    """
    bridge = Bridge()
    end = bridge.connect()
    page = bridge.page()
    end.on("act", {"ok": True, "pending": {**TOLD, "quietMs": 60_000}})
    result_of(page.ask(CommandName.ACT, {}))
    page.fetching(0, 1)
    pending = page.window(Cursor(0)).pending
    assert pending is not None
    assert (pending.loads, pending.quiet_ms) == (TOLD["loads"], 0)
    bridge.clock.advance((PENDING_WAIT_MS + 1) / 1000)
    page.fetching(1, 1)
    pending = page.window(Cursor(0)).pending
    assert pending is not None
    assert pending.quiet_ms == 60_000
    page.fetching(1, 0)
    page.fetching(1, 2)
    pending = page.window(Cursor(0)).pending
    assert pending is not None
    assert pending.quiet_ms == 0


def test_a_page_that_reports_something_does_not_rest_any_more() -> None:
    """
    What comes after the word that the page rests takes it back, so that nobody is told ``yes`` on it.
    """
    bridge = Bridge()
    end = bridge.connect()
    page = bridge.page()
    end.on("read", {"answers": [], "pending": {**TOLD, "rested": True}})
    result_of(page.read((), rest_ms=150))
    assert end.commands()[-1]["args"] == {"questions": [], "restMs": 150}
    assert rests(page.window(Cursor(0)).pending)
    end.event("dom.added", {"role": "status"})
    assert not rests(page.window(Cursor(0)).pending)
    result_of(page.read(()))
    assert end.commands()[-1]["args"] == {"questions": []}
    assert rests(page.window(Cursor(0)).pending)


def rests(pending: Pending | None) -> bool:
    """
    Whether the page said so last.
    """
    return pending is not None and pending.rested


def ways(pending: Pending | None) -> tuple[int, tuple[str, ...]]:
    """
    What is under way, and how something may come unseen.
    """
    assert pending is not None
    return pending.loads, pending.unseen


@pytest.mark.parametrize(
    "result",
    [None, [], {}, {"pending": None}, {"pending": {"timers": 1}}, {"pending": {**TOLD, "timers": -1}}],
)
def test_what_makes_no_sense_is_not_known(result: object) -> None:
    """
    Half a statement is none: it is judged as for a page that says nothing.
    """
    assert read_pending(result, 0) is None


@given(
    st.dictionaries(
        st.sampled_from([*TOLD, "laterMs", "quietMs", "undrawn"]),
        st.one_of(st.integers(), st.none(), st.text(), st.booleans()),
    )
)
def test_whatever_a_page_says_is_bounded(told: dict[str, object]) -> None:
    """
    No number of a page can be negative or beyond all bounds.
    """
    pending = read_pending({"pending": told}, 0)
    if pending is not None:
        counts = [pending.timers, pending.animations, pending.loads]
        assert all(0 <= count <= MAX_COUNT for count in counts)


def test_it_is_known_from_acts_and_ends_with_a_silent_page() -> None:
    """
    What an act tells is in the window at once; a page that does not answer in a second leaves it unknown.
    """
    bridge = Bridge()
    end = bridge.connect()
    page = bridge.page()
    end.on("act", {"ok": True, "pending": TOLD})
    result_of(page.ask(CommandName.ACT, {}))
    assert page.window(Cursor(0)).pending == Pending(0, 2, 0, 1, 80, 900)
    asked = page.read(())
    bridge.clock.advance(1.0)
    assert result_of(asked) == []
    assert page.window(Cursor(0)).pending is None


def test_published_packages_are_not_asked() -> None:
    """
    They know no read; what they have scheduled is unknown.
    """
    published = PublishedPage()
    assert result_of(published.page.read(())) == []
    assert (published.names(), published.page.window(Cursor(0)).pending) == ([], None)
