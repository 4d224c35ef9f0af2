"""
A verdict as the fields and the text of an answer; the same for every tool that gives one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reticle.domain.verdict_text import outline
from reticle.model.browser import Attestation
from reticle.model.codes import Verified
from reticle.model.verdict import Finding, Held, Honesty, Outcome, Verdict
from reticle.model.window import Window
from reticle.tools.acting import effect_fields
from reticle.tools.digest import SHOWN_OF_A_PASS, brief_digest, digest
from reticle.tools.fields import cut_values, list_of, object_of, one_line, quoted, told
from reticle.tools.opened import opened_fields

EVIDENCE_SHOWN = 10
"""Pieces of evidence in one answer; the verdict keeps all."""

_SAID_BY_HOLDING = frozenset({"states", "visible", "ok"})

PARTS_SHOWN = 20
"""Parts of a composite claim in one answer."""

EVIDENCE_CHARS = 500
"""One text inside a piece of evidence."""

OUTPUT: Mapping[str, object] = {
    "type": "object",
    "properties": {
        "verified": {"enum": [value.value for value in Verified]},
        "because": {"type": "string"},
        "verdict_id": {"type": "string"},
    },
    "required": ["verified", "because", "verdict_id"],
}
"""The schema of an answer of either verdict tool; the listing adds the shape of a refusal (DESIGN §4)."""


def verdict_fields(verdict: Verdict, window: Window) -> dict[str, object]:
    """
    The flat fields of a verdict and of the window it rests on.
    """
    decision = verdict.decision
    acted = {} if window.action is None else effect_fields(window.action)
    return {
        "verified": decision.verified.value,
        "verifiedReason": decision.reason.value,
        "because": decision.because,
        "verdict_id": verdict.verdict_id,
        "pass": decision.verified is Verified.YES,
        **told(attested=attested_fields(verdict.attested)),
        **outcome_fields(decision.outcome),
        "honesty": _honesty(decision.honesty, told_pending=decision.verified is not Verified.YES),
        **told(contradictions=[_contradiction(finding) for finding in decision.findings]),
        **told(
            actionId=None if window.action is None else window.action.action_id,
            effect=acted.get("effect"),
            acted=_acted(window, acted),
            warning=acted.get("warning"),
            source=decision.source,
            sources=[{"at": place.where, "why": place.why.value} for place in decision.places],
            summary=brief_digest(window) if decision.verified is Verified.YES else digest(window),
        ),
        **opened_fields(window.page, window.events),
        "since": window.since,
        "until": window.until,
        "window_ms": max(window.closed_t_ms - window.opened_t_ms, 0),
    }


def outcome_fields(outcome: Outcome) -> dict[str, object]:
    """
    What was looked for and what was seen, where that says something.
    """
    proved = outcome.held is Held.YES
    shown = outcome.evidence[: SHOWN_OF_A_PASS if proved else EVIDENCE_SHOWN]
    evidence = [cut_values(_brief(piece) if proved else piece, EVIDENCE_CHARS) for piece in shown]
    more = len(outcome.evidence) - len(shown)
    return {
        "assertion": outcome.assertion,
        **told(failureReason=outcome.failure),
        **{
            name: cut_values(value, EVIDENCE_CHARS)
            for name, value in (("observed", outcome.observed), ("expected", outcome.expected))
            # an empty text and False are findings; of a claim that holds they say what the proof says
            if value is not None and outcome.held is not Held.YES
        },
        **told(
            parts=[_part(child) for child in _telling(outcome)[:PARTS_SHOWN]],
            evidence=evidence,
            moreEvidence=more if more > 0 else None,
        ),
    }


def _telling(outcome: Outcome) -> Sequence[Outcome]:
    """
    The parts, but for a whole of which every part holds: that says the whole.
    """
    return () if all(child.held is Held.YES for child in outcome.children) else outcome.children


def _brief(piece: Mapping[str, object]) -> Mapping[str, object]:
    """
    A piece of evidence of a claim that holds, without what goes without saying then.
    """
    return {name: value for name, value in piece.items() if name not in _SAID_BY_HOLDING}


def attested_fields(attested: Attestation | None) -> dict[str, object] | None:
    """
    What the daemon knows of a page that it opened itself; None for one that dialled in.
    """
    return None if attested is None else {"lease": attested.lease_id, "url": attested.opened_url}


def verdict_text(verdict: Verdict, fields: Mapping[str, object]) -> str:
    """
    The outline of the decision, then where to go on from, and whether the daemon opened the page itself.
    """
    lines = [outline(verdict.decision)]
    if "acted" in fields:
        lines.append(one_line(f"acted: {fields['acted']}"))
    if "warning" in fields:
        lines.append(one_line(f"warning: {fields['warning']}"))
    session = fields.get("session")
    if isinstance(session, Mapping):
        lines.append(f"page: {session.get('recommendation')}")
    places = f"verdict_id: {verdict.verdict_id} · since: {fields['since']} · until: {fields['until']}"
    lines.append(places if verdict.attested is None else f"{places} · attested")
    return "\n".join(lines)


def _acted(window: Window, acted: Mapping[str, object]) -> str | None:
    """
    The action in one line, such as ``click button "Pay" (ref=e5)``.
    """
    if window.action is None:
        return None
    if window.action.effect is None:
        return f"{window.action.action}; the page left before it could report the effect"
    name = f" {quoted(acted['name'])}" if "name" in acted else ""
    ref = f" (ref={acted['ref']})" if "ref" in acted else ""
    return f"{window.action.action} {acted.get('role', 'element')}{name}{ref}{_unseen(acted)}"


def _unseen(acted: Mapping[str, object]) -> str:
    """
    What the browser itself answered, outside of the page: the first field that it found wrong, or a window
    that it blocked.
    """
    effect = object_of(acted.get("effect"))
    for field in map(object_of, list_of(effect.get("invalid"))):
        wrong = f'{field.get("role", "field")} "{field.get("name", "")}": {field.get("message", "")}'
        return one_line(f"; the form's own checks failed: {wrong}")
    for window in map(object_of, list_of(effect.get("opened"))):
        if window.get("blocked") is True:
            return one_line(f"; the browser blocked the window {window.get('url', '')}")
    return ""


def _honesty(honesty: Honesty, *, told_pending: bool) -> dict[str, object]:
    return {
        "grade": honesty.grade.name.lower(),
        "settled": honesty.settled,
        **told(coverage=_coverage(honesty) if honesty.partial else None),
        "integrity": {"clean": honesty.clean, **told(issues=list(honesty.issues))},
        **told(notes=list(honesty.notes), pending=dict(honesty.pending) if told_pending else None),
    }


def _coverage(honesty: Honesty) -> dict[str, object]:
    return {"partial": True, **told(blindSpots=dict(honesty.blind_spots))}


def _part(outcome: Outcome) -> dict[str, object]:
    return {
        "held": outcome.held.value,
        "assertion": outcome.assertion,
        **told(failureReason=outcome.failure if outcome.held is not Held.YES else None),
    }


def _contradiction(finding: Finding) -> dict[str, object]:
    return {
        "kind": finding.kind,
        "tier": finding.tier.value,
        "claim": finding.claim,
        "counter": finding.counter,
        **told(detail=cut_values(dict(finding.detail), EVIDENCE_CHARS), source=finding.source),
    }
