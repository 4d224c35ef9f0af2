"""
What the page script costs a page: the same apps with it and without, in one Chromium, in turn.

    python bench/page_cost/run.py [--quick] [--pairs 12] [--frames 400] [--only ROW] [--json FILE]

The script is the one that the daemon serves, connected to a daemon that takes its events. Durations are the
browser's own (``Performance.getMetrics`` by the processor's clock), each for a fresh context; only the two of
a pair are compared. The code is 1 when a target of issue 7 is missed by the median of the pairs.
``docs/development/performance.md`` says how to read it.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from chromium import Chromium, Page
from site_pages import Site, bundle

from examples.journeys.children import Daemon, start_daemon
from reticle.client import Client, connect

MOST_SCRIPT = 1.05
MOST_HEAP_MIB = 8.0
MIB = 2**20
WARM_UP = 150
"""Frames before the measured ones: compilers learn, and a flood has begun."""

STRETCH = 80
"""
Frames that are measured together: more than a second, so that what the script does once in one is in each.
Of a page the least stretch counts, as what else a shared machine does can only add to it.
"""

READY = "window.driver && (window.app || document.title === 'empty')"

Measure = Callable[[Page], dict[str, float]]

DURATIONS = ("ScriptDuration", "TaskDuration", "LayoutDuration", "RecalcStyleDuration")


@dataclass
class Pairs:
    """
    Figures without the script and with it, pair by pair.
    """

    without: list[float] = field(default_factory=list)
    with_script: list[float] = field(default_factory=list)

    def add(self, figure: float, *, has_script: bool) -> None:
        """
        One figure.
        """
        (self.with_script if has_script else self.without).append(figure)

    @property
    def ratios(self) -> list[float]:
        """
        With the script by without, of each pair.
        """
        return [a / b for a, b in zip(self.with_script, self.without, strict=True) if b]

    @property
    def differences(self) -> list[float]:
        """
        With the script less without, of each pair.
        """
        return [a - b for a, b in zip(self.with_script, self.without, strict=True)]


def spread(figures: Sequence[float], digits: int = 3) -> str:
    """
    The median with the least and the most.
    """
    middle, least, most = statistics.median(figures), min(figures), max(figures)
    return f"{middle:.{digits}f} [{least:.{digits}f}..{most:.{digits}f}] n={len(figures)}"


class Bench:
    """
    What every row needs: browser, pages, an agent's connection to the daemon.
    """

    def __init__(self, browser: Chromium, site: Site, agent: Client, daemon: Daemon) -> None:
        self.browser, self.site, self.agent, self.daemon = browser, site, agent, daemon
        self.found: dict[str, dict[str, Pairs]] = {}
        self.missed: list[str] = []
        self._turn = True

    def pair(
        self, row: str, app: str, measure: Callable[[Page], dict[str, float]], *, asks: bool = False
    ) -> None:
        """
        Measure one page without the script and with it.
        """
        figures = self.found.setdefault(row, {})
        self._turn = not self._turn
        for has_script in (self._turn, not self._turn):
            with self.browser.page() as page:
                page.go(
                    self.site.url(app, has_script=has_script),
                    "window.driver && (window.app || document.title === 'empty')",
                )
                if has_script:
                    self._connected(asks=asks)
                for name, figure in measure(page).items():
                    figures.setdefault(name, Pairs()).add(figure, has_script=has_script)

    def _connected(self, *, asks: bool) -> None:
        deadline = time.monotonic() + 20
        while not (pages := self.agent.call("reticle_sessions").fields.get("sessions")):
            if time.monotonic() > deadline:
                raise RuntimeError("the page did not connect")
            time.sleep(0.05)
        if asks:
            told = {"sessionId": pages[0]["sessionId"], "mode": "status"}
            if not (result := self.agent.call("reticle_snapshot", told)).ok:
                raise RuntimeError(result.text)

    def hold(self, what: str, figure: float, most: float) -> None:
        """
        Note a target that is missed.
        """
        if figure > most:
            self.missed.append(f"{what}: {figure:.3f}, at most {most:g} wanted")


def changing(frames: int, warm_up: int = WARM_UP) -> Measure:
    """
    An app's work in so many frames: microseconds of each duration in a frame, and the heap afterwards.
    """

    def measure(page: Page) -> dict[str, float]:
        page.value(f"driver.frames({warm_up})")
        stretches: list[dict[str, float]] = []
        for _ in range(max(1, frames // STRETCH)):
            before = page.metrics()
            page.value(f"driver.frames({STRETCH})")
            after = page.metrics()
            stretches.append({name: (after[name] - before[name]) * 1e6 / STRETCH for name in DURATIONS})
        found = {name: min(stretch[name] for stretch in stretches) for name in DURATIONS}
        found["Layout and style"] = found.pop("LayoutDuration") + found.pop("RecalcStyleDuration")
        return {**found, "heap": page.heap_bytes() / MIB}

    return measure


def remounting(times: int) -> Measure:
    """
    10,000 rows that go and come so many times.
    """

    def measure(page: Page) -> dict[str, float]:
        page.value(f"driver.remounts({times})")
        return {"heap": page.heap_bytes() / MIB}

    return measure


def calling(page: Page) -> dict[str, float]:
    """
    Microseconds of a call of what the script stands around.
    """
    found: dict[str, float] = page.value("driver.calls()")
    return found


def requesting(count: int) -> Measure:
    """
    Microseconds of the page's thread for one fetch of a small answer that is read as JSON.
    """

    def measure(page: Page) -> dict[str, float]:
        page.value("driver.requests(100)")
        before = page.metrics()
        page.value(f"driver.requests({count})")
        after = page.metrics()
        return {"fetch, all of the thread": (after["TaskDuration"] - before["TaskDuration"]) * 1e6 / count}

    return measure


def starting(page: Page) -> dict[str, float]:
    """
    Milliseconds of the page's thread up to a loaded page without any app.
    """
    time.sleep(0.2)
    metrics = page.metrics()
    return {name: metrics[name] * 1e3 for name in ("ScriptDuration", "TaskDuration") if name in metrics}


def show_changing(bench: Bench, row: str, *, is_held: bool = True) -> None:
    """
    Print what changing costs, and hold it to the targets.
    """
    figures = bench.found[row]
    plain = statistics.median(figures["ScriptDuration"].without)
    print(f"\n{row}: {plain:.0f} µs of script in a frame without ours")
    for name in ("ScriptDuration", "TaskDuration", "Layout and style"):
        print(f"  {name:<20} with / without   {spread(figures[name].ratios)}")
    print(f"  {'heap, MiB':<20} with - without   {spread(figures['heap'].differences, 2)}")
    if is_held:
        bench.hold(f"{row}, ScriptDuration", statistics.median(figures["ScriptDuration"].ratios), MOST_SCRIPT)
        bench.hold(f"{row}, heap in MiB", statistics.median(figures["heap"].differences), MOST_HEAP_MIB)


def show_differences(bench: Bench, row: str, unit: str) -> None:
    """
    Print what the script adds.
    """
    print(f"\n{row}, {unit}")
    for name, pairs in bench.found[row].items():
        plain = statistics.median(pairs.without)
        print(f"  {name:<34} without {plain:8.2f}   added {spread(pairs.differences, 2)}")


UNITS = {"idle": "µs in a frame; MiB", "calls": "µs a call", "requests": "µs", "start": "ms"}

ROWS = ("plain", "react", "asked", "remount", "idle", "calls", "requests", "start")


@dataclass(frozen=True)
class Size:
    """
    How much is measured: pairs of the rows with a target and of the others, frames, and so on.
    """

    pairs: int
    few: int
    frames: int
    warm_up: int = WARM_UP
    requests: int = 2_000
    remounts: int = 50


def measure(bench: Bench, wanted: Sequence[str], size: Size) -> None:
    """
    Do all pairs of the rows that are wanted, in turn.
    """
    whole, half = changing(size.frames, size.warm_up), changing(size.frames // 2, size.warm_up)
    many: dict[str, tuple[str, Measure]] = {"plain": ("board", whole), "react": ("react", half)}
    few: dict[str, tuple[str, Measure]] = {
        "asked": ("board", half),
        "remount": ("board", remounting(size.remounts)),
        "idle": ("idle", half),
        "calls": ("empty", calling),
        "requests": ("empty", requesting(size.requests)),
        "start": ("empty", starting),
    }
    for number in range(size.pairs):
        print(f"pair {number + 1} of {size.pairs}", file=sys.stderr, flush=True)
        for row, (app, measured) in {**many, **(few if number < size.few else {})}.items():
            if row in wanted:
                bench.pair(row, app, measured, asks=row == "asked")


def show(bench: Bench) -> None:
    """
    Print what was found.
    """
    with urllib.request.urlopen(f"{bench.daemon.url}/sdk.js", timeout=20) as answer:
        print(f"the script has {len(answer.read())} bytes")
    for row in bench.found:
        if row in ("plain", "react", "asked"):
            show_changing(bench, row, is_held=row != "asked")
        elif row == "remount":
            differences = bench.found[row]["heap"].differences
            added = spread(differences, 2)
            print(f"\nremount: heap when 10,000 rows have come again and again, MiB added {added}")
            bench.hold("remount, heap in MiB", statistics.median(differences), MOST_HEAP_MIB)
    for row, unit in (
        ("idle", "µs in a frame, MiB"),
        ("calls", "µs a call"),
        ("requests", "µs"),
        ("start", "ms"),
    ):
        if row in bench.found:
            show_differences(bench, row, unit)
    print()
    for missed in bench.missed:
        print(f"MISSED {missed}")


def main() -> int:
    """
    Measure and print.
    """
    parser = argparse.ArgumentParser(description="What the page script costs a page.")
    parser.add_argument("--pairs", type=int, default=12)
    parser.add_argument("--frames", type=int, default=400)
    parser.add_argument("--quick", action="store_true", help="one short pair: that everything runs")
    parser.add_argument("--only", choices=ROWS, action="append")
    parser.add_argument("--json", type=Path, help="every figure, for a file")
    told = parser.parse_args()
    size = Size(told.pairs, max(1, told.pairs // 4), told.frames)
    if told.quick:
        size = Size(1, 1, 80, warm_up=60, requests=100, remounts=2)
    wanted = list(told.only or ROWS)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        react = bundle(folder)
        if react is None and "react" in wanted:
            print("left out: react (make frameworks installs it)", file=sys.stderr)
            wanted.remove("react")
        daemon = start_daemon(folder / "daemon")
        browser = Chromium(folder)
        try:
            with connect(daemon.mcp_url, timeout_seconds=60) as agent:
                agent.initialize("bench", "1")
                bench = Bench(browser, Site(f"{daemon.url}/sdk.js", react), agent, daemon)
                measure(bench, wanted, size)
                show(bench)
        finally:
            browser.stop()
            daemon.child.stop()
    if told.json:
        found = {
            row: {name: vars(each) for name, each in named.items()} for row, named in bench.found.items()
        }
        told.json.write_text(json.dumps(found))
    # one short pair decides nothing: it shows that everything runs
    return 1 if bench.missed and not told.quick else 0


if __name__ == "__main__":
    sys.exit(main())
