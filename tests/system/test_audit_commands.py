"""
``reticle audit`` against a running daemon, and against somebody who edits the file below it.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import subprocess
import sys
from pathlib import Path

from examples.journeys.children import Daemon, daemon_environment
from reticle.client import connect
from tests.system.starting import StartDaemon
from tests.system.wire import eventually

DOCUMENTATION = Path(__file__).parents[2] / "docs/operations/audit-log.md"


def audit(daemon: Daemon, *arguments: str) -> tuple[int, str]:
    """
    Run one sub-command; its exit code and what it printed.
    """
    done = subprocess.run(
        [sys.executable, "-m", "reticle", "audit", *arguments, "--port", str(daemon.port)],
        env=daemon_environment(daemon.state_dir.parent),
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    return done.returncode, done.stdout + done.stderr


def test_an_operator_reads_checks_and_takes_away_the_log(start: StartDaemon) -> None:
    """
    Every call is there with its carrier, the head that was noted is met again, the export has each row once;
    a row that was changed in the file is named. The documented way to check an export works.
    """
    daemon = start()
    eventually((daemon.runtime_dir / "client-token").exists, "the operator's token is there", 30)
    with connect(daemon.mcp_url) as agent:
        agent.initialize("audit-test", "1")
        ids = [agent.call("reticle_tools").fields["audit_id"] for _ in range(3)]
        assert agent.call("no_such_tool").is_error

    code, listed = audit(daemon, "list", "--limit", "3")
    assert (code, len(listed.splitlines())) == (0, 3)
    assert "local  sse  no_such_tool  refused:method_unknown" in listed

    code, checked = audit(daemon, "verify", "--json")
    assert code == 0, checked
    head = json.loads(checked)["head"]
    code, exported = audit(daemon, "export")
    rows = [json.loads(line) for line in exported.splitlines()]
    assert (code, [row["seq"] for row in rows]) == (0, list(range(1, len(rows) + 1)))
    assert set(ids) <= {row["audit_id"] for row in rows}
    assert [row["carrier"] for row in rows if row["tool"] == "audit.list"] == ["socket"]
    assert head in {row["row_hash"] for row in rows}
    assert audit(daemon, "verify", "--expect", head)[0] == 0
    assert audit(daemon, "verify", "--expect", "0" * 64)[0] == 3

    page = DOCUMENTATION.read_text("utf-8")
    checker = page.split("```python\n", 1)[1].split("```", 1)[0]
    told = [sys.executable, "-c", checker]
    assert (
        subprocess.check_output(told, input=exported, text=True)
        == f"whole, the head is {rows[-1]['row_hash']}\n"
    )
    forged = exported.replace("method_unknown", "method_unknowm")
    assert subprocess.run(told, input=forged, text=True, check=False, capture_output=True).returncode == 1

    changed = next(row["seq"] for row in rows if row["tool"] == "no_such_tool")
    with contextlib.closing(sqlite3.connect(daemon.state_dir / "reticle.sqlite3")) as intruder:
        intruder.execute("UPDATE audit SET decision = 'allowed', reason = '' WHERE seq = ?", (changed,))
        intruder.commit()
    code, found = audit(daemon, "verify")
    assert code == 3
    assert f"row {changed} does not follow on row {changed - 1}" in found
