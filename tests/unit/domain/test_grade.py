"""
One grade over the whole predicate tree.
"""

from __future__ import annotations

import pytest

from reticle.domain.grade import grade
from reticle.domain.predicate import evaluate, parse
from reticle.model.codes import Grade
from reticle.testing.windows import WindowBuilder

WINDOW = (
    WindowBuilder()
    .net("POST", "/a")
    .signal("done")
    .console("log", "x")
    .text("here")
    .text("gone", there=False)
    .state("n", 1)
    .at("/b")
    .build()
)
TEXT = {"kind": "text", "contains": "here"}
GONE = {"kind": "text", "contains": "gone"}
NET = {"kind": "net", "method": "POST"}
SIGNAL = {"kind": "signal", "name": "done"}
STATE = {"kind": "state", "path": "n", "equals": 1}
NO_NET = {"kind": "net", "method": "PUT"}


@pytest.mark.parametrize(
    ("predicate", "expected"),
    [
        (TEXT, Grade.PRESENCE),
        (GONE, Grade.NONE),
        (STATE, Grade.STATE),
        (NET, Grade.NET),
        ({"kind": "net", "urlContains": "/a"}, Grade.NET),
        ({"kind": "net"}, Grade.PRESENCE),
        (SIGNAL, Grade.SIGNAL),
        ({"kind": "signal"}, Grade.PRESENCE),
        ({"kind": "signal", "name": "x", "count": 0}, Grade.NET),
        ({"kind": "route", "pathname": "/b"}, Grade.PRESENCE),
        ({"kind": "console", "level": "log"}, Grade.PRESENCE),
        ({"kind": "settled"}, Grade.NONE),
        ({"allOf": [TEXT, SIGNAL]}, Grade.SIGNAL),
        ({"allOf": [TEXT, {"allOf": [STATE, NET]}]}, Grade.NET),
        ({"anyOf": [TEXT, NO_NET]}, Grade.PRESENCE),
        ({"anyOf": [TEXT, SIGNAL]}, Grade.SIGNAL),
        ({"not": NO_NET}, Grade.NET),
        ({"not": GONE}, Grade.PRESENCE),
        ({"not": TEXT}, Grade.NONE),
        ({"not": {"kind": "signal", "name": "x"}}, Grade.NET),
        ({"not": {"not": SIGNAL}}, Grade.SIGNAL),
        ({"not": {"allOf": [GONE, SIGNAL]}}, Grade.PRESENCE),
        ({"not": {"anyOf": [GONE, NO_NET]}}, Grade.NET),
    ],
)
def test_a_grade_is_that_of_the_parts_that_held(predicate: dict[str, object], expected: Grade) -> None:
    """
    A claim is as strong as the strongest thing that really shows it, and an absence at most as a request.
    """
    parsed = parse(predicate)
    assert grade(parsed, evaluate(parsed, WINDOW)) is expected
