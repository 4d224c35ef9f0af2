"""
What is done for every letter although it was counted as done once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from reticle.domain.findings.every_keystroke import find
from reticle.domain.ladder import decide
from reticle.domain.predicate import parse
from reticle.model.codes import VerifiedReason
from reticle.model.verdict import Finding, FindingTier
from reticle.testing.windows import WindowBuilder

ONCE: Mapping[str, Any] = {"kind": "net", "method": "GET", "urlContains": "/search?q=lam", "count": 1}
KEPT: Mapping[str, Any] = {"kind": "storage", "area": "local", "key": "draft", "equals": "Nice", "count": 1}


def searched(*words: str, action: str = "type", more: str = "&page=1") -> WindowBuilder:
    """
    Somebody types, and these words are searched for.
    """
    builder = WindowBuilder().action(action, "Search")
    for word in words:
        builder.net("GET", f"/search?q={word}{more}", 200, responseBody="[]")
    return builder


def kept(*texts: str) -> WindowBuilder:
    """
    Somebody types, and these texts are stored.
    """
    builder = WindowBuilder().action("type", "Feedback")
    for text in texts:
        builder.event("storage.change", {"area": "local", "key": "draft", "op": "set", "new": text})
    return builder


def found(builder: WindowBuilder, claim: Mapping[str, Any]) -> tuple[Finding, ...]:
    """
    What is found over a claim.
    """
    return find(builder.build(), parse(claim))


def test_a_search_at_every_letter_is_doubted_where_it_was_counted() -> None:
    """
    "Asks once" is no pass where each letter asked the server.
    """
    builder = searched("l", "la", "lam")
    (finding,) = found(builder, ONCE)
    assert (finding.tier, finding.detail["times"]) == (FindingTier.ABSENCE, 2)
    assert '"l", "la"' in finding.counter
    assert decide(parse(ONCE), builder.wait(1_000).build()).reason is VerifiedReason.EVIDENCE_INCOMPLETE


def test_a_draft_that_is_stored_at_every_letter_is_doubted_where_it_was_counted() -> None:
    """
    "Kept once" is no pass where each letter was stored.
    """
    (finding,) = found(kept("N", "Ni", "Nic", "Nice"), KEPT)
    assert finding.detail["times"] == 3


def test_a_write_at_every_letter_is_told_by_its_body() -> None:
    """
    Also what is sent in a body, and not in the address.
    """
    builder = WindowBuilder().action("type", "Title")
    for text in ("N", "Ni", "Nic"):
        builder.net("PUT", "/notes/7", 200, requestBody=f'{{"title": "{text}", "id": 7}}')
    claim = {"kind": "net", "method": "PUT", "requestBody": {"title": "Nic"}, "count": 1}
    assert len(found(builder, claim)) == 1


@pytest.mark.parametrize(
    ("builder", "claim"),
    [
        (searched("lam"), ONCE),
        (searched("l", "lam"), ONCE),
        (searched("l", "la", "lam"), {**ONCE, "count": None}),
        (searched("l", "la", "lam"), {"kind": "not", "predicate": ONCE}),
        (searched("l", "la", "lam", action="fill"), ONCE),
        (searched("m", "am", "lam"), ONCE),
        (searched("l", "la").net("GET", "/other?q=lam&page=1").net("GET", "/search?q=lam&page=2"), ONCE),
        (searched("l", "la").net("GET", "/search?q=lam"), ONCE),
        (kept("Nic", "Nice"), KEPT),
        (kept("a", "b", "Nice"), KEPT),
        (kept("N", "Ni", "Nice"), {**KEPT, "key": "other"}),
    ],
)
def test_what_may_be_meant_is_let_be(builder: WindowBuilder, claim: Mapping[str, Any]) -> None:
    """
    Nothing counted, no letters, a pause in the midst, other calls: no doubt.
    """
    given = {name: value for name, value in claim.items() if value is not None}
    assert found(builder, given) == ()
