"""
Events sorted out by type and channel.
"""

from __future__ import annotations

import pytest

from reticle.domain.channels import channel_of, of_channels, of_types
from reticle.testing.windows import WindowBuilder

WINDOW = WindowBuilder().dom_added().net("GET", "/a").dom_removed().console("log", "x").dom_added().build()


@pytest.mark.parametrize(
    ("types", "expected"),
    [
        (("dom.added",), ["dom.added", "dom.added"]),
        (("dom.removed", "dom.added"), ["dom.added", "dom.removed", "dom.added"]),
        (("net.request", "net.pending"), ["net.pending", "net.request"]),
        (("signal",), []),
        ((), []),
    ],
)
def test_events_of_several_types_come_in_their_own_order(types: tuple[str, ...], expected: list[str]) -> None:
    """
    A rule that reads two types sees them as they happened, however they are named.
    """
    found = of_types(WINDOW, *types)
    assert [event.type for event in found] == expected
    assert [event.seq for event in found] == sorted(event.seq for event in found)


@pytest.mark.parametrize("others", [0, 60])
def test_a_few_among_many_come_in_the_same_order(others: int) -> None:
    """
    Whether two types are most of a window or a few of its events, they are read as they happened.
    """
    builder = WindowBuilder().dom_added().dom_removed()
    for _ in range(others):
        builder.console("log", "x")
    window = builder.dom_removed().dom_added().build()
    found = of_types(window, "dom.added", "dom.removed")
    assert [event.type for event in found] == ["dom.added", "dom.removed", "dom.removed", "dom.added"]
    assert of_channels(window, {"dom"}) == found
    assert of_types(window, "dom.removed", "dom.added") == found


def test_a_channel_holds_all_its_types_and_no_other() -> None:
    """
    ``dom`` is every change of the document, and nothing that merely begins alike.
    """
    assert [event.seq for event in of_channels(WINDOW, {"dom"})] == [11, 14, 16]
    assert [event.type for event in of_channels(WINDOW, {"console", "net"})] == [
        "net.pending",
        "net.request",
        "console.log",
    ]
    assert (channel_of("dom.added"), channel_of("signal"), channel_of("net")) == ("dom", "signal", "net")
