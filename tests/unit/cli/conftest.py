"""
A machine of its own for the command line: no environment, no directories, no daemon.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from reticle.storage.daemon_file import DaemonRecord
from reticle.storage.process_identity import process_identity


@pytest.fixture(autouse=True)
def runtime_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """
    The runtime directory that every command finds.
    """
    for name in [name for name in os.environ if name.startswith("RETICLE_")]:
        monkeypatch.delenv(name)
    for name in ("STATE_DIRECTORY", "RUNTIME_DIRECTORY"):
        monkeypatch.delenv(name, raising=False)
    runtime = tmp_path / "run"
    runtime.mkdir(mode=0o700)
    monkeypatch.setenv("RETICLE_RUNTIME_DIR", str(runtime))
    monkeypatch.setenv("RETICLE_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    return runtime


def our_record(port: int = 4400) -> DaemonRecord:
    """
    A record that names this very process.
    """
    identity = process_identity(os.getpid()) or ""
    return DaemonRecord(f"http://127.0.0.1:{port}", port, os.getpid(), identity, 1.5, "0.1.0", "/srv/state")


@pytest.fixture
def record() -> DaemonRecord:
    """
    A living daemon on port 4400.
    """
    return our_record()


@pytest.fixture
def other_record() -> DaemonRecord:
    """
    A living daemon on port 4401.
    """
    return our_record(4401)
