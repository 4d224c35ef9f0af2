"""
The names of the pages in one tab.
"""

from __future__ import annotations

import pytest

from reticle.browser.naming import TabNames
from reticle.model.ids import PageId


@pytest.fixture(name="names")
def names_fixture() -> TabNames:
    """
    Those of the tab b1.
    """
    return TabNames(PageId("b1"), "top")


def test_the_tab_has_its_name_whatever_it_says(names: TabNames) -> None:
    """
    Its page never passes for another tab.
    """
    assert [names.take("top", claimed) for claimed in ("b1", "b2", "b1.0", "")] == ["b1"] * 4
    assert not names.is_frame("top")


@pytest.mark.parametrize(
    "claimed", ["b1", "b2.0", "b1.", "b1.0.", "b1.a", "b1.0~2", ".0", "", "b1" + ".0" * 60]
)
def test_a_frame_has_a_frame_s_name(names: TabNames, claimed: str) -> None:
    """
    Where its place in the tab is no place, it gets a name that says so.
    """
    assert names.take("ad", claimed) == "b1.x1"
    assert names.is_frame("ad")


def test_a_frame_does_not_get_its_neighbour_s_name(names: TabNames) -> None:
    """
    As long as that one is there; the frame's own next document does.
    """
    assert [names.take("pay", "b1.0.2"), names.take("pay", "b1.0.2")] == ["b1.0.2"] * 2
    names.give_back("pay", PageId("b1.0.2"))
    assert names.take("ad", "b1.0.2") == "b1.x1"
    assert names.take("other", "b1.0.2") == "b1.x2"
    names.give_back("pay", PageId("b1.0.2"))
    assert names.take("late", "b1.0.2") == "b1.0.2"
