"""
How fast packets are claimed, beside a bare queue in SQL on the same database.

    python bench/work/run.py [--quick] [--rounds N] [--only PART] [--json FILE]

``store``: claims through the daemon's store beside ``UPDATE … FOR UPDATE SKIP LOCKED`` on the same PostgreSQL
(with its own durability) and the same statement on SQLite, in rounds that alternate; only ratios within a
round are compared. The target on PostgreSQL is 0.5 of the bare queue, which commits each claim. Beside it
stands one that also writes a lease's row, with as many claims in a commit as ours (1 or 16).
``--quick-commits``: on a server that waits for no disk. ``mcp``: the same claims through a daemon's MCP
endpoint. ``load``: 200 agents that await packets, and 5,000 packets, at one daemon on
SQLite.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from bare import BareQueue, on_postgres, on_sqlite  # noqa: E402 - found beside this file
from ours import OurQueue, store_at  # noqa: E402

from examples.journeys.children import Daemon, start_daemon  # noqa: E402 - found by the line above
from reticle.storage.postgres.connection import PostgresPlace  # noqa: E402
from reticle.testing.postgresql import PostgresServer, missing, running_postgres  # noqa: E402
from tests.system.packet_agents import (  # noqa: E402
    Agent,
    Line,
    Tally,
    begin_run,
    checked,
    let_all_work,
    operator_at,
)

PARTS = ("store", "mcp", "load")
TARGET = 0.5
AT_ONCE = 16
LOAD_AGENTS, LOAD_PACKETS = 200, 5_000
LOAD_SECONDS = 600.0

Figures = dict[str, object]


def main(arguments: Sequence[str]) -> int:
    """
    Measure, print, and say whether the target was met.
    """
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 2)[1])
    parser.add_argument("--quick", action="store_true", help="one short round: that everything runs")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--claims", type=int, default=200, help="in each round")
    parser.add_argument("--only", choices=PARTS)
    parser.add_argument("--quick-commits", action="store_true", help="a server that waits for no disk")
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args(arguments)
    lack = missing()
    if lack is not None:
        print(f"not on this machine: {lack}")
        return 1
    # As in a daemon (``cli/serve.py``, ``service/run.py``), for both sides.
    gc.set_threshold(20_000)
    gc.freeze()
    rounds, claims = (1, 30) if chosen.quick else (chosen.rounds, chosen.claims)
    parts = PARTS if chosen.only is None else (chosen.only,)
    found: Figures = {}
    with running_postgres(durable=not chosen.quick_commits) as server:
        if "store" in parts:
            found["store"] = store(server, rounds, claims)
        if "mcp" in parts:
            found["mcp"] = over_mcp(server, rounds, claims)
    if "load" in parts:
        found["load"] = load(*((20, 100) if chosen.quick else (LOAD_AGENTS, LOAD_PACKETS)))
    if chosen.json is not None:
        chosen.json.write_text(json.dumps(found, indent=1) + "\n")
    return 0


def store(server: PostgresServer, rounds: int, claims: int) -> Mapping[str, object]:
    """
    The store beside the bare queue, on each database.
    """
    print(f"\nclaims a second through the store, {rounds} rounds of {claims}, medians")
    print(
        f"{'':34}{'bare':>8}{'ours':>8}{'ratio':>8}  {'[least..most]':16}{'p99 ms':>8}"
        f"{'leasing':>9}{'ratio':>7}"
    )
    name = server.fresh_database()
    shown: dict[str, object] = {}
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        ours = stack.enter_context(store_at(PostgresPlace(server.address(name), "bench")))
        bare = stack.enter_context(on_postgres(server.url(name), AT_ONCE))
        for title, at_once in (
            ("PostgreSQL, one after the other", 1),
            (f"PostgreSQL, {AT_ONCE} at once", AT_ONCE),
        ):
            shown[title] = beside(title, bare, ours, rounds, claims, at_once)
        file_ours = stack.enter_context(store_at(folder / "ours.sqlite3"))
        file_bare = stack.enter_context(on_sqlite(folder / "bare.sqlite3"))
        shown["SQLite"] = beside("SQLite, one after the other", file_bare, file_ours, rounds, claims, 1)
    return shown


def beside(  # noqa: PLR0917 - one row of the table
    title: str, bare: BareQueue, ours: OurQueue, rounds: int, claims: int, at_once: int
) -> Mapping[str, object]:
    """
    Rounds of both, in turns that change places.
    """
    ratios, bares, speeds, slowest, leasings = [], [], [], [], []
    for number in range(rounds):
        bare.fill(claims)
        ours.fill(claims)
        if bare.leasing:
            bare.fill(claims)
            started = time.perf_counter()
            bare.lease(claims, at_once)
            leasings.append(claims / (time.perf_counter() - started))
        order = (True, False) if number % 2 else (False, True)
        speed: dict[bool, float] = {}
        for is_ours in order:
            started = time.perf_counter()
            if not is_ours:
                bare.claim(claims, at_once)
                speed[False] = claims / (time.perf_counter() - started)
            else:
                took = ours.claim(claims, at_once)
                speed[True] = claims / (time.perf_counter() - started)
                slowest.append(sorted(took)[len(took) * 99 // 100] * 1000)
        bares.append(speed[False])
        speeds.append(speed[True])
        ratios.append(speed[True] / speed[False])
    ratio, span = statistics.median(ratios), f"[{min(ratios):.2f}..{max(ratios):.2f}]"
    p99 = statistics.median(slowest)
    mark = "" if not title.startswith("PostgreSQL") else ("  met" if ratio >= TARGET else "  MISSED")
    beside_leasing = ""
    if leasings:
        against = statistics.median(mine / its for mine, its in zip(speeds, leasings, strict=True))
        beside_leasing = f"{statistics.median(leasings):9.0f}{against:7.2f}"
    print(
        f"{title:34}{statistics.median(bares):8.0f}{statistics.median(speeds):8.0f}{ratio:8.2f}"
        f"  {span:16}{p99:8.1f}{beside_leasing}{mark}"
    )
    return {"bare": bares, "ours": speeds, "ratios": ratios, "p99_ms": slowest, "leasing": leasings}


def over_mcp(server: PostgresServer, rounds: int, claims: int) -> Mapping[str, object]:
    """
    The same through a daemon: a POST for each claim, with the session's token.
    """
    print(f"\nclaims a second through MCP (HTTP, one connection), {rounds} rounds of {claims}, medians")
    name = server.fresh_database()
    shown: dict[str, object] = {}
    settings = {"PostgreSQL": {"RETICLE_DATABASE_URL": server.url(name)}, "SQLite": {}}
    for title, extra in settings.items():
        with tempfile.TemporaryDirectory() as folder, daemon_in(Path(folder), extra) as daemon:
            speeds, slowest = [], []
            for number in range(rounds):
                with contextlib.closing(operator_at(daemon)) as operator:
                    sessions = begin_run(operator, Path(folder) / f"app{number}", claims, claims)
                line, took = Line(daemon.port, ""), []
                began = time.perf_counter()
                for each in sessions:
                    line.token = each.token
                    started = time.perf_counter()
                    checked(
                        line.call(
                            "work.claim_next", repository_id=each.repository_id, session_id=each.session_id
                        )
                    )
                    took.append(time.perf_counter() - started)
                speeds.append(claims / (time.perf_counter() - began))
                slowest.append(sorted(took)[len(took) * 99 // 100] * 1000)
                line.close()
            shown[title] = {"per_second": speeds, "p99_ms": slowest}
            print(f"{title:34}{statistics.median(speeds):8.0f}   p99 {statistics.median(slowest):.1f} ms")
    return shown


def load(agents: int, packets: int) -> Mapping[str, object]:
    """
    So many agents that await packets of one run at one daemon on SQLite; each is done once.
    """
    print(f"\n{agents} agents that await packets, {packets} packets, one daemon on SQLite")
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder, daemon_in(Path(folder), {}) as daemon:
        with contextlib.closing(operator_at(daemon)) as operator:
            sessions = begin_run(operator, Path(folder) / "app", packets, agents)
        crowd = [
            Agent(each, lambda: [daemon.port], tally, random.Random(number))
            for number, each in enumerate(sessions)
        ]
        started = time.perf_counter()
        let_all_work(crowd, LOAD_SECONDS)
        seconds = time.perf_counter() - started
    once = len(tally.completed) == len(set(tally.completed)) == packets
    waits = sorted(tally.claim_seconds)
    p50, p99 = (waits[len(waits) * part // 100] * 1000 for part in (50, 99))
    print(
        f"done once: {len(set(tally.completed))} of {packets}{'' if once else '  NOT EACH ONCE'}; "
        f"{packets / seconds:.0f} packets a second (await, ack, complete each); "
        f"await_packet p50 {p50:.0f} ms, p99 {p99:.0f} ms; "
        f"refused {len(tally.refused)}, lost {len(tally.unanswered)}"
    )
    if not once or tally.broken:
        raise SystemExit(f"not every packet was done once: {tally.broken[:3]} {tally.refused[:3]}")
    return {"packets": packets, "agents": agents, "seconds": seconds, "p50_ms": p50, "p99_ms": p99}


@contextlib.contextmanager
def daemon_in(folder: Path, extra: Mapping[str, str]) -> Iterator[Daemon]:
    """
    A daemon that ends with the block.
    """
    daemon = start_daemon(folder / "daemon", extra={"RETICLE_LOG_LEVEL": "warn", **extra})
    try:
        deadline = time.monotonic() + 30
        while not (daemon.runtime_dir / "client-token").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        yield daemon
    finally:
        daemon.child.stop()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
