"""
The file clients find the daemon by.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from reticle.storage import endpoint_file
from reticle.storage.daemon_file import DaemonRecord, announce, withdraw
from reticle.storage.endpoint_file import EndpointFile
from reticle.storage.private_files import write_private_if_none
from reticle.storage.process_identity import process_identity


def test_it_holds_one_url_and_goes_with_the_daemon(tmp_path: Path) -> None:
    """
    A client reads one URL while the daemon runs and finds nothing afterwards.
    """
    endpoint = EndpointFile(tmp_path, "http://127.0.0.1:4400/mcp")
    endpoint.write()
    path = tmp_path / "mcp-http-endpoint"
    assert path.read_text() == "http://127.0.0.1:4400/mcp\n"
    assert oct(path.stat().st_mode & 0o777) == "0o600"
    assert endpoint.remove() is True
    assert not path.exists()


def test_a_stopping_daemon_leaves_its_successors_url(tmp_path: Path) -> None:
    """
    A restart on another port stays reachable when the old daemon stops late.
    """
    old, new = (
        EndpointFile(tmp_path, "http://127.0.0.1:1/mcp"),
        EndpointFile(tmp_path, "http://127.0.0.1:2/mcp"),
    )
    old.write()
    new.write()
    assert old.remove() is False
    assert new.path.read_text() == "http://127.0.0.1:2/mcp\n"


def test_it_is_handed_to_no_daemon_that_stops_too(
    tmp_path: Path, record: DaemonRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    One that began to stop while it was being named is not left there, and one that has just started is not
    written over.
    """
    announce(tmp_path, record)
    ours = EndpointFile(tmp_path, "http://127.0.0.1:1/mcp")
    ours.write()

    def write_late(path: Path, text: str) -> bool:
        withdraw(tmp_path, record)
        return write_private_if_none(path, text)

    monkeypatch.setattr(endpoint_file, "write_private_if_none", write_late)
    assert ours.hand_over()
    assert not ours.path.exists()

    def write_after_another(path: Path, text: str) -> bool:
        EndpointFile(tmp_path, "http://127.0.0.1:3/mcp").write()
        return write_private_if_none(path, text)

    announce(tmp_path, record)
    ours.write()
    monkeypatch.setattr(endpoint_file, "write_private_if_none", write_after_another)
    assert ours.hand_over()
    assert ours.path.read_text() == "http://127.0.0.1:3/mcp\n"
    assert not ours.hand_over()
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


@pytest.fixture
def record() -> DaemonRecord:
    """
    A daemon that lives: this very process.
    """
    identity = process_identity(os.getpid()) or ""
    url = "http://127.0.0.1:2"
    return DaemonRecord(url, 2, os.getpid(), identity, 1.0, "0.1.0", "/srv", mcp_url=f"{url}/mcp")
