"""
Planted faults, traps and flipped claims, graded on the daemon's own ``verified``, beside a Playwright script.

    python bench/regressions/run.py                      # everything
    python bench/regressions/run.py --app plain --only faults --category money
    python bench/regressions/run.py --tenth --jobs 3     # a tenth, with something of each category
    python bench/regressions/run.py --root examples/servers --alone    # what only the server can tell
    python bench/regressions/run.py --id plain-cart-add-twice --keep

The code of the run is 1 when a target of issue #8 is missed; with ``--tenth`` only a false green or a false
alarm counts. Rules of the game: README.md.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import queue
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))
SERVERS = ROOT / "examples" / "servers"

from bench.regressions.builds import build, place_of  # noqa: E402 - the path is set above
from bench.regressions.choice import Planned, everything, named, tenth  # noqa: E402 - as above
from bench.regressions.entries import HERE, load, together  # noqa: E402 - as above
from bench.regressions.grading import grade  # noqa: E402 - as above
from bench.regressions.known import is_wrong  # noqa: E402 - as above
from bench.regressions.report import Case, Results, lines, missed  # noqa: E402 - as above
from bench.regressions.serving import serving  # noqa: E402 - as above
from bench.regressions.side import Playwright  # noqa: E402 - as above
from bench.regressions.versions import version_lines  # noqa: E402 - as above
from examples.journeys.children import start_daemon  # noqa: E402 - as above
from reticle.client import Client, connect  # noqa: E402 - as above


def judge(
    agent: Client,
    beside: Playwright | None,
    planned: Planned,
    folder: Path,
    environment: Mapping[str, str],
) -> Case:
    """
    Build, serve, walk, judge; then the same build with the Playwright script.
    """
    variant = planned.variant
    build(planned.journey.folder, variant.changes if variant else (), folder, planned.name)
    wanted = place_of(variant, folder) if variant is not None and not variant.is_trap else None
    with serving(folder, environment) as url:
        graded = grade(agent, planned.journey, url, flipped=planned.flipped)
    told = None
    if beside is not None and not planned.flipped:
        with serving(folder, environment) as url:  # anew, so that neither finds what the other left
            told = beside.run(planned.journey, url)
    return Case(planned.journey, variant, planned.flipped, graded, told, wanted)


def run(
    planned: Sequence[Planned],
    *,
    alone: bool = True,
    jobs: int = 1,
    tell: Callable[[Planned, Case, Client], None] | None = None,
) -> list[Case]:
    """
    Judge every build with one daemon, ``jobs`` of them at a time, each on pages of its own; in their order.

    Beside each other they take each other's time: what comes out otherwise than it should is judged once more
    when nothing else runs, and that counts, but for a ``yes`` to what is broken.
    """
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        daemon = start_daemon(folder / "daemon")
        stack.callback(daemon.child.stop)
        # An app whose server carries the probe tells this daemon what it does.
        probed = {"RETICLE_PROBE": "1", "RETICLE_RUNTIME_DIR": str(daemon.runtime_dir)}
        free: queue.SimpleQueue[tuple[Client, Playwright | None]] = queue.SimpleQueue()
        for _ in range(jobs):
            agent = stack.enter_context(connect(daemon.mcp_url, timeout_seconds=120))
            agent.initialize("bench-regressions", "1")
            free.put((agent, None if alone else stack.enter_context(Playwright())))

        def judged(number: int, one: Planned) -> Case:
            agent, beside = free.get()
            try:
                case = judge(agent, beside, one, folder / f"build{number}", probed)
                if tell is not None:
                    tell(one, case, agent)
                return case
            finally:
                free.put((agent, beside))

        with ThreadPoolExecutor(jobs) as pool:
            cases = list(pool.map(judged, range(len(planned)), planned))
        if jobs > 1:
            results = Results(cases)
            for number, (one, case) in enumerate(zip(planned, cases, strict=True)):
                is_green = case.graded.verified == "yes"
                if is_wrong(case, results) and not is_green:
                    cases[number] = judged(len(planned) + number, one)
        return cases


def main() -> int:
    """
    Run what was asked for and print the table.
    """
    parser = argparse.ArgumentParser(description="Planted faults, traps and flipped claims.")
    parser.add_argument("--app", action="append", default=[], help="only this app; may be repeated")
    parser.add_argument(
        "--root", type=Path, action="append", help="a folder with apps and cases; both if none"
    )
    parser.add_argument("--only", choices=["faults", "traps", "mutants"])
    parser.add_argument("--category")
    parser.add_argument("--id", action="append", default=[], help="only this fault, trap or journey")
    parser.add_argument("--tenth", action="store_true", help="a tenth, with something of each category")
    parser.add_argument("--jobs", type=int, default=1, help="so many builds at a time; times mean less then")
    parser.add_argument("--alone", action="store_true", help="without the Playwright script")
    parser.add_argument("--verbose", action="store_true", help="a line for each build")
    parser.add_argument("--explain", action="store_true", help="with --verbose: how each verdict came about")
    parser.add_argument("--json", metavar="FILE", help="write every case there")
    told = parser.parse_args()
    entries = together(load(told.app, root) for root in told.root or (HERE, SERVERS))
    if told.tenth:
        planned = tenth(entries)
    elif told.id or told.category or told.only:
        planned = named(entries, told.id, told.category, told.only)
    else:
        planned = everything(entries)
    results = Results(run(planned, alone=told.alone, jobs=told.jobs, tell=_telling(told)))
    print("\n".join(lines(results)))
    apps = {case.journey.app for case in results.cases}
    for root in told.root or (HERE, SERVERS):
        print("".join(f"{line}\n" for line in version_lines(root, sorted(apps))), end="")
    if told.json:
        Path(told.json).write_text(json.dumps([_plain(case) for case in results.cases], indent=1))
    short = missed(results)
    for target in short:
        print(f"missed: {target}")
    wrong = bool(results.false_greens() or results.false_alarms())
    return 1 if (wrong if told.tenth or told.id or told.category else short) else 0


def _telling(told: argparse.Namespace) -> Callable[[Planned, Case, Client], None] | None:
    """
    How each verdict is told as it comes, where that is asked for.
    """

    def tell(one: Planned, case: Case, agent: Client) -> None:
        graded = case.graded
        words = [f"{one.name}: {graded.verified} ({graded.reason}) {graded.because} {graded.places}"]
        if case.beside is not None:
            words.append(f"    playwright: {'passed' if case.beside.passed else case.beside.why}")
        if told.explain and graded.verdict_id:
            asked = {"verdict_id": graded.verdict_id, "action": "explain"}
            words.append(agent.call("reticle_verdict", asked).text)
        print("\n".join(words), flush=True)

    return tell if told.verbose else None


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
