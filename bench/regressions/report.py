"""
The table by category, and whether the targets of issue #8 are met.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from bench.regressions.builds import Lines
from bench.regressions.entries import Journey, Variant
from bench.regressions.grading import Graded
from bench.regressions.side import Told

CAUGHT: Final = 0.97
PLACED: Final = 0.9
BYTES: Final = 1_200


class Case(NamedTuple):
    """
    One build: a clean one (no variant), a fault, a trap, or a claim flipped on the clean build.
    """

    journey: Journey
    variant: Variant | None
    flipped: bool
    graded: Graded
    beside: Told | None
    wanted_place: Lines | None


class Results(NamedTuple):
    """
    All cases of a run.
    """

    cases: Sequence[Case]

    def clean(self) -> Mapping[str, Case]:
        """The clean build of each journey."""
        return {case.journey.id: case for case in self.cases if case.variant is None and not case.flipped}

    def faults(self) -> Sequence[Case]:
        """Builds with a fault."""
        return [case for case in self.cases if case.variant is not None and not case.variant.is_trap]

    def traps(self) -> Sequence[Case]:
        """Builds that only look wrong."""
        return [case for case in self.cases if case.variant is not None and case.variant.is_trap]

    def mutants(self) -> Sequence[Case]:
        """Clean builds with the claim flipped."""
        return [case for case in self.cases if case.flipped]

    def is_caught(self, case: Case) -> bool:
        """Whether the clean run was ``yes`` and the broken one was not."""
        clean = self.clean().get(case.journey.id)
        return (
            clean is not None and clean.graded.verified == "yes" and case.graded.verified in {"no", "unknown"}
        )

    def false_greens(self) -> Sequence[Case]:
        """``yes`` on a broken build, or to a claim that was flipped."""
        return [case for case in [*self.faults(), *self.mutants()] if case.graded.verified == "yes"]

    def false_alarms(self) -> Sequence[Case]:
        """Anything but ``yes`` on a clean build or a trap."""
        return [case for case in [*self.clean().values(), *self.traps()] if case.graded.verified != "yes"]

    def is_placed(self, case: Case) -> bool:
        """Whether a place that the answer names is where the fault is to be mended."""
        wanted = case.wanted_place
        return wanted is not None and any(wanted.has(place) for place in case.graded.places)


def lines(results: Results) -> Iterator[str]:
    """
    What came out, for a person.
    """
    faults = results.faults()
    heads = f"{'faults':>6} {'caught':>7} {'false green':>12} {'place right':>12} {'playwright':>11}"
    yield f"{'category':<16} {heads}"
    for category in dict.fromkeys(case.variant.category for case in faults if case.variant):
        of = [case for case in faults if case.variant and case.variant.category == category]
        yield _row(category, of, results)
    yield _row("all", faults, results)
    traps, mutants, clean = results.traps(), results.mutants(), list(results.clean().values())
    alarms = results.false_alarms()
    yield ""
    sound = f"{len(clean)} clean builds and {len(traps)} traps"
    yield f"{sound}: {len(alarms)} false alarms; Playwright: {_beside_alarms([*clean, *traps])}"
    yield f"{len(mutants)} flipped claims: {sum(case.graded.verified == 'yes' for case in mutants)} said yes"
    yield from _costs(clean)
    for title, cases in (("false green", results.false_greens()), ("false alarm", alarms)):
        yield from (f"{title}: {_told(case)}" for case in cases)
    yield from (f"not caught: {_told(case)}" for case in faults if not results.is_caught(case))
    yield from (
        f"place: {_name(case)}: named {list(case.graded.places)}, wanted {case.wanted_place}"
        for case in faults
        if results.is_caught(case) and not results.is_placed(case)
    )


def missed(results: Results) -> Sequence[str]:
    """
    The targets that are not met.
    """
    faults = results.faults()
    caught = [case for case in faults if results.is_caught(case)]
    placed = [case for case in caught if results.is_placed(case)]
    clean = list(results.clean().values())
    told = []
    if faults and len(caught) < CAUGHT * len(faults):
        told.append(f"caught {len(caught)} of {len(faults)}, wanted {CAUGHT:.0%}")
    if results.false_greens():
        told.append(f"{len(results.false_greens())} false greens, wanted 0")
    if results.false_alarms():
        told.append(f"{len(results.false_alarms())} false alarms, wanted 0")
    if caught and len(placed) < PLACED * len(caught):
        told.append(f"place right on {len(placed)} of {len(caught)} caught, wanted {PLACED:.0%}")
    timed = [case for case in clean if case.beside is not None and case.beside.passed]
    if timed:
        ours = statistics.median(case.graded.seconds for case in timed)
        theirs = statistics.median(case.beside.seconds for case in timed if case.beside)
        if ours > theirs:
            told.append(
                f"p50 of a verdict {ours * 1e3:.0f} ms, of the Playwright script {theirs * 1e3:.0f} ms"
            )
    large = [case for case in clean if case.graded.verified == "yes" and case.graded.bytes > BYTES]
    if large:
        most = max(case.graded.bytes for case in large)
        told.append(f"{len(large)} passing verdicts of more than {BYTES} bytes, the largest {most}")
    return told


def _row(name: str, cases: Sequence[Case], results: Results) -> str:
    caught = [case for case in cases if results.is_caught(case)]
    placed = sum(results.is_placed(case) for case in caught)
    green = sum(case.graded.verified == "yes" for case in cases)
    told = [case.beside for case in cases if case.beside is not None]
    beside = f"{sum(not one.passed for one in told)} of {len(told)}" if told else "-"
    return f"{name:<16} {len(cases):>6} {len(caught):>7} {green:>12} {placed:>12} {beside:>11}"


def _costs(clean: Sequence[Case]) -> Iterator[str]:
    passed = [case for case in clean if case.graded.verified == "yes"]
    if not passed:
        return
    sizes = sorted(case.graded.bytes for case in passed)
    yield f"bytes of a passing verdict: p50 {statistics.median(sizes):.0f}, most {sizes[-1]}"
    ours = statistics.median(case.graded.seconds for case in passed) * 1e3
    told = [case.beside.seconds for case in passed if case.beside is not None and case.beside.passed]
    theirs = f"; the Playwright script {statistics.median(told) * 1e3:.0f} ms" if told else ""
    yield f"time of a passing verdict, act included: p50 {ours:.0f} ms{theirs}"
    watched = statistics.median(case.graded.watched_seconds for case in passed) * 1e3
    around = statistics.median(case.graded.seconds - case.graded.watched_seconds for case in passed) * 1e3
    early = sum("nothing was left to come" in case.graded.because for case in passed)
    yield f"of it watched: p50 {watched:.0f} ms; readings, judging and keeping: p50 {around:.0f} ms"
    yield f"watched until nothing was left to come: {early} of {len(passed)}, the others for their full time"


def _beside_alarms(cases: Sequence[Case]) -> str:
    told = [case.beside for case in cases if case.beside is not None]
    return f"{sum(not one.passed for one in told)} of {len(told)}" if told else "not run"


def _name(case: Case) -> str:
    return case.variant.id if case.variant else f"{case.journey.id}{' flipped' if case.flipped else ' clean'}"


def _told(case: Case) -> str:
    return f"{_name(case)}: {case.graded.verified} ({case.graded.reason}) {case.graded.because[:200]}"
