"""
A verdict as the fields and the text of an answer; the same for every tool that gives one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from reticle.domain.verdict_text import outline, told_once
from reticle.model.browser import Attestation
from reticle.model.codes import Verified
from reticle.model.verdict import Decision, Finding, Held, Honesty, Outcome, Verdict
from reticle.model.window import Window
from reticle.tools.acting import effect_fields
from reticle.tools.digest import brief_digest, digest
from reticle.tools.fields import cut_values, list_of, object_of, one_line, quoted, told
from reticle.tools.opened import opened_fields

EVIDENCE_SHOWN = 10
PROOF_SHOWN = 2
"""Pieces of evidence in one answer, and of a claim that holds; the verdict keeps all."""

_SAID_BY_HOLDING = frozenset({"states", "visible", "ok"})

_SAID_BY_PASSING = frozenset(
    {
        "targetMatched",
        "defaultPrevented",
        "focusMoved",
        "domMutatedWithin",
        "appeared",
        "invalid",
        "value",
        "valueChanged",
    }
)
"""
What tells of an act that it did something: what it did is proved by then, and what the form said to it stands
in ``acted``.
"""

_INVALID = "; the form's own checks failed: "
_BLOCKED = "; the browser blocked the window "

ANCHORS_SHOWN = 3
"""Of a claim that holds; as many as ``because`` names."""

AMBIENT_SHOWN = 3
"""Names of what goes on by itself in one answer."""

PARTS_SHOWN = 20
"""Parts of a composite claim in one answer."""

EVIDENCE_CHARS = 300
"""One text inside a piece of evidence."""

CONTRADICTIONS_SHOWN = 4
"""Findings in one answer; who mends the first few looks again."""

DIGEST_SHOWN = 4
"""Entries of each list of a failing verdict's summary; ``reticle_observe`` has all."""

_SAID_CHARS = 3

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
    passed = decision.verified is Verified.YES
    acted = {} if window.action is None else effect_fields(window.action)
    effect = object_of(acted.get("effect"))
    if passed:
        effect = {name: value for name, value in effect.items() if name not in _SAID_BY_PASSING}
    return {
        "verified": decision.verified.value,
        "verifiedReason": decision.reason.value,
        "because": decision.because,
        "verdict_id": verdict.verdict_id,
        "pass": passed,
        **told(attested=attested_fields(verdict.attested)),
        **outcome_fields(decision.outcome, passed=passed, said=decision.because),
        "honesty": _honesty(decision.honesty, passed=passed),
        # what was found beside a claim that holds is refuted by it
        **_contradictions(() if passed else decision.findings),
        **told(
            actionId=None if window.action is None else window.action.action_id,
            effect=effect,
            acted=_acted(window, acted),
            warning=acted.get("warning"),
            source=decision.source,
            sources=[{"at": place.where, "why": place.why.value} for place in decision.places],
            summary=_brief_digest(decision, window) if passed else digest(window, DIGEST_SHOWN),
        ),
        **opened_fields(window.page, window.events),
        "since": window.since,
        "until": window.until,
        "window_ms": max(window.closed_t_ms - window.opened_t_ms, 0),
    }


def outcome_fields(outcome: Outcome, *, passed: bool = False, said: str = "") -> dict[str, object]:
    """
    What was looked for and what was seen, where that says something; of what ``passed``, and is named in
    ``because``, only where it was seen. Why it does not hold is left out where ``said`` has it.
    """
    proved = outcome.held is Held.YES
    shown = outcome.evidence[: PROOF_SHOWN if proved and not passed else EVIDENCE_SHOWN]
    more = len(outcome.evidence) - len(shown)
    pieces = [cut_values(_brief(piece) if proved else piece, EVIDENCE_CHARS) for piece in shown]
    evidence = _anchors(shown) if passed else pieces
    return {
        **told(
            # of a whole that holds it is the first part's alone
            assertion=None if passed and outcome.children else outcome.assertion,
            failureReason=None if outcome.failure and outcome.failure in said else outcome.failure,
        ),
        **{
            name: cut_values(value, EVIDENCE_CHARS)
            for name, value in (("observed", outcome.observed), ("expected", outcome.expected))
            # an empty text and False are findings; of a claim that holds they say what the proof says
            if value is not None and not proved
        },
        **told(
            parts=[_part(child, outcome) for child in _telling(outcome)[:PARTS_SHOWN]],
            evidence=evidence,
            moreEvidence=more if more > 0 and not passed else None,
        ),
    }


def _known(outcome: Outcome) -> Collection[int]:
    """
    The numbers of the events that are shown as evidence or named in ``because``.
    """
    return {seq for piece in outcome.evidence if isinstance(seq := piece.get("seq"), int)}


def _brief_digest(decision: Decision, window: Window) -> dict[str, object]:
    return brief_digest(window, _known(decision.outcome), decision.honesty.notes)


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


def _anchors(evidence: Sequence[Mapping[str, object]]) -> list[Mapping[str, object]]:
    """
    Where the evidence of a claim that holds is to be found: the numbers of its events, and its elements. What
    it says stands in ``because``, and all of it in the verdict that is kept.
    """
    found: list[Mapping[str, object]] = []
    for piece in evidence:
        anchor = {name: piece[name] for name in ("seq", "ref") if piece.get(name) is not None}
        if anchor and anchor not in found and len(found) < ANCHORS_SHOWN:
            found.append(anchor)
    return found


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
    # who acted and has a pass knows what was done; what was odd about it stands there all the same
    if "acted" in fields and (fields["pass"] is not True or "effect" in fields or "warning" in fields):
        lines.append(one_line(f"acted: {fields['acted']}"))
    elif "acted" in fields and (said := _said_by_browser(str(fields["acted"]))):
        lines.append(one_line(said))
    if "warning" in fields:
        lines.append(one_line(f"warning: {fields['warning']}"))
    session = fields.get("session")
    if isinstance(session, Mapping):
        lines.append(f"page: {session.get('recommendation')}")
    places = f"verdict_id: {verdict.verdict_id} · since: {fields['since']} · until: {fields['until']}"
    lines.append(places if verdict.attested is None else f"{places} · attested")
    return "\n".join(lines)


def _said_by_browser(acted: str) -> str:
    """
    Of the line about an act what the browser itself answered; "" for nothing.
    """
    at = max(acted.find(said) for said in (_INVALID, _BLOCKED))
    return acted[at:].removeprefix("; ") if at >= 0 else ""


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
        return one_line(f"{_INVALID}{wrong}")
    for window in map(object_of, list_of(effect.get("opened"))):
        if window.get("blocked") is True:
            return one_line(f"{_BLOCKED}{window.get('url', '')}")
    return ""


def _honesty(honesty: Honesty, *, passed: bool) -> dict[str, object]:
    integrity = {"clean": honesty.clean, **told(issues=list(honesty.issues))}
    return {
        "grade": honesty.grade.name.lower(),
        "settled": honesty.settled,
        **told(
            coverage=_coverage(honesty) if honesty.partial else None,
            integrity=None if passed and honesty.clean else integrity,
            notes=list(honesty.notes),
            ambient=list(honesty.ambient[:AMBIENT_SHOWN]),
            pending=None if passed else dict(honesty.pending),
        ),
    }


def _coverage(honesty: Honesty) -> dict[str, object]:
    return {"partial": True, **told(blindSpots=dict(honesty.blind_spots))}


def _part(outcome: Outcome, whole: Outcome) -> dict[str, object]:
    """
    A part, and why it does not hold where that is not what stands above for the whole.
    """
    tells = outcome.held is not Held.YES and outcome.failure != whole.failure
    return {
        "held": outcome.held.value,
        "assertion": outcome.assertion,
        **told(failureReason=outcome.failure if tells else None),
    }


def _contradictions(findings: Sequence[Finding]) -> dict[str, object]:
    """
    What disagrees, each once; ``moreContradictions`` are in the verdict that is kept (``reticle_verdict``).
    """
    found = told_once(findings)
    more = len(found) - CONTRADICTIONS_SHOWN
    return told(
        contradictions=[_contradiction(one, times) for one, times in found[:CONTRADICTIONS_SHOWN]],
        moreContradictions=f"{more}: reticle_verdict has them" if more > 0 else None,
    )


def _contradiction(finding: Finding, times: int) -> dict[str, object]:
    said = f"{finding.claim} {finding.counter}"
    detail = {name: value for name, value in finding.detail.items() if not _is_said(value, said)}
    return {
        "kind": finding.kind,
        "tier": finding.tier.value,
        "claim": finding.claim,
        "counter": finding.counter,
        **told(
            times=times if times > 1 else None,
            detail=cut_values(detail, EVIDENCE_CHARS),
            source=finding.source,
        ),
    }


def _is_said(value: object, said: str) -> bool:
    """
    Whether a detail stands in the finding's words already; a lone digit is in many words by chance.
    """
    text = value if isinstance(value, str) else str(value) if isinstance(value, int) else ""
    return len(text) >= _SAID_CHARS and text in said
