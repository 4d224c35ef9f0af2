"""
How the command line finds running daemons.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from reticle.storage.daemon_file import (
    DaemonRecord,
    announce,
    daemon_file,
    living_daemons,
    recorded_daemons,
    withdraw,
)
from reticle.storage.process_identity import process_identity


def record(port: int, identity: str | None = None) -> DaemonRecord:
    """
    A record of this very process, or of one that has its pid but another start.
    """
    return DaemonRecord(
        url=f"http://127.0.0.1:{port}",
        port=port,
        pid=os.getpid(),
        identity=identity or process_identity(os.getpid()) or "",
        started_at=1.5,
        version="0.1.0",
        state_dir="/srv/state",
    )


def test_a_running_daemon_is_found_and_a_reused_pid_is_not(tmp_path: Path) -> None:
    """
    A stale record whose pid now belongs to a stranger does not count as a running daemon.
    """
    announce(tmp_path, record(4401))
    announce(tmp_path, record(4400, "boot:1"))
    assert [found.port for found in recorded_daemons(tmp_path)] == [4400, 4401]
    assert living_daemons(tmp_path) == [record(4401)]
    assert oct(daemon_file(tmp_path, 4401).stat().st_mode & 0o777) == "0o600"


def test_nonsense_in_the_directory_is_passed_over(tmp_path: Path) -> None:
    """
    A broken or foreign file does not stop `reticle status`.
    """
    (tmp_path / "daemon-1.json").write_text("{")
    (tmp_path / "daemon-2.json").write_text("{}")
    (tmp_path / "daemon-3.json").mkdir()
    announce(tmp_path, record(4400))
    assert [found.port for found in recorded_daemons(tmp_path)] == [4400]
    assert recorded_daemons(tmp_path / "none") == []


def test_a_folder_that_cannot_be_looked_into_holds_nobody(tmp_path: Path) -> None:
    """
    ``reticle status`` with somebody else's runtime directory finds no daemon and is no bug.
    """
    assert recorded_daemons(tmp_path / ("x" * 300)) == []


def test_only_our_own_record_is_withdrawn(tmp_path: Path) -> None:
    """
    A daemon that stops after its successor took the port leaves the successor announced.
    """
    old, new = record(4400, "boot:1"), record(4400)
    announce(tmp_path, old)
    announce(tmp_path, new)
    assert withdraw(tmp_path, old) is False
    assert withdraw(tmp_path, new) is True
    assert recorded_daemons(tmp_path) == []


def test_fields_of_a_newer_version_do_no_harm(tmp_path: Path) -> None:
    """
    An older command line still finds a newer daemon.
    """
    newer = {**msgspec.to_builtins(record(4400)), "revisions": ["2026-07-28"]}
    announce(tmp_path, record(4400))
    daemon_file(tmp_path, 4400).write_bytes(msgspec.json.encode(newer))
    assert recorded_daemons(tmp_path) == [record(4400)]
