"""
Words that were lost with the write that was to keep them.
"""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from reticle.domain.findings.words_lost import find
from reticle.domain.predicate import parse
from reticle.model.verdict import FindingTier
from reticle.model.window import Emptied, Pending, Window
from reticle.testing.windows import WindowBuilder

REFUSED = {"kind": "net", "method": "POST", "urlContains": "/comments", "status": 422}
FIELD = 'textbox "Comment"'


def sent(status: int = 422, *, request: str = "n5", **fields: Any) -> Window:
    """
    A comment was sent and answered so; a field is empty whose words a request had sent.
    """
    builder = WindowBuilder().click("Send")
    builder.net("POST", "/comments", status, id=fields.pop("id", "n5"), requestBody='{"words": "..."}')
    return attrs.evolve(builder.build(), pending=Pending(0, emptied=(Emptied(request, FIELD),)))


def test_a_field_that_a_refused_write_emptied_is_doubted() -> None:
    """
    Who has to write it all again was not merely refused.
    """
    (finding,) = find(sent(), parse(REFUSED))
    assert (finding.tier, finding.detail["field"]) == (FindingTier.ABSENCE, FIELD)
    assert finding.counter == 'textbox "Comment" is empty, and they stand nowhere else'


@pytest.mark.parametrize(
    ("window", "claim"),
    [
        (sent(201), REFUSED),
        (sent(request="n4"), REFUSED),
        (attrs.evolve(sent(), pending=None), REFUSED),
        (attrs.evolve(sent(), pending=Pending(0)), REFUSED),
        (attrs.evolve(sent(), action=None), REFUSED),
        (sent(), {"allOf": [REFUSED, {"kind": "element", "query": {"label": "Comment", "value": ""}}]}),
    ],
)
def test_what_was_kept_or_is_not_the_action_s_is_let_be(window: Window, claim: dict[str, Any]) -> None:
    """
    A write that succeeded, one of an earlier action, a field that is to be empty: no doubt.
    """
    assert find(window, parse(claim)) == ()
