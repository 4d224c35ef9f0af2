"""
A recorded verdict as JSON: the same for the resource, the tool and the command line.
"""

from __future__ import annotations

import datetime as dt

from reticle.domain.verdict_text import outline
from reticle.model.page import Attestation
from reticle.model.provenance import Provenance
from reticle.model.verdict import Decision, Finding, Outcome, Verdict


def verdict_record(verdict: Verdict) -> dict[str, object]:
    """
    The verdict with its claim, who asked and with what versions, and its decision.
    """
    return {
        "verdict_id": verdict.verdict_id,
        "at": dt.datetime.fromtimestamp(verdict.at, dt.UTC).isoformat(timespec="milliseconds"),
        "tool": verdict.tool,
        "principal": verdict.principal,
        "sessionId": verdict.page_id,
        "url": verdict.url,
        "attested": _attested(verdict.attested),
        "provenance": _provenance(verdict.provenance),
        "claim": verdict.claim,
        "min_grade": verdict.min_grade,
        "versions": verdict.versions,
        **decision_record(verdict.decision),
        "text": outline(verdict.decision),
    }


def decision_record(decision: Decision) -> dict[str, object]:
    """
    All of a decision: two that are equal here are equal bit for bit.
    """
    honesty = decision.honesty
    return {
        "verified": decision.verified.value,
        "verifiedReason": decision.reason.value,
        "because": decision.because,
        "source": decision.source,
        "sources": [{"at": place.where, "why": place.why.value} for place in decision.places],
        "outcome": _outcome(decision.outcome),
        "contradictions": [_finding(finding) for finding in decision.findings],
        "invariants": [
            {"name": one.name, "declared": one.declared, "before": one.before.value, "held": one.now.value}
            for one in decision.invariants
        ],
        "honesty": {
            "grade": honesty.grade.name.lower(),
            "attributed": honesty.attributed,
            "settled": honesty.settled,
            "clean": honesty.clean,
            "partial": honesty.partial,
            "blindSpots": honesty.blind_spots,
            "issues": honesty.issues,
            "notes": honesty.notes,
            "ambient": honesty.ambient,
            "pending": honesty.pending,
        },
    }


def _attested(attested: Attestation | None) -> dict[str, object] | None:
    """
    None for a page that dialled in: it may be anybody's program (DESIGN §9).
    """
    return None if attested is None else {"lease": attested.lease_id, "url": attested.opened_url}


def _provenance(provenance: Provenance | None) -> dict[str, object] | None:
    """
    None where nobody works under a token, for whom alone it is looked up.
    """
    if provenance is None:
        return None
    serving = provenance.serving
    return {
        "repository_id": provenance.repository_id,
        "tree": provenance.tree,
        "commit": provenance.commit,
        "edited_meanwhile": provenance.tree != provenance.tree_before,
        "served_from": [process.folder for process in serving.processes],
        "projects": list(provenance.projects),
        "trouble": [each for each in (provenance.tree_trouble, serving.trouble) if each],
    }


def _outcome(outcome: Outcome) -> dict[str, object]:
    return {
        "held": outcome.held.value,
        "assertion": outcome.assertion,
        "failure": outcome.failure,
        "observed": outcome.observed,
        "expected": outcome.expected,
        "final": outcome.final,
        "evidence": outcome.evidence,
        "parts": [_outcome(child) for child in outcome.children],
    }


def _finding(finding: Finding) -> dict[str, object]:
    return {
        "kind": finding.kind,
        "tier": finding.tier.value,
        "claim": finding.claim,
        "counter": finding.counter,
        "source": finding.source,
        "detail": finding.detail,
    }
