"""
A decision as an outline for an agent: at most 25 short lines, the answer first.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from reticle.domain.facts import brief, one_line
from reticle.model.codes import Verified
from reticle.model.verdict import Decision, Finding, Held, Honesty

_LINE = 200
_FINDINGS = 5
_FINDINGS_IN_FULL = 2
_PARTS = 8
_REASONS = 4
"""Parts whose reason is told too; the structured answer has all."""

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
        yield from _parts(decision)
    findings = told_once(() if decision.verified is Verified.YES else decision.findings)
    for number, (finding, times) in enumerate(findings[:_FINDINGS]):
        words = _finding(finding, decision.because, in_full=number < _FINDINGS_IN_FULL)
        yield words + (f" ({times} times)" if times > 1 else "")
    if len(findings) > _FINDINGS:
        yield f"finding: {len(findings) - _FINDINGS} more"
    if decision.verified is Verified.YES:
        # what proves it stands in the first line, with its grade
        if _is_flawed(decision.honesty):
            yield brief(f"honesty: {', '.join(_flaws(decision.honesty))}", _LINE)
        return
    for fact in decision.outcome.evidence[:_EVIDENCE]:
        yield f"evidence: {_flat(fact)}"
    yield _honesty(decision.honesty)


def told_once(findings: Sequence[Finding]) -> Sequence[tuple[Finding, int]]:
    """
    Findings that say the same, each once, with how often it was found; in the order of the first.
    """
    found: list[tuple[Finding, int]] = []
    for finding in findings:
        at = next((place for place, (one, _) in enumerate(found) if one == finding), None)
        if at is None:
            found.append((finding, 1))
        else:
            found[at] = (finding, found[at][1] + 1)
    return found


def _parts(decision: Decision) -> Iterator[str]:
    """
    Each part and why it did not hold, where the first line does not say it already.
    """
    outcome, told = decision.outcome, 0
    for child in outcome.children[:_PARTS]:
        why = ""
        if child.failure and child.held is not Held.YES and child.failure not in decision.because:
            why, told = (f": {brief(child.failure, _LINE)}" if told < _REASONS else ""), told + 1
        yield f"- {child.held.value} {child.assertion}{why}"
    if len(outcome.children) > _PARTS:
        yield f"- {len(outcome.children) - _PARTS} more parts"


def _finding(finding: Finding, said: str, *, in_full: bool) -> str:
    """
    A finding; its words are left out where the first line has them, and of those behind the first few.
    """
    named = f"finding: {finding.kind} ({finding.tier.value})"
    where = f" at {finding.source}" if finding.source else ""
    if not in_full or f"{finding.claim}, but {finding.counter}" in said:
        return f"{named}{where}"
    return f"{named} — {brief(f'{finding.claim}, but {finding.counter}{where}', _LINE)}"


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
