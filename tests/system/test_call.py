"""
``reticle call`` against a real daemon.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from examples.journeys.children import Daemon, daemon_environment


def call(daemon: Daemon, *arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """
    Run ``reticle call`` as that daemon's user does.
    """
    environment = {**os.environ, **daemon_environment(daemon.state_dir.parent)}
    return subprocess.run(
        [sys.executable, "-m", "reticle", "call", *arguments],
        input=given, capture_output=True, text=True, timeout=60, check=False, env=environment,
    )  # fmt: skip


def test_a_tool_from_the_shell(daemon: Daemon) -> None:
    """
    The answer is printed, arguments come from standard input too, and the gate's audit id stands in it.
    """
    done = call(daemon, "reticle_sessions", "--output", "json", "--json", "-", given="{}")
    fields = json.loads(done.stdout)
    assert (done.returncode, fields["ok"], fields["sessions"]) == (0, True, [])
    assert fields["audit_id"].startswith("audit_")
    assert "no page" in call(daemon, "reticle_sessions").stdout


def test_failures_have_their_codes(daemon: Daemon, tmp_path: Path) -> None:
    """
    Refused, misspelt, wrong arguments and no daemon are told apart by the exit code alone.
    """
    until = json.dumps({"until": {"kind": "text", "contains": "x"}})
    assert call(daemon, "reticle_assert", "--json", until).returncode == 5
    misspelt = call(daemon, "reticle_asert")
    assert (misspelt.returncode, "reticle_assert" in misspelt.stderr) == (2, True)
    assert call(daemon, "reticle_snapshot", "--json", '{"no": 1}').returncode == 2
    assert call(daemon).returncode == 2
    nowhere = daemon._replace(state_dir=tmp_path / "state")
    assert call(nowhere, "reticle_sessions").returncode == 4


def test_the_list_is_the_agents(daemon: Daemon) -> None:
    """
    `--list` shows what an agent sees, a line each.
    """
    done = call(daemon, "--list")
    names = [line.split()[0] for line in done.stdout.splitlines()]
    assert {"reticle_act_and_wait", "reticle_assert", "reticle_sessions"} <= set(names)
