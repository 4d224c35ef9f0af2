"""
What a verdict costs: by the size of its window, and by the length of the page's life before it.

    python bench/verdict/run.py [--quick]

The targets (issues #3 and #8): 300 events below 2 ms, 2,000 below 5 ms, a full ring below 50 ms; after
300,000 events reading and judging cost at most 1.5 times what they cost after none. CPU time, the least of
many runs. The code of the run is 1 when one is missed.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from bench.verdict.long_life import compare  # noqa: E402 - the path is set above
from bench.verdict.windows import measure  # noqa: E402 - as above

LIMITS_MS = {"ordinary": 2.0, "two thousand": 5.0, "full ring": 50.0}
TIMES = 1.5
PAST_EVENTS = 300_000


def main() -> int:
    """
    Measure and compare with the targets.
    """
    parser = argparse.ArgumentParser(description="What a verdict costs.")
    parser.add_argument("--quick", action="store_true", help="a past of 20,000 events: that everything runs")
    told = parser.parse_args()
    missed = []
    for one in measure():
        limit = LIMITS_MS.get(one.name)
        wanted = "" if limit is None else f"  (below {limit:g})"
        cost = f"first {one.first:7.2f}  best {one.best:7.2f} ms{wanted}"
        print(f"{one.name:32} {one.events:6} events  {cost}  {one.verified}")
        if limit is not None and one.best >= limit:
            missed.append(f"{one.name}: {one.best:.2f} ms, wanted below {limit:g}")
    past = 20_000 if told.quick else PAST_EVENTS
    print(f"\nafter {past:,} events, beside after none:")
    for each in compare(past):
        cost = f"{each.young_us:8.1f} µs  {each.old_us:8.1f} µs  {each.times:5.2f} times"
        print(f"{each.what:32} {cost} (at most {TIMES:g})")
        if each.times > TIMES:
            missed.append(f"{each.what}: {each.times:.2f} times, wanted at most {TIMES:g}")
    for target in missed:
        print(f"missed: {target}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
