"""
What the page bridge takes in, beside a Node server that parses and validates the same frames.

    python bench/bridge/run.py [--quick] [--rounds N] [--only PART] [--json FILE]

Both servers get the same prepared bytes over as many real WebSockets, in rounds that alternate between them;
only ratios within a round are compared. A figure counts when the server itself has recorded exactly what was
sent and the daemon has declared no loss. ``docs/development/performance.md`` says what is measured and why.
Parts: ``ingest``, ``memory``, ``hostile``; and ``journal`` alone: the daemon beside itself without a journal.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from frames import SCRIPT_BATCH, Talk
from hostile import ATTACKS, SOCKETS, harm
from pipeline import (
    FILLED,
    WITHOUT_JOURNAL,
    Faulty,
    Streams,
    Target,
    growth,
    ingest,
    our_kind,
    peer_kind,
    ready,
)
from report import Samples, spread
from servers import started

BESIDE = "beside "
FELT = ("page p50_ms", "page worst_ms", "agent p50_ms", "agent worst_ms", "daemon worst_cpu_ms")
PARTS = ("ingest", "memory", "hostile", "journal")

TALKS: Mapping[str, Talk] = {
    "200 B, one per frame": Talk(pages=24, events=10_000, size=200, batch=None),
    "200 B, one per frame, published": Talk(pages=24, events=10_000, size=200, batch=None, published=True),
    "200 B, batches of 20": Talk(pages=24, events=10_000, size=200, batch=20),
    "200 B, as our script batches": Talk(pages=48, events=10_000, size=200, batch=SCRIPT_BATCH),
    "4 KB, one per frame": Talk(pages=8, events=5_000, size=4_096, batch=None),
    "4 KB, as our script batches": Talk(pages=8, events=5_000, size=4_096, batch=SCRIPT_BATCH),
    "100 pages, 200 B, one per frame": Talk(pages=100, events=2_000, size=200, batch=None),
    "100 pages, 200 B, as our script batches": Talk(pages=100, events=5_000, size=200, batch=SCRIPT_BATCH),
}
WANTED: Mapping[str, float] = {
    "200 B, one per frame": 0.5,
    "200 B, as our script batches": 1.0,
    "4 KB, one per frame": 1.5,
    "4 KB, as our script batches": 1.5,
    "100 pages, 200 B, one per frame": 0.5,
    "100 pages, 200 B, as our script batches": 1.0,
}
"""Events per second of ours divided by the peer's, at least (issue 6)."""

LONG: Mapping[str, Talk] = {
    "200 B, 4 pages": Talk(pages=4, events=20_000, size=200, batch=SCRIPT_BATCH, repeat=30, rate=12_000),
    "4 KB, 4 pages": Talk(pages=4, events=5_000, size=4_096, batch=SCRIPT_BATCH, repeat=30, rate=5_000),
}
MOST_GROWTH = 0.05
"""How much memory may grow between the first full buffers and the end of a long run, as a share."""


def compare(targets: Sequence[Target], streams: Streams, samples: Samples, rounds: int, shrink: int) -> None:
    """
    Every talk with both servers, round by round; the first round is not counted.
    """
    for turn in range(rounds + 1):
        for words, talk in TALKS.items():
            less = Talk(**{**talk.__dict__, "events": talk.events // shrink})
            for target in targets:
                found = ingest(target, less, streams)
                for figure, value in found.items():
                    if turn:
                        samples.add(f"{words}: {figure}", target.kind, value)
        progress(f"ingest, round {turn} of {rounds}")


def lasting(ours: Target, streams: Streams, samples: Samples, shrink: int) -> None:
    """
    Memory over long runs below the rate at which a flood is sampled.
    """
    for words, talk in LONG.items():
        less = Talk(**{**talk.__dict__, "repeat": max(talk.repeat // shrink, FILLED + 1)})
        full, end, read = growth(ours, less, streams)
        samples.add(f"memory, {words}: rss_mb with full buffers", ours.kind, full)
        samples.add(f"memory, {words}: rss_mb at the end", ours.kind, end)
        samples.add(f"memory, {words}: rss_mb with all of it read", ours.kind, read)
        samples.add(f"memory, {words}: growth", ours.kind, end / full - 1)
        progress(f"memory, {words}")


def hostility(ours: Target, samples: Samples, seconds: float) -> None:
    """
    How long another page's ping and an agent's call take while a page misbehaves.
    """
    for words in ("nobody", *ATTACKS, *SOCKETS):
        for figure, value in harm(ours, words, seconds).items():
            samples.add(f"{BESIDE}{words}: {figure}", ours.kind, value)
        progress(f"beside {words}")


def print_tables(samples: Samples) -> None:
    """
    What is wanted first, then what others felt, then every other row.
    """
    compared = [words for words in WANTED if f"{words}: per_second" in samples.rows]
    if compared:
        print("\n| ingest, ours / ws + zod | events/s | wanted | CPU per event | met |")
        print("|---|---|---|---|---|")
    for words in compared:
        rates, cpu = samples.ratio(f"{words}: per_second"), samples.ratio(f"{words}: cpu_us")
        met = "yes" if statistics.median(rates) >= WANTED[words] else "no"
        print(f"| {words} | {spread(rates)} n={len(rates)} | ≥ {WANTED[words]:g} | {spread(cpu)} | {met} |")
    grown = [row for row in samples.rows if row.endswith(": growth")]
    if grown:
        print("\n| growth over a long run | share | wanted | met |")
        print("|---|---|---|---|")
    for row in grown:
        [share] = samples.rows[row]["reticle"]
        met = "yes" if share <= MOST_GROWTH else "no"
        print(f"| {row.removesuffix(': growth')} | {share:.3f} | ≤ {MOST_GROWTH:g} | {met} |")
    beside = [row for row in samples.rows if row.startswith(BESIDE)]
    if beside:
        print(f"\n| ms beside | {' | '.join(FELT)} |")
        print(f"|---|{'---|' * len(FELT)}")
    for words in dict.fromkeys(row.removeprefix(BESIDE).partition(": ")[0] for row in beside):
        cells = [f"{samples.rows[f'{BESIDE}{words}: {felt}']['reticle'][0]:,.1f}" for felt in FELT]
        print(f"| {words} | {' | '.join(cells)} |")
    names = list(dict.fromkeys(name for found in samples.rows.values() for name in found))
    print(f"\n| measured | {' | '.join(names)} |")
    print(f"|---|{'---|' * len(names)}")
    for row, found in samples.rows.items():
        if row not in beside:
            cells = [f"{statistics.median(found[name]):,.4g}" if name in found else "" for name in names]
            print(f"| {row} | {' | '.join(cells)} |")


def print_journal(samples: Samples) -> None:
    """
    What the journal adds, round by round: the processor time of an event in the loop's thread and in all.
    """
    print("\n| µs an event by the journal | loop's thread | whole process | on | off | events/s, on / off |")
    print("|---|---|---|---|---|---|")
    for words in TALKS:
        cells = []
        for figure in ("reactor_cpu_us", "cpu_us"):
            found = samples.rows[f"{words}: {figure}"]
            pairs = zip(found["reticle"], found[WITHOUT_JOURNAL], strict=True)
            cells.append(spread([on - off for on, off in pairs]))
        loop = samples.rows[f"{words}: reactor_cpu_us"]
        cells += [f"{statistics.median(loop[name]):.2f}" for name in ("reticle", WITHOUT_JOURNAL)]
        rate = samples.rows[f"{words}: per_second"]
        pairs = zip(rate["reticle"], rate[WITHOUT_JOURNAL], strict=True)
        cells.append(spread([on / off for on, off in pairs]))
        print(f"| {words} | {' | '.join(cells)} |")


def progress(words: str) -> None:
    """
    Tell whoever waits.
    """
    print(f"{time.strftime('%H:%M:%S')} {words}", file=sys.stderr, flush=True)


def journal_alone(rounds: int, shrink: int) -> int:
    """
    Two of our daemons in alternating rounds.
    """
    samples = Samples()
    with contextlib.ExitStack() as stack:
        streams = stack.enter_context(contextlib.closing(Streams()))
        targets = [
            stack.enter_context(ready(kind, stack.enter_context(started(kind))))
            for kind in (our_kind(), our_kind(journal=False))
        ]
        try:
            compare(targets, streams, samples, rounds, shrink)
        except Faulty as fault:
            progress(f"nothing counts: {fault}")
            return 1
    print_journal(samples)
    return 0


def main() -> int:
    """
    Measure and print.
    """
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="one short round: that everything runs")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", choices=PARTS, action="append")
    parser.add_argument("--json", type=Path, help="also write every sample there")
    options = parser.parse_args()
    if options.only == ["journal"]:
        return journal_alone(options.rounds, 10 if options.quick else 1)
    rounds, shrink, seconds = (1, 10, 1.0) if options.quick else (options.rounds, 1, 5.0)
    samples = Samples()
    with contextlib.ExitStack() as stack:
        streams = stack.enter_context(contextlib.closing(Streams()))
        targets = [
            stack.enter_context(ready(kind, stack.enter_context(started(kind))))
            for kind in (our_kind(), peer_kind())
        ]
        steps: Mapping[str, Callable[[], None]] = {
            "ingest": lambda: compare(targets, streams, samples, rounds, shrink),
            "memory": lambda: lasting(targets[0], streams, samples, shrink),
            "hostile": lambda: hostility(targets[0], samples, seconds),
        }
        try:
            for part in options.only or steps:
                steps[part]()
        except Faulty as fault:
            progress(f"nothing counts: {fault}")
            return 1
    print_tables(samples)
    if options.json is not None:
        options.json.write_text(json.dumps(samples.plain(), indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
