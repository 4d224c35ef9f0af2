"""
The units in ``contrib/systemd`` are units, and keep what the daemon promises.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from reticle.cli.exits import ExitCode
from reticle.cli.stop import TERM_SECONDS
from reticle.model.limits import DEFAULT_PORT

FOLDER = Path(__file__).resolve().parents[2] / "contrib" / "systemd"


def lines_of(name: str) -> dict[str, list[str]]:
    """
    The assignments of a unit file, each key with all its values.
    """
    found: dict[str, list[str]] = {}
    for line in (FOLDER / name).read_text("utf-8").splitlines():
        if "=" in line and not line.startswith("#"):
            key, _, value = line.partition("=")
            found.setdefault(key, []).append(value)
    return found


def test_the_service_agrees_with_the_daemon() -> None:
    """
    Readiness is notified, a wrong configuration is not retried, and a stop has the time it may take.
    """
    unit = lines_of("reticle.service")
    assert unit["Type"] == ["notify"]
    assert unit["RestartPreventExitStatus"] == [str(int(ExitCode.CONFIGURATION))]
    assert int(unit["TimeoutStopSec"][0]) > TERM_SECONDS
    assert unit["StateDirectoryMode"] == unit["RuntimeDirectoryMode"] == ["0700"]


def test_the_socket_is_loopback_only() -> None:
    """
    Socket activation opens the known port to this machine and to nobody else.
    """
    assert lines_of("reticle.socket")["ListenStream"] == [
        f"127.0.0.1:{DEFAULT_PORT}",
        f"[::1]:{DEFAULT_PORT}",
    ]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
def test_systemd_understands_the_units(tmp_path: Path) -> None:
    """
    The units load: systemd itself finds nothing to complain about.
    """
    (tmp_path / "run").mkdir(mode=0o700)
    program = tmp_path / "reticle"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    service = (FOLDER / "reticle.service").read_text("utf-8").replace("%h/.local/bin/reticle", str(program))
    (tmp_path / "reticle.service").write_text(service)
    shutil.copy(FOLDER / "reticle.socket", tmp_path)
    verified = subprocess.run(
        ["systemd-analyze", "--user", "verify", tmp_path / "reticle.service", tmp_path / "reticle.socket"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "XDG_RUNTIME_DIR": str(tmp_path / "run")},
    )
    assert (verified.returncode, verified.stdout, verified.stderr) == (0, "", "")
