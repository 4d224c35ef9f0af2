"""
Where the probe looks for the daemon, and what it believes.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from reticle.probe.runtime_file import DaemonAddress, candidates, find_daemon
from reticle.storage.directories import locate_directories

TOLD = {
    "v": 1, "url": "http://127.0.0.1:4400/ingest", "token": "tok", "pid": 1, "sdk": "/sdk.js",
    "bridge": "ws://127.0.0.1:4400/reticle",
}  # fmt: skip


def written(folder: Path, told: Any, mode: int = 0o600) -> Path:
    """
    A runtime file as the daemon writes it.
    """
    path = folder / "probe.json"
    path.write_text(told if isinstance(told, str) else json.dumps(told))
    path.chmod(mode)
    return path


def test_it_reads_what_the_daemon_wrote(tmp_path: Path) -> None:
    """
    An app started beside the daemon needs no setting.
    """
    written(tmp_path, TOLD)
    assert find_daemon({"RETICLE_RUNTIME_DIR": str(tmp_path)}) == DaemonAddress(
        "127.0.0.1", 4400, "/ingest", "tok", "/sdk.js", "ws://127.0.0.1:4400/reticle"
    )


@pytest.mark.parametrize("variable", ["RETICLE_RUNTIME_DIR", "RUNTIME_DIRECTORY", "XDG_RUNTIME_DIR", None])
def test_it_looks_where_the_daemon_lives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str | None
) -> None:
    """
    Both sides name the same folder, whatever the environment says of it.
    """
    tmp_path.chmod(0o700)
    for name in (
        "RETICLE_RUNTIME_DIR",
        "RUNTIME_DIRECTORY",
        "XDG_RUNTIME_DIR",
        "STRIATUM_DAEMON_RUNTIME_DIR",
    ):
        monkeypatch.delenv(name, raising=False)
    if variable is not None:
        monkeypatch.setenv(variable, str(tmp_path))
    told = tmp_path if variable == "RETICLE_RUNTIME_DIR" else None
    theirs = locate_directories(None, told, os.environ).runtime / "probe.json"
    ours = candidates(os.environ)
    assert theirs in ours
    if variable is not None:
        assert theirs == ours[0]


def test_a_named_file_wins(tmp_path: Path) -> None:
    """
    In a container one names the file, and then the daemon may be on the host.
    """
    path = written(tmp_path, TOLD | {"url": "http://172.17.0.1:4400/ingest"})
    found = find_daemon({"RETICLE_PROBE_FILE": str(path), "RETICLE_RUNTIME_DIR": "/nowhere"})
    assert found is not None
    assert found.host == "172.17.0.1"


@pytest.mark.parametrize(
    "told",
    [
        "", "{", "[]", "null", {}, TOLD | {"url": 4}, TOLD | {"url": "https://127.0.0.1/"},
        TOLD | {"url": "http://203.0.113.5:4400/ingest"}, TOLD | {"url": "http://127.0.0.1:x/"},
        TOLD | {"token": None}, TOLD | {"token": "a\r\nb"}, TOLD | {"token": "ä"}, TOLD | {"sdk": 3},
    ],
)  # fmt: skip
def test_it_sends_nothing_on_the_word_of_a_broken_file(tmp_path: Path, told: object) -> None:
    """
    Facts go to a daemon of this machine or nowhere.
    """
    written(tmp_path, told)
    assert find_daemon({"RETICLE_RUNTIME_DIR": str(tmp_path)}) is None


def test_it_does_not_believe_what_others_may_write(tmp_path: Path) -> None:
    """
    A file or link that another user could have put there is passed over.
    """
    path = written(tmp_path, TOLD, 0o644)
    assert find_daemon({"RETICLE_RUNTIME_DIR": str(tmp_path)}) is None
    path.chmod(0o600)
    folder = tmp_path / "links"
    folder.mkdir()
    (folder / "probe.json").symlink_to(path)
    assert find_daemon({"RETICLE_RUNTIME_DIR": str(folder)}) is None
    assert find_daemon({"RETICLE_RUNTIME_DIR": str(tmp_path / "gone")}) is None
