"""
A recorded verdict for tests that do not care how it was reached.
"""

from __future__ import annotations

from reticle.model.codes import Grade, Verified, VerifiedReason
from reticle.model.ids import VerdictId
from reticle.model.verdict import Decision, Finding, FindingTier, Held, Honesty, Outcome, Verdict


def recorded_verdict(verdict_id: str = "verdict_1") -> Verdict:
    """
    A pass with a part, a piece of evidence and a finding.
    """
    honesty = Honesty(Grade.NET, settled=True, partial=False, blind_spots={}, clean=True)
    part = Outcome(Held.YES, "text")
    outcome = Outcome(Held.YES, "net", evidence=({"url": "/api/orders"},), children=(part,))
    finding = Finding("toast_lies", FindingTier.OBSERVED, "it says saved", "the request failed")
    decision = Decision(
        Verified.YES, VerifiedReason.PROVED, "POST /api/orders answered 201", outcome, (finding,), honesty
    )
    return Verdict(
        VerdictId(verdict_id),
        1.5,
        "reticle_assert",
        "local",
        "p1",
        "http://localhost:8000/",
        {"net": {"url": "/api/orders"}},
        decision,
    )
