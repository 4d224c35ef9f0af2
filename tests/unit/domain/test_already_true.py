"""
Whether the action proved anything: the claim must not have been true before it.
"""

from __future__ import annotations

import pytest

from reticle.domain.already_true import already_true
from reticle.domain.predicate import evaluate, parse
from reticle.model.verdict import Held
from reticle.testing.windows import WindowBuilder

OLD = {"kind": "text", "contains": "old"}
NEW = {"kind": "text", "contains": "new"}
UNREAD = {"kind": "text", "contains": "unread"}
ABSENT = {"kind": "text", "contains": "gone", "absent": True}
STILL_ABSENT = {"kind": "text", "contains": "never", "absent": True}
HERE = {"kind": "route", "pathname": "/a"}
NET = {"kind": "net", "method": "POST"}
QUIET = {"kind": "settled"}
NO_ERROR = {"kind": "console", "level": "error", "absent": True}


def builder() -> WindowBuilder:
    """
    A click after which everything holds.
    """
    one = WindowBuilder().click().net("POST", "/a")
    for text, before, after in (
        ("old", True, True),
        ("new", False, True),
        ("gone", True, False),
        ("never", False, False),
    ):
        one.text(text, there=before, before=True).text(text, there=after)
    one.reading("text", {"contains": "unread"}, None, before=True, error="page_error").text("unread")
    return one.at("/a", before=True).at("/a")


@pytest.mark.parametrize(
    ("predicate", "held"),
    [
        (OLD, Held.YES),
        (NEW, Held.NO),
        (UNREAD, Held.UNKNOWN),
        (ABSENT, Held.NO),
        (STILL_ABSENT, Held.YES),
        ({"not": {"kind": "text", "contains": "gone"}}, Held.NO),
        ({"not": {"kind": "text", "contains": "never"}}, Held.YES),
        (HERE, Held.YES),
        (NET, Held.NO),
        (NO_ERROR, Held.NO),
        ({"not": {"kind": "net", "method": "PUT"}}, Held.NO),
        ({"allOf": [OLD, HERE]}, Held.YES),
        ({"allOf": [OLD, NEW]}, Held.NO),
        ({"allOf": [OLD, NET]}, Held.NO),
        ({"allOf": [OLD, QUIET, NO_ERROR]}, Held.YES),
        ({"allOf": [OLD, UNREAD]}, Held.UNKNOWN),
        ({"allOf": [NEW, UNREAD]}, Held.NO),
        ({"anyOf": [OLD, NEW]}, Held.YES),
        ({"anyOf": [NEW, {"kind": "net", "method": "PUT"}]}, Held.NO),
        ({"allOf": [QUIET, NO_ERROR]}, Held.NO),
    ],
)
def test_a_claim_was_true_before_when_all_that_decides_it_was(
    predicate: dict[str, object], held: Held
) -> None:
    """
    Something new anywhere in a conjunction is enough; an old branch spoils an alternative.
    """
    parsed, window = parse(predicate), builder().build()
    assert already_true(parsed, evaluate(parsed, window), window) is held


def test_without_an_action_or_earlier_readings_nothing_is_held_against_a_claim() -> None:
    """
    An assert about the page as it is asks for no change.
    """
    parsed = parse(OLD)
    for window in (
        WindowBuilder().text("old", before=True).text("old").build(),
        WindowBuilder().click().text("old").build(),
    ):
        assert already_true(parsed, evaluate(parsed, window), window) is Held.NO
