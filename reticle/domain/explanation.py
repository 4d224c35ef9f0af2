"""
How a verdict came about, step by step: claim, window, parts, findings, rungs (``reticle explain``, issue #8).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import attrs

from reticle.domain.attribution import Initiator, in_words, initiator_of, tells_causes
from reticle.domain.facts import brief, one_line
from reticle.domain.ladder import climbed
from reticle.domain.predicate import parse
from reticle.domain.server_words import served_lines
from reticle.model.page import PageEvent
from reticle.model.provenance import Provenance
from reticle.model.verdict import Decision, Finding, Held, InvariantOutcome, Outcome, Verdict
from reticle.model.window import Reading, Window

_LINE: Final = 240
_TYPES: Final = 12
_EVIDENCE: Final = 10
_TIED_WORDS: Final = {
    "action": "followed to the action",
    "time": "attributed by time",
    "other": "followed to something else",
}
_SETTLED_WORDS: Final = {True: "settled", False: "not settled"}


@attrs.frozen
class Explanation:
    """
    The steps of one verdict, each a heading with its lines, in the order in which they follow.
    """

    steps: Sequence[tuple[str, Sequence[str]]]

    @property
    def text(self) -> str:
        """
        All of it for a person.
        """
        return "\n\n".join(
            "\n".join([title, *(f"  {line}" for line in lines)]) for title, lines in self.steps
        )


def explain(verdict: Verdict, window: Window | None) -> Explanation:
    """
    What led to the verdict. Without its window the rungs cannot be climbed again, and it says so.

    Raises:
        Refusal: ``bad_predicate`` when the claim is one that this version does not read any more.
    """
    decision = verdict.decision
    steps: list[tuple[str, Sequence[str]]] = [("what was claimed", list(_claim(verdict)))]
    if window is not None:
        steps.append(("what was recorded", list(_window(window))))
    steps.append(("how each part came out", list(_parts(decision.outcome, _doers(window)))))
    steps.append(("what disagreed", [_finding(finding) for finding in decision.findings] or ["nothing"]))
    if decision.invariants:
        steps.append(("what must always hold", [_invariant(one) for one in decision.invariants]))
    steps.append(("how far it can be relied on", list(_honesty(decision))))
    if window is None:
        steps.append(("the ladder", ["the window is not kept any more, so it cannot be climbed again"]))
    else:
        steps.append(("the ladder", list(_ladder(verdict, window))))
    said = f"{decision.verified.value} ({decision.reason.value}): {decision.because}"
    places = [f"source: {place.where} ({place.why})" for place in decision.places]
    steps.append(("the verdict", [said, *places]))
    return Explanation(tuple((title, tuple(_printed(line) for line in lines)) for title, lines in steps))


def _printed(line: str) -> str:
    """
    One line, whatever a page put into it, at its depth.
    """
    deep = len(line) - len(line.lstrip(" "))
    return " " * deep + one_line(line)


def _claim(verdict: Verdict) -> Iterator[str]:
    yield _json(verdict.claim)
    if verdict.min_grade is not None:
        yield f"with evidence of grade {verdict.min_grade} or better"
    yield f"asked by {verdict.principal} with {verdict.tool} of page {verdict.page_id} at {verdict.url}"
    if verdict.attested is None:
        yield "the page dialled in by itself"
    else:
        yield f"the daemon opened the page at {verdict.attested.opened_url}"
    if verdict.provenance is not None:
        yield from _provenance(verdict.provenance)


def _provenance(provenance: Provenance) -> Iterator[str]:
    files = provenance.tree or provenance.tree_trouble
    edited = "" if provenance.tree == provenance.tree_before else ", and they changed meanwhile"
    yield f"files of {provenance.repository_id}: {files}{edited}"
    folders = [f"{process.folder} (pid {process.pid})" for process in provenance.serving.processes]
    yield f"served from: {', '.join([*folders, *provenance.projects]) or provenance.serving.trouble}"


def _window(window: Window) -> Iterator[str]:
    lasted = max(window.closed_t_ms - window.opened_t_ms, 0)
    yield f"{len(window.events)} events in {lasted} ms, cursors {window.since} to {window.until}"
    types = Counter(event.type for event in window.events).most_common()
    if types:
        told = [f"{count} {name}" for name, count in types[:_TYPES]]
        more = len(types) - _TYPES
        yield ", ".join([*told, *([f"{more} other kinds"] if more > 0 else [])])
    if window.action is not None:
        yield f"action: {window.action.action} {_json(window.action.target)}"
    for when, readings in (("before", window.before), ("after", window.after)):
        for reading in readings:
            yield f"asked {when}: {_reading(reading)}"
    for line in served_lines(window):
        yield brief(f"server: {line}", _LINE)
    for loss in window.losses:
        yield f"lost: {loss.dropped} of {loss.channel} ({loss.where}) after cursor {loss.since}"
    for kind, count in window.blind_spots.items():
        if count:
            yield f"could not watch: {count} {kind}"
    if window.connection_lost:
        yield "the page's connection ended"


def _reading(reading: Reading) -> str:
    answer = f"error: {reading.error}" if reading.answer is None else _json(reading.answer)
    return brief(f"{reading.question.kind} {_json(reading.question.fields)} → {answer}", _LINE)


def _doers(window: Window | None) -> Mapping[int, str]:
    """
    Event number → whose doing it is, in words; empty where the page tells no causes.
    """
    if window is None or window.action is None or not tells_causes(window):
        return {}
    return {event.seq: _doer(event, window) for event in window.events}


def _doer(event: PageEvent, window: Window) -> str:
    match initiator_of(event, window):
        case Initiator.ACTION:
            return "followed to the action"
        case Initiator.OTHER if event.cause is not None:
            return f"set going by {in_words(event.cause)}"
        case _:
            return "by time"


def _parts(outcome: Outcome, doers: Mapping[int, str], depth: int = 0) -> Iterator[str]:
    indent = "  " * depth
    why = f": {brief(outcome.failure, _LINE)}" if outcome.failure and outcome.held is not Held.YES else ""
    yield f"{indent}{outcome.held.value} {outcome.assertion}{why}"
    if outcome.children:
        for child in outcome.children:
            yield from _parts(child, doers, depth + 1)
        return
    for fact in outcome.evidence[:_EVIDENCE]:
        seq = fact.get("seq")
        doer = doers.get(seq) if isinstance(seq, int) else None
        yield f"{indent}  {brief(_json(fact), _LINE)}{f' ({doer})' if doer else ''}"
    if len(outcome.evidence) > _EVIDENCE:
        yield f"{indent}  and {len(outcome.evidence) - _EVIDENCE} more"


def _finding(finding: Finding) -> str:
    where = f" at {finding.source}" if finding.source else ""
    said = f"{finding.kind} ({finding.tier.value}): {finding.claim}, but {finding.counter}{where}"
    return brief(said, _LINE)


def _invariant(one: InvariantOutcome) -> str:
    return f"{one.now.value} {one.name} (declared by the {one.declared}; before: {one.before.value})"


def _honesty(decision: Decision) -> Iterator[str]:
    honesty = decision.honesty
    tied = "" if honesty.attributed is None else f", {_TIED_WORDS[honesty.attributed]}"
    yield f"grade {honesty.grade.name.lower()}{tied}, {_SETTLED_WORDS[honesty.settled]}"
    yield from (f"not clean: {issue}" for issue in honesty.issues)
    yield from honesty.notes
    yield from (f"goes on by itself: {name}" for name in honesty.ambient)
    yield from (f"still scheduled: {count} {kind}" for kind, count in honesty.pending.items())


def _ladder(verdict: Verdict, window: Window) -> Iterator[str]:
    climb = climbed(parse(verdict.claim), window)
    for number, (rung, why) in enumerate(climb, 1):
        if why is None:
            yield f"{number}. not so: {rung.when}"
        else:
            yield f"{number}. {rung.when} → {rung.decides}"


def _json(value: Mapping[str, object]) -> str:
    shown = {name: each for name, each in value.items() if each is not None}
    return json.dumps(shown, ensure_ascii=False, default=str)
