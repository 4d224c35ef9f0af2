"""
Our speed beside that of the peers, in one interleaved run.

    python bench/mcp/run.py [--quick] [--rounds N] [--seconds S] [--only PART] [--json FILE]

Rounds alternate between the servers, so that what else the machine does meets all of them; only ratios within
a round are compared. ``docs/development/performance.md`` says how to read the table.
Parts: ``speed``, ``sessions``, ``start``, ``stdio``, ``list``.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import rows
from report import Samples, print_tables
from servers import FAULTS, Kind, Running, all_kinds, started

METHODS = ("ping", "tools/call")
CONCURRENCIES = (1, 32)
PARTS = ("speed", "sessions", "start", "stdio", "list")
MANY = 10_000


class Failed:
    """
    The rows that could not be measured: the rest of a long run is not lost with them. ``ours`` is whether a
    row of ours is among them.
    """

    def __init__(self) -> None:
        self.ours = False

    @contextlib.contextmanager
    def noted(self, kind: Kind, what: str) -> Iterator[None]:
        """
        Go on behind a row that fails.
        """
        try:
            yield
        except FAULTS as fault:
            self.ours |= kind.ours
            progress(f"failed: {what} of {kind.name} ({kind.carrier}): {fault}")


def speed(kinds: Sequence[Kind], samples: Samples, failed: Failed, rounds: int, seconds: float) -> None:
    """
    Requests per second and their latency, on both HTTP carriers.
    """
    with contextlib.ExitStack() as stack:
        running: dict[Kind, Running] = {}
        for kind in kinds:
            if kind.carrier == "stdio":
                continue
            with failed.noted(kind, "the start"):
                server = stack.enter_context(started(kind))
                rows.first_answer(server.port, kind)
                # Compilers that learn while they run have learned by then.
                rows.load(server, kind, method="tools/call", clients=32, seconds=4 * seconds)
                running[kind] = server
        for turn in range(rounds):
            for method in METHODS:
                for clients in CONCURRENCIES:
                    for kind, server in running.items():
                        row = f"{kind.carrier} {method}@{clients}"
                        with failed.noted(kind, row):
                            found = rows.load(server, kind, method=method, clients=clients, seconds=seconds)
                            for figure in ("per_second", "p50_us", "p99_us", "cpu_us"):
                                samples.add(f"{row} {figure}", kind, float(found[figure]))
            progress(f"round {turn + 1} of {rounds}")


def sessions(kinds: Sequence[Kind], samples: Samples, failed: Failed, rounds: int, *, quick: bool) -> None:
    """
    Memory of idle sessions, how many are held, and the farewell.
    """
    many = 200 if quick else 1000
    for turn in range(rounds):
        for kind in kinds:
            if kind.carrier == "stdio" or kind.for_speed_only:
                continue
            with failed.noted(kind, "idle sessions"):
                held = rows.sessions(kind, many)
                samples.add(f"{kind.carrier} session bytes", kind, held["bytes"])
                samples.add(f"{kind.carrier} sessions alive of {many}", kind, held["alive"])
                samples.add(f"{kind.carrier} session opens_per_second", kind, held["opens_per_second"])
            if kind.ours and kind.carrier == "sse":
                with failed.noted(kind, "the farewell"):
                    told = rows.farewell(kind, many)
                    samples.add(f"farewells delivered of {many}", kind, told["farewells"])
                    samples.add("farewell last_ms", kind, told["last_ms"])
                    samples.add("farewell ended_ms", kind, told["ended_ms"])
        progress(f"sessions, round {turn + 1} of {rounds}")
    if quick:
        return
    for kind in kinds:
        if kind.carrier == "sse" and (kind.ours or kind.name.startswith("ts")) and not kind.for_speed_only:
            with failed.noted(kind, f"{MANY} sessions"):
                held = rows.sessions(kind, MANY)
                samples.add(f"sse sessions alive of {MANY}", kind, held["alive"])
                samples.add(f"sse rss_mb with {MANY} sessions", kind, held["rss_mb"])
    progress(f"{MANY} sessions")


def start(kinds: Sequence[Kind], samples: Samples, failed: Failed, rounds: int) -> None:
    """
    Start and idle memory.
    """
    for turn in range(rounds):
        for kind in kinds:
            if kind.carrier == "stdio" or kind.for_speed_only:
                continue
            with failed.noted(kind, "the start"):
                found = rows.start(kind)
                samples.add(f"{kind.carrier} start_ms", kind, found["start_ms"])
                samples.add(f"{kind.carrier} idle_mb", kind, found["idle_mb"])
        progress(f"start, round {turn + 1} of {rounds}")


def stdio(kinds: Sequence[Kind], samples: Samples, failed: Failed, rounds: int) -> None:
    """
    The stdio servers' first answer; ours beside a running daemon.
    """
    daemon = next(kind for kind in kinds if kind.ours and kind.carrier == "sse")
    with started(daemon) as running:
        rows.first_answer(running.port, daemon)
        for _ in range(rounds):
            for kind in kinds:
                if kind.carrier == "stdio":
                    with failed.noted(kind, "the stdio start"):
                        samples.add("stdio start_ms", kind, rows.stdio_start(kind))
    progress("stdio")


def progress(words: str) -> None:
    """
    Tell whoever waits.
    """
    print(f"{time.strftime('%H:%M:%S')} {words}", file=sys.stderr, flush=True)


def main() -> int:
    """
    Measure and print.
    """
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="one short round: that everything runs")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="of each load")
    parser.add_argument("--only", choices=PARTS, action="append")
    parser.add_argument("--json", type=Path, help="also write every sample there")
    options = parser.parse_args()
    rounds, seconds = (1, 0.2) if options.quick else (options.rounds, options.seconds)
    parts = options.only or PARTS
    kinds = [kind for kind in all_kinds() if serves(kind)]
    samples, failed = Samples(), Failed()
    steps: Mapping[str, Callable[[], None]] = {
        "speed": lambda: speed(kinds, samples, failed, rounds, seconds),
        "sessions": lambda: sessions(kinds, samples, failed, min(rounds, 3), quick=options.quick),
        "start": lambda: start(kinds, samples, failed, rounds),
        "stdio": lambda: stdio(kinds, samples, failed, rounds),
        "list": lambda: samples.add("tools/list bytes", *list_size(kinds)),
    }
    for part in parts:
        steps[part]()
    print_tables(samples)
    if options.json is not None:
        options.json.write_text(json.dumps(samples.plain(), indent=1), encoding="utf-8")
    return 1 if failed.ours else 0


def serves(kind: Kind) -> bool:
    """
    Whether a server starts and answers at all; a peer that does not is left out, and said so. Ours must.
    """
    try:
        if kind.carrier == "stdio":
            rows.stdio_start(kind)
        else:
            with started(kind) as running:
                rows.first_answer(running.port, kind)
    except FAULTS as fault:
        if kind.ours:
            raise
        progress(f"left out: {fault}")
        return False
    return True


def list_size(kinds: Sequence[Kind]) -> tuple[Kind, float]:
    """
    The size of our own default list; the peers' tools would not be comparable.
    """
    ours = next(kind for kind in kinds if kind.ours and kind.carrier == "sse")
    return ours, float(rows.tools_list_bytes(ours))


if __name__ == "__main__":
    sys.exit(main())
