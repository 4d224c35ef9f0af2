"""
The one sentence beside a verdict: what decided it, named by its evidence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reticle.domain.facts import brief, literal, quoted
from reticle.domain.requests import Request
from reticle.domain.settle import Settle
from reticle.model.codes import Grade
from reticle.model.verdict import Finding, Outcome

NAME_CHARS = 40
TEXT_CHARS = 60
"""Of a name and of a text that prove a claim; a row of a table is named by all that it says."""

NOT_WAITED_FOR = " was not waited for"
"""How a clause of ``domain.scheduled`` on one timer ends."""

NOTHING_LEFT = "nothing was left to come"
NEXT_TOLD_MS = 5_000
"""An interval that is due so soon may take back what is claimed: who reads the verdict is told when."""

_HAPPENINGS = ("storage", "stream", "perf", "dialog", "download", "server", "sql", "log", "mail")

LOST = "The page went away while it was watched, so nothing can be said about the app."
NOTHING_DECLARED = (
    "The page settled and nothing disagrees, but settling alone proves nothing: "
    "name with until what must come of it."
)
VACUOUS = "Only settling held of what was declared, and a quiet page proves nothing."


def cannot_tell(outcome: Outcome) -> str:
    """
    Why a claim could not be told.
    """
    return _sentence(f"It cannot be told whether {_claim(outcome)} holds: {outcome.failure or 'no evidence'}")


def not_yet(outcome: Outcome, open_now: Sequence[Request]) -> str:
    """
    Why a claim that does not hold yet is no fault yet.
    """
    names = _several([f"{one.method} {one.url}" for one in open_now])
    return _sentence(f"Waiting ended while {names} was still in flight; until then: {outcome.failure}")


def held_back(outcome: Outcome, slowed: str) -> str:
    """
    Why a claim that does not hold on a page that the browser holds back is no fault yet.
    """
    return _sentence(f"Until the wait ended: {outcome.failure or outcome.assertion}; but {slowed}")


def too_slow(slowed: str) -> str:
    """
    Why an absence on such a page proves nothing.
    """
    return _sentence(f"It did not happen, but {slowed}, so it may still come")


def failed(outcome: Outcome, contradictions: Sequence[Finding], failures: Sequence[Request]) -> str:
    """
    What did not hold, and what contradicts it or failed beside it.
    """
    said = [str(one) for one in failures if str(one) not in (outcome.failure or "")]
    beside = ""
    if contradictions:
        beside = f"; also found: {_clash(contradictions[0])}"
    elif said:
        beside = f"; also found: {_several(said)}"
    return _sentence(f"The declared consequence did not hold: {outcome.failure or outcome.assertion}{beside}")


def contradicted(findings: Sequence[Finding]) -> str:
    """
    What disagrees.
    """
    return _sentence(f"Evidence contradicts: {_several([_clash(finding) for finding in findings], '; ')}")


def doubtful(findings: Sequence[Finding]) -> str:
    """
    What is missing.
    """
    return _sentence(f"Evidence is missing: {_several([_clash(finding) for finding in findings], '; ')}")


def cannot_look(spots: Mapping[str, int]) -> str:
    """
    Where an absence could not be looked for.
    """
    places = _several([f"{count} {kind}" for kind, count in spots.items()])
    return _sentence(f"It was not found, but the page has places that cannot be looked into: {places}")


def already(*, known: bool) -> str:
    """
    Why a claim that holds proves nothing about the action.
    """
    if known:
        return "It was true before the action already, so the action proves nothing."
    return "It holds, but whether it was true before the action could not be read."


def by_itself(stretch_ms: int) -> str:
    """
    Why what came proves nothing about the action: the negative control.
    """
    return (
        f"It also held over the {stretch_ms} ms before the action, without it: such events come by "
        "themselves. Claim what only the action brings, such as a body, a text or a count."
    )


def anothers(initiators: Sequence[str]) -> str:
    """
    Why what came proves nothing about the action: it is known whose doing it is.
    """
    return (
        f"What was claimed came, but it was set going by {_several(initiators)}, which did the same before "
        "the action. Claim what only the action brings, such as a body, a text or a count."
    )


def unclean(described: str) -> str:
    """
    What was lost.
    """
    return _sentence(f"It holds, but evidence that could contradict was lost: {described}")


def unsettled(now: Settle) -> str:
    """
    What kept the page busy.
    """
    return _sentence(f"The page did not settle: {now.what_keeps_it_busy()}")


def accepted_only(requests: Sequence[Request]) -> str:
    """
    What was only accepted, or is not answered yet.
    """
    names = _several([str(one) for one in requests])
    if not any(one.mutating or one.status for one in requests):
        return _sentence(
            f"It holds, but how {names} ends may contradict it; give it more time, or name in the claim what "
            "its answer shows; one that is meant to stay open is let be from the next action on"
        )
    begun = "Accepted" if requests[0].status else "Sent"
    return _sentence(f"{begun} is not done: {names}; declare what shows that the work was finished")


def unread(requests: Sequence[Request]) -> str:
    """
    What could not be read.
    """
    names = _several([f"{one}{_how_it_ended(one)}" for one in requests])
    return _sentence(f"What the server answered to a write could not be read: {names}")


def proved(
    outcome: Outcome,
    grade: Grade,
    now: Settle,
    *,
    partial: bool,
    expired: bool = False,
    foreseen: bool = False,
    ahead_ms: int | None = None,
    scheduled: Sequence[str] = (),
) -> str:
    """
    What proves it, at which grade, and what limits it: ``expired`` that it is gone again, ``scheduled`` what
    the app had still to do, ``foreseen`` that the wait ended early because the app had nothing to do for
    ``ahead_ms``.
    """
    facts = [_fact(one) for one in outcome.evidence]
    shown = _several(facts) if facts else _claim(outcome)
    limits = []
    if partial:
        limits.append("parts of the page could not be watched")
    if foreseen and scheduled and scheduled[0].endswith(NOT_WAITED_FOR):
        limits.append(f"nothing was left to come but {scheduled[0].removesuffix(NOT_WAITED_FOR)}")
        scheduled = scheduled[1:]
    elif foreseen:
        soon = ahead_ms is not None and ahead_ms < NEXT_TOLD_MS
        limits.append(
            f"nothing was left to come for {(ahead_ms or 0) / 1000:.1f} s" if soon else NOTHING_LEFT
        )
    elif not now.settled:
        limits.append(f"judged before the page had settled: {now.what_keeps_it_busy()}")
    elif now.unanswered:
        limits.append(f"not answered yet: {_several([f'{one.method} {one.url}' for one in now.unanswered])}")
    if expired:
        limits.append("it is gone again, by itself as far as was seen")
    limits.extend(scheduled)
    but = f" ({'; '.join(limits)})" if limits else ""
    return _sentence(f"Held at grade {grade.name.lower()}: {shown}{but}")


def _how_it_ended(one: Request) -> str:
    if one.answer.get("bodyBroken"):
        return ", whose body broke off"
    return ", which was redirected to a page" if one.answer.get("redirected") else ""


def _claim(outcome: Outcome) -> str:
    expected = outcome.expected
    if isinstance(expected, list):
        return _several([str(part) for part in expected], " and ")
    return brief(str(expected)) if expected is not None else outcome.assertion


def _fact(  # noqa: C901, PLR0911 -- one arm per shape of evidence
    evidence: Mapping[str, object],
) -> str:
    if "watchedMs" in evidence:
        return f"{evidence.get('held')}, watched for {evidence['watchedMs']} ms"
    if "method" in evidence:
        status = evidence.get("status")
        return f"{evidence['method']} {evidence.get('url')} {status if status is not None else ''}".rstrip()
    if "route" in evidence:
        return f"the page is at {evidence['route']}"
    if "path" in evidence:
        return f"{evidence['path']} is {brief(literal(evidence.get('value')), 80)}"
    if "text" in evidence:
        gone = ", shown and gone by itself" if evidence.get("gone") else ""
        return f"text {quoted(str(evidence['text']), TEXT_CHARS)}{gone}"
    if "same" in evidence:
        return str(evidence["same"])
    if "animation" in evidence:
        return f"animation {evidence['animation']}"
    if "level" in evidence:
        return f"console {evidence['level']}: {evidence.get('message')}"
    if "quietMs" in evidence:
        return f"quiet for {evidence['quietMs']} ms"
    if "role" in evidence:
        return f"{evidence['role']} {quoted(str(evidence.get('name', '')), NAME_CHARS)}"
    if "data" in evidence:
        return f"signal {evidence.get('name')!r}"
    happened = next((kind for kind in _HAPPENINGS if kind in evidence), None)
    return f"{happened} {evidence[happened]}" if happened else brief(literal(evidence), 80)


def _clash(finding: Finding) -> str:
    return f"{finding.claim}, but {finding.counter}"


def _several(parts: Sequence[str], joint: str = ", ", limit: int = 3) -> str:
    distinct = list(dict.fromkeys(parts))
    more = f" and {len(distinct) - limit} more" if len(distinct) > limit else ""
    return joint.join(distinct[:limit]) + more


def _sentence(text: str) -> str:
    cut = brief(text, 500)
    return cut if cut.endswith((".", "…", "?", "!")) else cut + "."
