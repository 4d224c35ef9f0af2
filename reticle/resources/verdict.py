"""
``reticle://verdict/{id}``: a recorded verdict with its claim, findings and evidence, as JSON.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping

from reticle.domain.verdict_text import outline
from reticle.model.browser import Attestation
from reticle.model.completes import Completes
from reticle.model.ids import VerdictId
from reticle.model.verdict import Finding, Outcome, Verdict
from reticle.ports import CallContext
from reticle.resources.spec import Content, Listed, ResourceTemplate
from reticle.resources.uri_template import expand

TEMPLATE = "reticle://verdict/{id}"


def verdict_uri(verdict_id: VerdictId) -> str:
    """
    The address of a verdict.
    """
    return expand(TEMPLATE, {"id": verdict_id})


async def read_verdict(context: CallContext, values: Mapping[str, str]) -> Content | None:
    """
    The verdict; None when it never was or is no longer kept.

    Raises:
        Refusal: ``storage_failed``.
    """
    verdict = await context.verdicts.get(VerdictId(values["id"]))
    if verdict is None:
        return None
    return Content("application/json", json.dumps(_fields(verdict), ensure_ascii=False, default=str))


def _fields(verdict: Verdict) -> dict[str, object]:
    decision = verdict.decision
    honesty = decision.honesty
    return {
        "verdict_id": verdict.verdict_id,
        "at": dt.datetime.fromtimestamp(verdict.at, dt.UTC).isoformat(timespec="milliseconds"),
        "verified": decision.verified.value,
        "verifiedReason": decision.reason.value,
        "because": decision.because,
        "source": decision.source,
        "tool": verdict.tool,
        "principal": verdict.principal,
        "sessionId": verdict.page_id,
        "url": verdict.url,
        "attested": _attested(verdict.attested),
        "claim": verdict.claim,
        "outcome": _outcome(decision.outcome),
        "contradictions": [_finding(finding) for finding in decision.findings],
        "honesty": {
            "grade": honesty.grade.name.lower(),
            "settled": honesty.settled,
            "clean": honesty.clean,
            "partial": honesty.partial,
            "issues": honesty.issues,
            "notes": honesty.notes,
        },
        "text": outline(decision),
    }


def _attested(attested: Attestation | None) -> dict[str, object] | None:
    """
    None for a page that dialled in: it may be anybody's program (DESIGN §9).
    """
    return None if attested is None else {"lease": attested.lease_id, "url": attested.opened_url}


def _outcome(outcome: Outcome) -> dict[str, object]:
    return {
        "held": outcome.held.value,
        "assertion": outcome.assertion,
        "failure": outcome.failure,
        "observed": outcome.observed,
        "expected": outcome.expected,
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


VERDICT = ResourceTemplate(
    Listed(
        TEMPLATE,
        "verdict",
        "A verdict",
        "A recorded verdict: what was claimed, what was seen, and what follows.",
        "application/json",
    ),
    read_verdict,
    completes={"id": Completes.VERDICT},
)
