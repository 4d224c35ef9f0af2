"""
The doctor as a command.
"""

from __future__ import annotations

import json

import pytest

from reticle.cli import main
from reticle.cli.checks import Level, Row
from reticle.cli.doctor import as_line


def test_a_healthy_machine_without_a_daemon_passes(capsys: pytest.CaptureFixture[str]) -> None:
    """
    Before the first start the doctor finds no fault and says how to start.
    """
    assert main.run(["doctor", "--port", "0", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    by_name = {row["name"]: row for row in rows}
    assert by_name["interpreter"]["level"] == "ok"
    assert by_name["daemon"] == {
        "level": "warn",
        "name": "daemon",
        "text": "no daemon runs",
        "command": "reticle serve",
    }
    assert list(by_name) == [
        "interpreter", "versions", "plugin", "settings", "state directory", "runtime directory", "port",
        "daemon", "chromium",
    ]  # fmt: skip


def test_a_fault_is_exit_1(capsys: pytest.CaptureFixture[str]) -> None:
    """
    A script notices that something has to be mended.
    """
    assert main.run(["doctor", "--port", "0", "--state-dir", "/dev/null/x"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines if "state directory" in line] == ["fault"]


def test_a_row_ends_with_its_command() -> None:
    """
    What to type is at the end of the line.
    """
    assert as_line(Row(Level.FAULT, "port", "held", "reticle serve --port 0")) == (
        "fault  port               held  ->  reticle serve --port 0"
    )
