"""
Three real daemons on one real PostgreSQL, which is stopped and started under them.
"""

from __future__ import annotations

import contextlib
import json
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from examples.journeys.children import Daemon, daemon_environment
from reticle.client import connect
from reticle.client.errors import Refused
from reticle.testing.postgresql import PostgresServer, missing, running_postgres
from tests.conftest import TABLE
from tests.system.packet_agents import Agent, Tally, begin_run, let_all_work, operator_at
from tests.system.starting import StartDaemon
from tests.system.wire import eventually

PASSWORD = "hunter2-is-in-the-url"
NAMES = ("first", "second", "third")
PACKETS = 1_500
AGENTS = 12
LEASE_SECONDS = 20
WORK_SECONDS = 0.35
"""So that the work is there for as long as daemons are killed, and packets are in hands when they are."""
"""What a killed daemon's agents may cost: their packets come back after it."""


@pytest.fixture
def server() -> Iterator[PostgresServer]:
    """
    A server with PostgreSQL's own durability; where it is not installed, the test is skipped.
    """
    lack = missing()
    if lack is not None:
        pytest.skip(f"not on this machine: {lack}")
    with running_postgres(durable=True) as running:
        yield running


@pytest.fixture
def url(server: PostgresServer) -> str:
    """
    The URL of an empty database, with a password that nobody must see (the socket asks for none).
    """
    return server.url(server.fresh_database()).replace("@/", f":{PASSWORD}@/")


def command(daemon: Daemon, *words: str) -> tuple[int, str]:
    """
    One command of the operator at that daemon: its exit code and what it printed.
    """
    done = subprocess.run(
        [sys.executable, "-m", "reticle", *words, "--port", str(daemon.port)],
        env=daemon_environment(daemon.state_dir.parent),
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    return done.returncode, done.stdout + done.stderr


def call(daemon: Daemon, token: str = "") -> dict[str, Any]:
    """
    The answer to one call.
    """
    with connect(daemon.mcp_url, token or None) as agent:
        agent.initialize("several", "1")
        return dict(agent.call("reticle_tools").fields)


def started(start: StartDaemon, url: str) -> Sequence[Daemon]:
    """
    Three daemons, started at the same moment on an empty database.
    """
    with ThreadPoolExecutor(len(NAMES)) as pool:
        daemons = [*pool.map(lambda name: start(extra={"RETICLE_DATABASE_URL": url}, folder=name), NAMES)]
    for daemon in daemons:
        eventually((daemon.runtime_dir / "client-token").exists, "the operator's token is there", 30)
    return daemons


def test_three_daemons_share_a_database_that_comes_and_goes(
    start: StartDaemon, server: PostgresServer, url: str
) -> None:
    """
    A token that one made counts at all, and is over at all when another ends it; no operator is locked out;
    the log is one whole chain; while the server is away everybody is told so, and when it is back everything
    goes on, without a restart and without a lost row. Nobody sees the password.
    """
    first, second, third = daemons = started(start, url)
    code, made = command(first, "token", "create", "--name", "lane", "--capability", "observe", "--json")
    assert code == 0, made
    token = json.loads(made)["token"]
    ids = []
    for daemon in daemons:
        eventually(lambda daemon=daemon: call(daemon, token)["ok"], "the token counts", 10)
        ids.append(call(daemon, token)["audit_id"])
    code, told = command(second, "token", "revoke", token.split(".")[0])
    assert code == 0, told

    def is_over(daemon: Daemon) -> bool:
        try:
            call(daemon, token)
        except Refused as refusal:
            return "revoked" in str(refusal)
        return False

    for daemon in daemons:
        eventually(lambda daemon=daemon: is_over(daemon), "the token is over", 5)
        assert command(daemon, "token", "list")[0] == 0
    server.stop(signal.SIGINT)
    refused = call(third)
    assert (refused["ok"], refused["error"]) == (False, "storage_failed"), refused
    code, doctor = command(third, "doctor")
    assert "cannot be reached" in doctor
    server.start()
    for daemon in daemons:
        eventually(lambda daemon=daemon: call(daemon)["ok"], "calls are answered again", 20)
        ids.append(call(daemon)["audit_id"])
    code, checked = command(first, "audit", "verify", "--json")
    assert code == 0, checked
    code, exported = command(second, "audit", "export")
    rows = [json.loads(line) for line in exported.splitlines()]
    assert [row["seq"] for row in rows] == [*range(1, len(rows) + 1)]
    assert set(ids) <= {row["audit_id"] for row in rows}
    for daemon in daemons:
        shown = [
            doctor,
            refused,
            daemon.child.printed(),
            *(command(daemon, word) for word in ("status", "doctor")),
        ]
        assert PASSWORD not in json.dumps(shown)
        files = [path for path in daemon.state_dir.parent.rglob("*") if path.is_file()]
        assert not [path for path in files if PASSWORD.encode() in path.read_bytes()]


def test_a_daemon_that_starts_before_its_database_serves_when_it_is_there(
    start: StartDaemon, server: PostgresServer, url: str
) -> None:
    """
    The order in which a machine starts its services does not matter.
    """
    server.stop()
    daemon = start(extra={"RETICLE_DATABASE_URL": url})
    assert call(daemon)["error"] == "storage_failed"
    server.start()
    eventually(lambda: call(daemon)["ok"], "calls are answered", 20)
    eventually((daemon.runtime_dir / "client-token").exists, "the operator's token is there", 30)
    assert command(daemon, "audit", "verify")[0] == 0


@pytest.mark.full
def test_killed_daemons_lose_and_double_nothing(
    start: StartDaemon,
    server: PostgresServer,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    """
    For a minute one of three daemons is killed every few seconds while agents work through a run: each packet
    is completed once, by the claim that counted, the run ends by itself, and the log is whole.
    """
    name = server.fresh_database()
    url = server.url(name)
    daemons: dict[str, Daemon] = dict(zip(NAMES, started(start, url), strict=True))
    with contextlib.closing(operator_at(daemons["first"])) as operator:
        sessions = begin_run(operator, tmp_path / "app", packets=PACKETS, agents=AGENTS)
    tally = Tally()

    def ports() -> list[int]:
        return [each.port for each in tuple(daemons.values())]

    agents = [
        Agent(
            session,
            ports,
            tally,
            random.Random(number),
            lease_seconds=LEASE_SECONDS,
            wait_seconds=3.0,
            work_seconds=WORK_SECONDS,
        )
        for number, session in enumerate(sessions)
    ]
    working = threading.Thread(target=let_all_work, args=(agents, 240.0), daemon=True)
    working.start()
    chance, until, kills = random.Random(10), time.monotonic() + 60.0, 0
    while time.monotonic() < until and working.is_alive():
        time.sleep(chance.uniform(2.0, 4.0))
        victim = chance.choice(NAMES)
        daemons[victim].child.process.kill()
        daemons[victim].child.process.wait()
        kills += 1
        daemons[victim] = start(extra={"RETICLE_DATABASE_URL": url}, folder=victim)
    working.join(300.0)
    assert not tally.broken, tally.broken
    record_property(
        TABLE + "daemons killed under work",
        f"{kills} kills, {len(tally.unanswered)} calls lost, "
        f"{len(tally.refused)} late; {len(tally.completed)} packets done once",
    )
    assert kills >= 5
    rows = server.execute("SELECT state, count(*) FROM work_job GROUP BY state", name)
    assert rows == [("completed", PACKETS)], (rows, tally.refused[-5:], tally.unanswered[-5:])
    assert server.execute("SELECT state FROM work_run", name) == [("completed",)]
    ended = "SELECT job_id, count(*) FROM work_lease WHERE state = 'completed' GROUP BY job_id"
    assert {count for _, count in server.execute(ended, name)} == {1}
    events = "SELECT job_id, count(*) FROM work_event WHERE kind = 'job.completed' GROUP BY job_id"
    assert {count for _, count in server.execute(events, name)} == {1}
    # Each completion that an agent was told of is one that was kept, and no two agents were told of the same.
    assert len(tally.completed) == len(set(tally.completed)) == PACKETS
    assert set(tally.refused) <= {"lease_error"}
    code, checked = command(daemons["first"], "audit", "verify")
    assert code == 0, checked
