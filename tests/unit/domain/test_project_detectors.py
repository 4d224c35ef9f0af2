"""
Detectors of a project's own, and detectors that are switched off: what a verdict makes of them, and says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import attrs
import pytest
from zope.interface import implementer

from reticle.domain.predicate import parse
from reticle.domain.project_detectors import EVERY_DETECTOR, Detectors
from reticle.domain.rejudging import judge, rejudge
from reticle.domain.verdict_record import decision_record
from reticle.model.codes import Verified, VerifiedReason
from reticle.model.finding_limits import PROJECT_FINDINGS
from reticle.model.ids import VerdictId
from reticle.model.verdict import Decision, Finding, FindingTier, Verdict
from reticle.model.window import Window
from reticle.ports.detectors import IDetector
from reticle.storage.window_json import window_from_bytes, window_to_bytes
from reticle.testing.windows import WindowBuilder

CLAIM = {"kind": "net", "method": "POST", "urlContains": "/api/orders"}
FOUND = Finding("oversold", FindingTier.OBSERVED, "stock is counted", "it is -1", {"path": "stock"})
FAILED = "not looked for, the project's detector failed: oversold"

Looks = Callable[[Window, Mapping[str, object]], Iterable[object]]


@implementer(IDetector)
@attrs.frozen
class Own:
    """
    A detector of a project.
    """

    looks: Looks
    kind: str = "oversold"

    def find(self, window: Window, claim: Mapping[str, object]) -> Iterable[Finding]:
        """
        Whatever the test says.
        """
        return self.looks(window, claim)  # type: ignore[return-value]  # also what is no finding


def ordered(**fields: object) -> Window:
    body = {"responseBody": "{}", "requestBody": '{"sku": 1}', **fields}
    return WindowBuilder().click().net("POST", "/api/orders", 201, **body).dom_added().build()


def twice() -> Window:
    builder = WindowBuilder().click()
    for _ in range(2):
        builder.net("POST", "/api/orders", 201, requestBody='{"sku": 1}', responseBody="{}")
    return builder.dom_added().build()


def decided(window: Window) -> Decision:
    return judge(parse(CLAIM), window)


def seen_by(looks: Looks, told: list[str] | None = None) -> Detectors:
    failed = [] if told is None else told
    return Detectors(own=[Own(looks)], on_failure=lambda kind, error: failed.append(f"{kind}: {error}"))


@pytest.mark.parametrize(
    ("tier", "verified", "reason"),
    [
        (FindingTier.OBSERVED, Verified.NO, VerifiedReason.CONTRADICTED),
        (FindingTier.ABSENCE, Verified.UNKNOWN, VerifiedReason.EVIDENCE_INCOMPLETE),
    ],
)
def test_what_a_projects_detector_finds_weighs_like_any_finding(
    tier: FindingTier, verified: Verified, reason: VerifiedReason
) -> None:
    """
    Observed, it makes a no; a doubt, it makes an unknown.
    """
    window = seen_by(lambda *_: [attrs.evolve(FOUND, tier=tier)]).consult(ordered(), CLAIM)
    decision = decided(window)
    assert (decision.verified, decision.reason) == (verified, reason)
    assert "stock is counted, but it is -1" in decision.because


def test_it_is_shown_the_window_and_the_claim() -> None:
    """
    A detector may look at all that a verdict rests on.
    """
    asked: list[tuple[Window, Mapping[str, object]]] = []
    window = ordered()

    def looks(window: Window, claim: Mapping[str, object]) -> Iterable[object]:
        asked.append((window, claim))
        return ()

    seen_by(looks).consult(window, CLAIM)
    assert asked == [(window, CLAIM)]


def test_a_stored_verdict_is_the_same_without_the_project() -> None:
    """
    What the detector found is part of the window: judged again elsewhere, nothing differs.
    """
    window = seen_by(lambda *_: [FOUND]).consult(ordered(), CLAIM)
    again = window_from_bytes(window_to_bytes(window))
    assert again == window
    decision = decided(window)
    verdict = Verdict(VerdictId("v1"), 0.0, "t", "local", "s1", "http://localhost/", CLAIM, decision)
    assert decision_record(rejudge(verdict, again)) == decision_record(decision)


def boom(*_: object) -> Iterable[object]:
    raise RuntimeError("no such key")


@pytest.mark.parametrize(
    "looks",
    [
        boom,
        lambda *_: [None],
        lambda *_: ["oversold"],
        lambda *_: [attrs.evolve(FOUND, kind="uncaught-error")],
        lambda *_: [attrs.evolve(FOUND, detail={"at": object()})],
        lambda *_: [attrs.evolve(FOUND, detail={"at": float("nan")})],
        lambda *_: [FOUND] * (PROJECT_FINDINGS + 1),
        lambda *_: None,
    ],
)
def test_one_that_fails_is_passed_over_named_and_told_once(looks: Looks) -> None:
    """
    The verdict is as without it, and says that it did not look; the log is not filled with it.
    """
    told: list[str] = []
    detectors = seen_by(looks, told)
    for _ in range(2):
        window = detectors.consult(ordered(), CLAIM)
    decision = decided(window)
    assert decision.verified is Verified.YES
    assert decision.findings == ()
    assert list(decision.honesty.notes) == [FAILED]
    assert FAILED in decision.because
    assert len(told) == 1


def test_a_detector_that_is_switched_off_does_not_look_and_the_verdict_says_so() -> None:
    """
    A double submit passes where nobody is to look for it, in words that nobody can miss.
    """
    assert decided(twice()).verified is Verified.UNKNOWN
    off = Detectors(off=["duplicate-request"], on_failure=lambda *_: None)
    window = attrs.evolve(twice(), scrutiny=off.scrutiny)
    decision = decided(off.consult(window, CLAIM))
    note = "not looked for, switched off: duplicate-request"
    assert (decision.verified, list(decision.honesty.notes)) == (Verified.YES, [note])
    assert note in decision.because
    assert decided(window_from_bytes(window_to_bytes(window))) == decision


def test_one_of_the_projects_own_may_be_switched_off_too() -> None:
    """
    It is not even asked.
    """
    detectors = Detectors(off=["oversold"], own=[Own(boom)], on_failure=lambda *_: None)
    window = attrs.evolve(ordered(), scrutiny=detectors.scrutiny)
    assert detectors.consult(window, CLAIM) is window
    assert list(decided(window).honesty.notes) == ["not looked for, switched off: oversold"]


def test_without_any_setting_nothing_is_said() -> None:
    """
    The usual verdict has no note about detectors, and its window is not touched.
    """
    window = ordered()
    assert EVERY_DETECTOR.consult(window, CLAIM) is window
    assert list(decided(window).honesty.notes) == []
