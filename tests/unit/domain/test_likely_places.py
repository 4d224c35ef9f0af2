"""
What a person is told to look at first depends on whom the claim speaks against.
"""

from __future__ import annotations

import pytest

from reticle.domain.likely_places import FoundPlaces, likely_places
from reticle.domain.whose_fault import Lean
from reticle.model.runs import Place, Why

FOUND = FoundPlaces(
    page=[Place("p1", Why.RAN), Place("p2", Why.SENT), Place("p3", Why.RAN), Place("p4", Why.NAMES)],
    written=[Place("w1", Why.WRITTEN)],
    control=[Place("c1", Why.WRITTEN)],
    server=[Place("v1", Why.HANDLED), Place("s1", Why.RAN_FOR), Place("s2", Why.RAN_FOR)],
    rendered=[Place("t1", Why.RENDERED)],
)


@pytest.mark.parametrize(
    ("lean", "first"),
    [
        (Lean.PAGE, ["p1", "p2", "p3"]),
        (Lean.SERVER, ["v1", "s1", "s2"]),
        (Lean.MADE, ["v1", "s1", "c1"]),
        (Lean.OPEN, ["p1", "v1", "p2"]),
    ],
)
def test_the_side_that_is_spoken_against_comes_first(lean: Lean, first: list[str]) -> None:
    """
    And where nobody is, both.
    """
    named = [place.where for place in likely_places(lean, FOUND, too_often=False)]
    assert named[:3] == first
    assert len(named) == len(set(named))


def test_after_a_redirect_both_views_come_first() -> None:
    """
    The one that wrote, and the one that made the page.
    """
    server = [Place("v1", Why.HANDLED), Place("v2", Why.HANDLED), Place("s1", Why.RAN_FOR)]
    found = FoundPlaces(control=FOUND.control, server=server)
    named = [place.where for place in likely_places(Lean.MADE, found, too_often=False)]
    assert named == ["v1", "v2", "s1", "c1"]


def test_what_was_sent_too_often_leads_to_who_sent_it() -> None:
    """
    The server only did as it was told.
    """
    named = [place.where for place in likely_places(Lean.PAGE, FOUND, too_often=True)]
    assert named[:2] == ["p2", "c1"]


def test_a_rule_that_hides_comes_before_all() -> None:
    """
    Whatever was claimed of what it hides.
    """
    found = FoundPlaces(page=[Place("p1", Why.RAN), Place("style.css:3", Why.HIDES)], server=FOUND.server)
    assert likely_places(Lean.SERVER, found, too_often=False)[0].where == "style.css:3"


def test_what_attributes_say_is_written_where_the_element_is() -> None:
    """
    It comes right after the page's likeliest function; else after three of them.
    """
    named = likely_places(Lean.PAGE, FOUND, too_often=False, by_attribute=True)
    assert [place.where for place in named[:3]] == ["p1", "w1", "c1"]


def test_of_a_page_that_the_server_made_the_line_of_the_element_comes_before_its_view() -> None:
    """
    Where only its attributes are wrong, the template says more.
    """
    named = likely_places(Lean.MADE, FOUND, too_often=False, by_attribute=True)
    assert [place.where for place in named[:3]] == ["w1", "v1", "s1"]
