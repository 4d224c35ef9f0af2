"""
Which findings still count once a declared consequence held.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from reticle.domain.ladder import decide
from reticle.domain.predicate import evaluate, parse
from reticle.domain.weighing import doubts, observed
from reticle.model.codes import Verified
from reticle.model.verdict import Finding, FindingTier
from reticle.testing.windows import WindowBuilder

WINDOW = WindowBuilder().click().net("POST", "/a", 201).text("Saved").build()
CALL = {"kind": "net", "method": "POST"}
SAVED = {"kind": "text", "contains": "Saved"}


def absence(kind: str, **detail: object) -> Finding:
    """
    A finding that rests on something not seen.
    """
    return Finding(kind, FindingTier.ABSENCE, "claim", "counter", detail)


IDLE = absence("action-had-no-effect")
IGNORED = absence("response-ignored")
OPEN_READ = absence("request-never-settled", method="GET")
OPEN_WRITE = absence("request-never-settled", method="POST")
SEEN = Finding("uncaught-error", FindingTier.OBSERVED, "claim", "counter")


def left(claim: Mapping[str, object], *findings: Finding, proved: bool = True) -> tuple[Finding, ...]:
    """
    The doubts that remain beside a claim.
    """
    predicate = parse(claim)
    return doubts(findings, predicate, evaluate(predicate, WINDOW), proved=proved)


def test_what_was_seen_is_never_waived() -> None:
    """
    Findings are split by what they rest on; observed ones are no doubts and no proof removes them.
    """
    assert observed((IDLE, SEEN, OPEN_WRITE)) == (SEEN,)
    assert left(SAVED, SEEN, IDLE) == ()


@pytest.mark.parametrize(
    "claim",
    [
        {"kind": "console", "level": "error", "absent": True},
        {"kind": "net", "method": "DELETE", "count": 0},
        {"allOf": [{"kind": "settled"}, {"not": {"kind": "net", "method": "PUT"}}]},
    ],
)
def test_that_nothing_went_wrong_does_not_refute_that_nothing_happened(claim: dict[str, object]) -> None:
    """
    A dead button writes no error either: such a claim alone is no pass for it.
    """
    assert left(claim, IDLE) == (IDLE,)
    assert left({"allOf": [claim, CALL]}, IDLE) == ()


def test_without_proof_every_doubt_stays() -> None:
    """
    A claim that was true before, or none at all, refutes nothing.
    """
    every = (IDLE, IGNORED, OPEN_READ)
    assert left(SAVED, *every, proved=False) == every
    assert doubts(every, None, evaluate(parse(SAVED), WINDOW), proved=True) == every


@pytest.mark.parametrize(
    ("claim", "findings", "remaining"),
    [
        (CALL, (IDLE, IGNORED), (IGNORED,)),
        (SAVED, (IDLE, IGNORED), ()),
        ({"allOf": [CALL, SAVED]}, (IGNORED,), ()),
        ({"kind": "text", "contains": "Failed"}, (IGNORED,), (IGNORED,)),
        (SAVED, (OPEN_READ,), ()),
        (SAVED, (OPEN_WRITE,), (OPEN_WRITE,)),
        (SAVED, (OPEN_READ, OPEN_WRITE), (OPEN_READ, OPEN_WRITE)),
    ],
)
def test_a_proof_waives_what_it_refutes(
    claim: dict[str, object], findings: tuple[Finding, ...], remaining: tuple[Finding, ...]
) -> None:
    """
    A proof refutes "nothing happened", one on the screen "the answer was ignored"; an open write stays.
    """
    assert left(claim, *findings) == remaining


def test_a_text_that_came_up_was_rendered() -> None:
    """
    A claim that shows the new page refutes "nothing was rendered"; an absence, or a call, does not.
    """
    unrendered = absence("route-rendered-nothing")
    gone = {"kind": "text", "contains": "Gone", "absent": True}
    assert left(SAVED, unrendered) == ()
    assert left(CALL, unrendered) == (unrendered,)
    assert left(gone, unrendered) == (unrendered,)


@pytest.mark.parametrize("kind", ["evidence-predates-edit", "evidence-superseded", "duplicate-request"])
def test_no_proof_makes_old_evidence_new(kind: str) -> None:
    """
    What held under other code, or twice, holds no better for having held.
    """
    assert left({"allOf": [CALL, SAVED]}, absence(kind)) == (absence(kind),)


def test_a_dead_control_is_no_pass_of_a_claim_that_nothing_came_denied_twice() -> None:
    """
    A click that did nothing meets "no write was sent", and is a doubt whichever way that is put.
    """
    window = WindowBuilder().click().text("Gone", there=True, before=True).quiet(1_000).build()
    nothing = {"kind": "net", "method": "POST", "count": 0}
    for claim in (nothing, {"not": {"not": nothing}}):
        assert decide(parse(claim), window).verified is not Verified.YES
