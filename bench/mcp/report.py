"""
Samples of a run, and the tables made of them.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from servers import UNAUDITED, Kind

HIGHER_IS_BETTER = ("per_second", "alive", "delivered")


@dataclass
class Samples:
    """
    Every figure of every round: row, then server, in the order in which they came.
    """

    rows: dict[str, dict[str, list[float]]] = field(default_factory=dict)
    ours: set[str] = field(default_factory=set)

    def add(self, row: str, kind: Kind, figure: float) -> None:
        """
        One figure of one round.
        """
        self.rows.setdefault(row, {}).setdefault(kind.name, []).append(figure)
        if kind.ours:
            self.ours.add(kind.name)

    def plain(self) -> Mapping[str, Mapping[str, Sequence[float]]]:
        """
        All of it, for a file.
        """
        return self.rows

    def best_peer(self, row: str) -> str | None:
        """
        The peer with the best median of a row.
        """
        peers = {
            name: statistics.median(found) for name, found in self.rows[row].items() if name not in self.ours
        }
        if not peers:
            return None
        higher = any(word in row for word in HIGHER_IS_BETTER)
        return (max if higher else min)(peers, key=lambda name: peers[name])

    def ratio(self, row: str, name: str = "reticle") -> Sequence[float]:
        """
        Ours divided by the best peer's, round by round.
        """
        peer = self.best_peer(row)
        if peer is None or name not in self.rows[row]:
            return []
        return [a / b for a, b in zip(self.rows[row][name], self.rows[row][peer], strict=False) if b]


@dataclass(frozen=True)
class Target:
    """
    A row of an issue: what is wanted of a figure, of its ratio to the best peer, or ``against`` another of
    ours: its ratio, or how much it is above it. ``of`` is the server that is held to it.
    """

    words: str
    row: str
    target: float
    stretch: float
    at_least: bool = False
    is_ratio: bool = True
    against: str | None = None
    of: str = "reticle"

    def figures(self, samples: Samples) -> Sequence[float]:
        """
        What is held to the target, round by round; empty where it was not measured.
        """
        found = samples.rows.get(self.row, {})
        ours = found.get(self.of, [])
        if self.against is None:
            return samples.ratio(self.row, self.of) if self.is_ratio and ours else ours
        pairs = zip(ours, found.get(self.against, []), strict=False)
        return [a / b if self.is_ratio else a - b for a, b in pairs]

    def beside(self, samples: Samples) -> str:
        """
        What it is compared with.
        """
        return self.against or (samples.best_peer(self.row) if self.is_ratio else None) or "-"

    def judge(self, figure: float) -> str:
        """
        Whether it is met.
        """
        if self.at_least:
            return "stretch" if figure >= self.stretch else "target" if figure >= self.target else "missed"
        return "stretch" if figure <= self.stretch else "target" if figure <= self.target else "missed"


TARGETS = (
    # issue 4: gate, trust and argument validation on; what the audit costs on top is issue 5
    Target(
        "Streamable calls/s at 32", "streamable tools/call@32 per_second", 5, 10, at_least=True, of=UNAUDITED
    ),
    Target("old SSE calls/s at 32", "sse tools/call@32 per_second", 2, 4, at_least=True, of=UNAUDITED),
    Target("Streamable p50 at 1", "streamable tools/call@1 p50_us", 0.5, 0.25, of=UNAUDITED),
    Target("old SSE p50 at 1", "sse tools/call@1 p50_us", 0.75, 0.5, of=UNAUDITED),
    Target("CPU per Streamable call at 32", "streamable tools/call@32 cpu_us", 0.2, 0.1, of=UNAUDITED),
    Target("CPU per old SSE call at 32", "sse tools/call@32 cpu_us", 0.5, 0.25, of=UNAUDITED),
    Target("bytes per idle session, old SSE", "sse session bytes", 0.25, 0.125),
    Target("bytes per idle session, Streamable", "streamable session bytes", 0.25, 0.125),
    Target(
        "10,000 sessions held", "sse sessions alive of 10000", 10_000, 10_000, at_least=True, is_ratio=False
    ),
    Target("MB with 10,000 sessions", "sse rss_mb with 10000 sessions", 220, 120, is_ratio=False),
    Target(
        "farewells to 1,000 delivered",
        "farewells delivered of 1000",
        1000,
        1000,
        at_least=True,
        is_ratio=False,
    ),
    Target("farewell to 1,000, last ms", "farewell last_ms", 150, 60, is_ratio=False),
    Target("start to first answer", "streamable start_ms", 1.2, 1.0),
    Target("idle memory", "streamable idle_mb", 1.0, 0.8),
    Target("stdio to first answer, ms", "stdio start_ms", 60, 35, is_ratio=False),
    Target("stdio to first answer", "stdio start_ms", 0.25, 0.25),
    # issue 5: with a committed row per call
    Target(
        "audited Streamable calls/s at 32",
        "streamable tools/call@32 per_second",
        3,
        5,
        at_least=True,
    ),
    Target("audited old SSE calls/s at 32", "sse tools/call@32 per_second", 2, 4, at_least=True),
    Target(
        "audited beside unaudited calls/s at 32",
        "streamable tools/call@32 per_second",
        0.4,
        0.5,
        at_least=True,
        against=UNAUDITED,
    ),
    Target(
        "what the audit adds at 1, µs",
        "streamable tools/call@1 p50_us",
        300,
        150,
        is_ratio=False,
        against=UNAUDITED,
    ),
    Target("default tools/list, bytes", "tools/list bytes", 12_288, 9_216, is_ratio=False),
)


def spread(figures: Sequence[float]) -> str:
    """
    Median and range; one figure stands alone.
    """
    middle = statistics.median(figures)
    if len(figures) == 1:
        return f"{middle:,.4g}"
    return f"{middle:,.4g} [{min(figures):,.4g}..{max(figures):,.4g}]"


def print_tables(samples: Samples) -> None:
    """
    The targets first, then every row.
    """
    print("\n| row of an issue | ours | beside | target, stretch | met |")
    print("|---|---|---|---|---|")
    for target in TARGETS:
        figures = target.figures(samples)
        if not figures:
            continue
        sign = "≥" if target.at_least else "≤"
        print(
            f"| {target.words} | {spread(figures)} n={len(figures)} | {target.beside(samples)} "
            f"| {sign} {target.target:,g}, {target.stretch:,g} | {target.judge(statistics.median(figures))} |"
        )
    names = list(dict.fromkeys(name for found in samples.rows.values() for name in found))
    print(f"\n| measured | {' | '.join(names)} |")
    print(f"|---|{'---|' * len(names)}")
    for row, found in samples.rows.items():
        cells = [f"{statistics.median(found[name]):,.4g}" if name in found else "" for name in names]
        print(f"| {row} | {' | '.join(cells)} |")
