"""
A crowd of agents at one daemon, as ``bench/work`` measures it: here only that nothing is lost or done twice.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import TABLE
from tests.system.packet_agents import Agent, Tally, begin_run, checked, let_all_work, operator_at
from tests.system.starting import StartDaemon
from tests.system.wire import eventually

AGENTS, PACKETS = 200, 5_000
LONGEST_SECONDS = 600.0

pytestmark = [pytest.mark.system, pytest.mark.full]


def test_a_crowd_does_every_packet_once(
    start: StartDaemon, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """
    200 agents that wait, 5,000 packets, SQLite: each packet is claimed once and completed once, no call is
    refused, the run ends by itself and sends every agent home, and the audit log is one whole chain.
    """
    daemon = start(extra={"RETICLE_LOG_LEVEL": "warn"})
    eventually((daemon.runtime_dir / "client-token").exists, "the operator's token is there", 30)
    tally = Tally()
    with contextlib.closing(operator_at(daemon)) as operator:
        sessions = begin_run(operator, tmp_path / "app", PACKETS, AGENTS)
    crowd = [
        Agent(each, lambda: [daemon.port], tally, random.Random(number))
        for number, each in enumerate(sessions)
    ]
    let_all_work(crowd, LONGEST_SECONDS)
    with contextlib.closing(operator_at(daemon)) as operator:
        asked = {"repository_id": sessions[0].repository_id, "run_id": sessions[0].run_id}
        run = checked(operator.call("run.detail", **asked))
        audit = checked(operator.call("audit.verify"))
    assert (tally.broken, tally.refused, tally.unanswered) == ([], [], [])
    assert len(tally.completed) == len(set(tally.completed)) == PACKETS
    assert len(tally.claim_seconds) == PACKETS
    assert (run["state"], run["jobs_by_state"]) == ("completed", {"completed": PACKETS})
    assert run["sessions"] == []
    assert all(agent.over for agent in crowd)
    assert audit["whole"] is True
    waits = sorted(tally.claim_seconds)
    record_property(
        TABLE + "200 agents, 5,000 packets, one daemon",
        f"each done once; await_packet p50 {waits[len(waits) // 2] * 1000:.0f} ms, "
        f"p99 {waits[len(waits) * 99 // 100] * 1000:.0f} ms",
    )
