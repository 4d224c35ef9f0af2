"""
A decision as an outline for an agent: at most 25 short lines, the answer first.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from reticle.domain.facts import brief, one_line
from reticle.model.codes import Verified
from reticle.model.verdict import Decision, Finding, Held, Honesty, Outcome

_LINE = 200
_FINDINGS = 5
_PARTS = 8
_EVIDENCE = 5


def outline(decision: Decision) -> str:
    """
    The decision's text: value and reason, parts of a composite, findings, evidence, honesty, source.

    Of a ``yes`` only what is not in its first line already.
    """
    return "\n".join(map(one_line, _lines(decision)))


def _lines(decision: Decision) -> Iterator[str]:
    yield f"verified: {decision.verified.value} ({decision.reason.value}) — {decision.because}"
    for place in decision.places:
        yield f"source: {place.where} ({place.why})"
    if any(child.held is not Held.YES for child in decision.outcome.children):
        yield from _parts(decision.outcome)
    for finding in decision.findings[:_FINDINGS]:
        yield _finding(finding)
    if len(decision.findings) > _FINDINGS:
        yield f"finding: {len(decision.findings) - _FINDINGS} more"
    if decision.verified is Verified.YES:
        # what proves it stands in the first line, with its grade
        if _is_flawed(decision.honesty):
            yield brief(f"honesty: {', '.join(_flaws(decision.honesty))}", _LINE)
        return
    for fact in decision.outcome.evidence[:_EVIDENCE]:
        yield f"evidence: {_flat(fact)}"
    yield _honesty(decision.honesty)


def _parts(outcome: Outcome) -> Iterator[str]:
    for child in outcome.children[:_PARTS]:
        why = f": {brief(child.failure, _LINE)}" if child.failure and child.held is not Held.YES else ""
        yield f"- {child.held.value} {child.assertion}{why}"
    if len(outcome.children) > _PARTS:
        yield f"- {len(outcome.children) - _PARTS} more parts"


def _finding(finding: Finding) -> str:
    where = f" at {finding.source}" if finding.source else ""
    return f"finding: {finding.kind} ({finding.tier.value}) — " + brief(
        f"{finding.claim}, but {finding.counter}{where}", _LINE
    )


def _is_flawed(honesty: Honesty) -> bool:
    return bool(not honesty.clean or honesty.partial or honesty.notes)


def _honesty(honesty: Honesty) -> str:
    words = [f"grade {honesty.grade.name.lower()}", "settled" if honesty.settled else "not settled"]
    words += ["capture clean"] * honesty.clean
    return brief("honesty: " + ", ".join([*words, *_flaws(honesty)]), _LINE)


def _flaws(honesty: Honesty) -> Iterator[str]:
    if not honesty.clean:
        yield f"capture not clean ({'; '.join(honesty.issues)})"
    yield from honesty.notes
    if honesty.partial:
        spots = ", ".join(f"{count} {kind}" for kind, count in honesty.blind_spots.items())
        yield f"could not watch {spots}"


def _flat(fact: Mapping[str, object]) -> str:
    shown = {name: value for name, value in fact.items() if value is not None}
    return brief(json.dumps(shown, ensure_ascii=False, default=str), _LINE)
