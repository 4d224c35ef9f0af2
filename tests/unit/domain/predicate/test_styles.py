"""
Computed style against what people write.
"""

from __future__ import annotations

import pytest

from reticle.domain.predicate.styles import fits_style, misfits
from reticle.model.verdict import Held

TOLD = {
    "background-color": "rgb(22, 27, 38)",
    "font-size": "16px",
    "opacity": "1",
    "display": "flex",
    "--ink": "#1d2433",
    "--none": "",
}


@pytest.mark.parametrize(
    ("patterns", "held"),
    [
        ({"background-color": "rgb(22, 27, 38)"}, Held.YES),
        ({"background-color": "#161b26"}, Held.YES),
        ({"background-color": "#fff"}, Held.NO),
        ({"background-color": {"$in": ["#fff", "#161B26"]}}, Held.YES),
        ({"background-color": {"$ne": "#161b26"}}, Held.NO),
        ({"background-color": {"$matches": "^rgb\\("}}, Held.YES),
        ({"font-size": 16, "opacity": 1}, Held.YES),
        ({"font-size": {"$gte": 12, "$lt": 16}}, Held.NO),
        ({"display": 1}, Held.NO),
        ({"display": "flex", "font-size": "17px"}, Held.NO),
        ({"--ink": {"$exists": True}, "--none": {"$exists": False}}, Held.YES),
        ({"color": "rgb(0, 0, 0)"}, Held.UNKNOWN),
    ],
)
def test_a_value_is_compared_as_it_is_meant(patterns: dict[str, object], held: Held) -> None:
    """
    A colour in hexadecimal and a bare number of pixels are what the browser writes in its own way.
    """
    assert fits_style(patterns, TOLD) is held


def test_what_does_not_fit_is_told_with_what_there_is() -> None:
    """
    Whoever looks for dark and finds white reads "white".
    """
    wrong = misfits({"display": "grid", "opacity": 1, "--none": "x"}, TOLD)
    assert wrong == ["display is flex", "--none is not set"]
