"""
What the probe costs the app: CPU time per request with it on beside without it, and what it costs while off.

    python bench/probe/run.py [--quick] [--app NAME] [--acting]

Each example of ``examples/servers`` serves twice at the same time, once with the probe and once without;
blocks of the same requests go to both in turn, now to the one first and then to the other, and a pair of
blocks gives a ratio of the CPU time that each process took, the probe's own thread included. The targets
(issue #9): a median of at most 1.1 over at least 10 pairs, and at most 1 µs per request while it is installed
but off. The code of the run is 1 when one is missed.

The requests are a page's: its document, a read by its script, and a write that names an action; ``--acting``:
each of the three names one.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from bench.probe.off import measure_off  # noqa: E402 - the path is set above
from bench.probe.serving import APPS, is_installed, measure_app  # noqa: E402 - as above

TIMES = 1.1
OFF_MICROSECONDS = 1.0
PAIRS = 12
REQUESTS = 300
MEMORY = Path("/dev/shm")
"""Where the examples' databases lie, if there is such a place: a disk's waits are no CPU time, and long."""


def main() -> int:
    """
    Measure and compare with the targets.
    """
    parser = argparse.ArgumentParser(description="What the probe costs the app.")
    parser.add_argument("--quick", action="store_true", help="two small pairs each: that everything runs")
    parser.add_argument("--app", choices=APPS, action="append", help="this one only; may be given again")
    parser.add_argument("--acting", action="store_true", help="every request names an action, reads too")
    told = parser.parse_args()
    pairs, requests = (2, 30) if told.quick else (PAIRS, REQUESTS)
    missed = []
    cores, (load, *_) = os.cpu_count(), os.getloadavg()
    print(f"{cores} cores, load {load:.1f}: what else runs here takes from both servers' caches")
    named = "each names an action" if told.acting else "only the write names an action"
    print(
        f"CPU time per request, {pairs} pairs of {requests} requests (page, JSON of two statements, a write;"
        f" {named}):"
    )
    for name in told.app or APPS:
        if not is_installed(name):
            print(f"{name:10} not installed, not run")
            continue
        with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
            cost = measure_app(name, Path(folder), pairs, requests, acting=told.acting)
        low, ratio, high = statistics.quantiles(cost.ratios, n=4, method="inclusive")
        spread = f"half of them {low:.3f} to {high:.3f}, all {min(cost.ratios):.3f} to {max(cost.ratios):.3f}"
        each = f"{cost.without_us:6.0f} µs without {cost.with_us:6.0f} µs with"
        facts = f"{cost.facts / cost.requests:.1f} facts a request"
        print(f"{name:8} {each}  median {ratio:.3f} ({spread}), {facts}", flush=True)
        if ratio > TIMES:
            missed.append(f"{name}: {ratio:.3f} times, wanted at most {TIMES:g}")
    print("\ninstalled but off, per call:")
    for what, microseconds in measure_off():
        print(f"{what:28} {microseconds:6.3f} µs (at most {OFF_MICROSECONDS:g})")
        if microseconds > OFF_MICROSECONDS:
            missed.append(f"{what}: {microseconds:.3f} µs, wanted at most {OFF_MICROSECONDS:g}")
    if told.quick:
        return 0
    for target in missed:
        print(f"missed: {target}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
