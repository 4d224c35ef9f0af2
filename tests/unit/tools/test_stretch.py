"""
A stretch of events, and what nothing in it means.
"""

from __future__ import annotations

import pytest

from reticle.errors import Refusal
from reticle.model.codes import EventType
from reticle.model.ids import Cursor
from reticle.testing.pages import FakePage
from reticle.tools.arguments import StretchArguments
from reticle.tools.stretch import checked_since, empty_fields, of_action, rest_fields, stretch_of


def page_with_events(count: int) -> FakePage:
    """
    A page that reported so much.
    """
    page = FakePage()
    for _ in range(count):
        page.record(EventType.DOM_ADDED)
    return page


@pytest.mark.parametrize(
    ("arguments", "seqs"),
    [
        ({}, [1, 2, 3]),
        ({"since": 1}, [2, 3]),
        ({"until": 2}, [1, 2]),
        ({"since": 1, "until": 2}, [2]),
        ({"since": 3}, []),
        ({"until": 99}, [1, 2, 3]),
    ],
)
def test_cursors_cut_a_stretch_out(arguments: dict[str, int], seqs: list[int]) -> None:
    """
    Since is outside of the stretch and until inside, so that looks can follow each other without gaps.
    """
    window = stretch_of(page_with_events(3), StretchArguments(**arguments))  # type: ignore[arg-type]  # by name
    assert [event.seq for event in window.events] == seqs


def test_a_cursor_beyond_the_newest_event_is_refused() -> None:
    """
    A cursor of another page does not make an empty answer that looks like evidence.
    """
    page = page_with_events(2)
    assert checked_since(page, 2) == 2
    with pytest.raises(Refusal) as caught:
        checked_since(page, 3)
    assert (caught.value.code, caught.value.details) == ("bad_arguments", {"cursor": 2})


def test_an_action_narrows_to_its_events() -> None:
    """
    Without an action id, also an empty one, everything stays.
    """
    page = page_with_events(1)
    action = page.begin_action()
    page.record(EventType.DOM_ADDED)
    window = page.window(Cursor(0))
    assert [event.seq for event in of_action(window, action).events] == [2]
    assert of_action(window, None) is window
    assert of_action(window, "") is window


def test_what_nothing_means() -> None:
    """
    Watched, lost, blind and disconnected are four different kinds of nothing.
    """
    page = page_with_events(1)
    window = page.window(Cursor(0))
    fields = empty_fields(window, {"net"}, {"wrapped-network"}, "call", connected=True)
    assert fields == {
        "observed": True,
        "note": "No call between cursors 0 and 1: the page was watched.",
    }
    assert empty_fields(window, {"net"}, (), "call", connected=False)["observed"] is False
    page.lose("net", 3)
    lossy = empty_fields(page.window(Cursor(0)), {"net"}, (), "call", connected=True)
    assert lossy["observed"] is False
    assert "3 net events lost" in str(lossy["note"])


def test_what_was_cut_is_counted() -> None:
    """
    A whole list is only counted; a cut one says how much is missing and how to get it.
    """
    assert rest_fields([1, 2], 2, "look again") == {"total": 2}
    assert rest_fields([], 0, "look again") == {"total": 0}
    assert rest_fields([1], 3, "look again") == {
        "total": 3, "truncated": True, "droppedOldest": 2, "note": "2 older ones are not shown: look again.",
    }  # fmt: skip
