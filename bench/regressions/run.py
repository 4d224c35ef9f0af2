"""
Planted faults, traps and flipped claims, graded on the daemon's own ``verified``, beside a Playwright script.

    python bench/regressions/run.py                      # everything
    python bench/regressions/run.py --app plain --only faults --category money
    python bench/regressions/run.py --tenth              # every tenth entry of each category, for make test
    python bench/regressions/run.py --id plain-cart-add-twice --keep

The code of the run is 1 when a target of issue #8 is missed; with ``--tenth`` only a false green or a false
alarm counts. Rules of the game: README.md.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from bench.regressions.builds import build, place_of  # noqa: E402 - the path is set above
from bench.regressions.entries import Entries, Journey, Variant, load  # noqa: E402 - as above
from bench.regressions.grading import grade  # noqa: E402 - as above
from bench.regressions.report import Case, Results, lines, missed  # noqa: E402 - as above
from bench.regressions.serving import serving  # noqa: E402 - as above
from bench.regressions.side import Playwright  # noqa: E402 - as above
from examples.journeys.children import start_daemon  # noqa: E402 - as above
from reticle.client import Client, connect  # noqa: E402 - as above


class Planned(NamedTuple):
    """
    One build to be judged.
    """

    journey: Journey
    variant: Variant | None = None
    flipped: bool = False

    @property
    def name(self) -> str:
        """What it is called in messages."""
        if self.variant is not None:
            return self.variant.id
        return f"{self.journey.id}{'.flipped' if self.flipped else '.clean'}"


def plan(entries: Entries, told: argparse.Namespace) -> list[Planned]:
    """
    What is to be run, the clean builds first.
    """
    faults = [one for one in entries.faults if told.category in {None, one.category}]
    traps = list(entries.traps)
    if told.id:
        faults = [one for one in faults if one.id in told.id]
        traps = [one for one in traps if one.id in told.id]
    if told.tenth:
        faults, traps = _tenth(faults), traps[::10]
    kinds = {"faults", "traps", "mutants"} if told.only is None else {told.only}
    variants = [*(faults if "faults" in kinds else ()), *(traps if "traps" in kinds else ())]
    needed = {one.journey for one in variants}
    everything = not (told.tenth or told.id or told.category)
    journeys = [
        one for one in entries.journeys.values() if everything or one.id in needed or one.id in told.id
    ]
    planned = [Planned(journey) for journey in journeys]
    planned += [Planned(entries.journeys[one.journey], one) for one in variants]
    if "mutants" in kinds:
        planned += [Planned(journey, flipped=True) for journey in journeys]
    return planned


def _tenth(faults: Sequence[Variant]) -> list[Variant]:
    """
    Every tenth of each category, and at least one of it.
    """
    by_category: dict[str, list[Variant]] = {}
    for one in faults:
        by_category.setdefault(one.category, []).append(one)
    return [one for of in by_category.values() for one in of[::10]]


def judge(agent: Client, beside: Playwright | None, planned: Planned, folder: Path) -> Case:
    """
    Build, serve, walk, judge; then the same build with the Playwright script.
    """
    variant = planned.variant
    build(planned.journey.app, variant.changes if variant else (), folder, planned.name)
    wanted = place_of(variant, folder) if variant is not None and not variant.is_trap else None
    with serving(folder) as url:
        graded = grade(agent, planned.journey, url, flipped=planned.flipped)
    told = None
    if beside is not None and not planned.flipped:
        with serving(folder) as url:  # anew, so that neither finds what the other left
            told = beside.run(planned.journey, url)
    return Case(planned.journey, variant, planned.flipped, graded, told, wanted)


def run(planned: Sequence[Planned], told: argparse.Namespace) -> Iterator[Case]:
    """
    Judge every build, one after the other.
    """
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        daemon = start_daemon(folder / "daemon")
        stack.callback(daemon.child.stop)
        agent = stack.enter_context(connect(daemon.mcp_url, timeout_seconds=120))
        agent.initialize("bench-regressions", "1")
        beside = None if told.alone else stack.enter_context(Playwright())
        for number, one in enumerate(planned):
            case = judge(agent, beside, one, folder / f"build{number}")
            if told.verbose:
                graded = case.graded
                print(
                    f"{one.name}: {graded.verified} ({graded.reason}) {graded.because} {graded.places}",
                    flush=True,
                )
                if case.beside is not None:
                    print(
                        f"    playwright: {'passed' if case.beside.passed else case.beside.why}", flush=True
                    )
                if told.explain and graded.verdict_id:
                    said = agent.call(
                        "reticle_verdict", {"verdict_id": graded.verdict_id, "action": "explain"}
                    )
                    print(said.text, flush=True)
            yield case


def main() -> int:
    """
    Run what was asked for and print the table.
    """
    parser = argparse.ArgumentParser(description="Planted faults, traps and flipped claims.")
    parser.add_argument("--app", action="append", default=[], help="only this app; may be repeated")
    parser.add_argument("--only", choices=["faults", "traps", "mutants"])
    parser.add_argument("--category")
    parser.add_argument("--id", action="append", default=[], help="only this fault, trap or journey")
    parser.add_argument("--tenth", action="store_true", help="every tenth entry of each category")
    parser.add_argument("--alone", action="store_true", help="without the Playwright script")
    parser.add_argument("--verbose", action="store_true", help="a line for each build")
    parser.add_argument("--explain", action="store_true", help="with --verbose: how each verdict came about")
    parser.add_argument("--json", metavar="FILE", help="write every case there")
    told = parser.parse_args()
    results = Results(list(run(plan(load(told.app), told), told)))
    print("\n".join(lines(results)))
    if told.json:
        Path(told.json).write_text(json.dumps([_plain(case) for case in results.cases], indent=1))
    short = missed(results)
    for target in short:
        print(f"missed: {target}")
    wrong = bool(results.false_greens() or results.false_alarms())
    return 1 if (wrong if told.tenth or told.id or told.category else short) else 0


def _plain(case: Case) -> dict[str, object]:
    return {
        "journey": case.journey.id,
        "variant": case.variant.id if case.variant else None,
        "flipped": case.flipped,
        **case.graded._asdict(),
        "playwright": case.beside._asdict() if case.beside else None,
    }


if __name__ == "__main__":
    sys.exit(main())
