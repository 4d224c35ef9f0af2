"""
``reticle agent-loop`` with the daemon itself: a session of its own, and an end that the daemon learns of.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from examples.journeys.children import Daemon, daemon_environment
from reticle.cli.options import settings_for_client
from reticle.cli.rpc import ask
from tests.system.starting import StartDaemon

AGENT = Path(__file__).with_name("working_agent.py")


class Workplace:
    """
    A daemon with a repository and a run of one job.
    """

    def __init__(self, daemon: Daemon, folder: Path) -> None:
        self.folder = folder
        self.environ = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("RETICLE_", "STRIATUM_"))
        } | daemon_environment(daemon.state_dir.parent)
        self._settings = settings_for_client({"runtime_dir": str(daemon.runtime_dir)})
        folder.mkdir()
        self.repository = self.ask("repo.add", path=str(folder))["repository_id"]
        jobs = [{"id": "fix", "role": "fixer", "prompt": "Fix it."}]
        self.run = self.ask("run.prepare", repository_id=self.repository, jobs=jobs)["run_id"]
        self.ask("run.start", repository_id=self.repository, run_id=self.run)

    def ask(self, method: str, **params: object) -> Mapping[str, Any]:
        """
        As the operator.
        """
        return ask(self._settings, None, method, params)

    def agent(
        self, *steps: str, role: str = "fixer", prompt: str = "none"
    ) -> subprocess.CompletedProcess[str]:
        """
        Run an agent to its end.
        """
        loop = ["agent-loop", "--run", self.run, "--role", role, "--prompt", prompt]
        return subprocess.run(
            [sys.executable, "-m", "reticle", *loop, "--", sys.executable, str(AGENT), *steps],
            cwd=self.folder, env=self.environ, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=90, check=False,
        )  # fmt: skip

    def sessions(self) -> list[Mapping[str, Any]]:
        """
        What the daemon knows of its agents.
        """
        found = self.ask("list.sessions", repository_id=self.repository, run_id=self.run)
        return list(found["sessions"])


@pytest.fixture
def workplace(start: StartDaemon, tmp_path: Path) -> Workplace:
    """
    A daemon with work.
    """
    return Workplace(start(), tmp_path / "shop")


def test_an_agent_that_dies_leaves_its_packet_to_the_next(workplace: Workplace) -> None:
    """
    A killed agent's session is ended with the reason, and the next agent does its job.
    """
    first = workplace.agent("ready", "await", "ack", "die")
    assert first.returncode == 137, first.stdout + first.stderr
    assert [line.split()[-1] for line in first.stdout.splitlines()] == ["ok"] * 3, first.stdout
    second = workplace.agent("read", "ready", "await", "ack", "complete", prompt="type")
    assert second.returncode == 0, second.stdout + second.stderr
    assert second.stdout.splitlines()[-4:] == [
        "session.report ok", "work.await_packet ok", "work.ack ok", "work.complete ok",
    ]  # fmt: skip
    died, worked = workplace.sessions()
    assert (died["state"], died["reason"]) == ("closed", "the agent ended with signal 9")
    assert worked["state"] != "active"
    detail = workplace.ask("run.detail", repository_id=workplace.repository, run_id=workplace.run)
    assert detail["state"] == "completed", json.dumps(detail)


def test_a_role_that_the_run_has_not_is_refused(workplace: Workplace) -> None:
    """
    Nothing is started for a session that the daemon did not make.
    """
    done = workplace.agent("ready", role="cook")
    assert done.returncode == 5
    assert "cook" in done.stderr
    assert workplace.sessions() == []
