"""
The file by which probes find the daemon.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from reticle.model.trust import Secret
from reticle.storage.probe_file import ProbeFile, remove_probe_file_of


def test_its_owner_alone_reads_where_facts_go(tmp_path: Path) -> None:
    """
    Address and token stand there as long as the daemon runs, and nobody else may read them.
    """
    tmp_path.chmod(0o700)
    file = ProbeFile(tmp_path, "http://127.0.0.1:4400", Secret("one"))
    file.write()
    told = json.loads(file.path.read_text())
    assert (told["v"], told["url"], told["token"]) == (1, "http://127.0.0.1:4400/ingest", "one")
    assert told["bridge"] == "ws://127.0.0.1:4400/reticle"
    assert file.path.stat().st_mode & 0o777 == 0o600
    file.remove()
    assert not file.path.exists()


def test_a_successors_file_stays(tmp_path: Path) -> None:
    """
    A daemon that stops late does not hide the one that has started meanwhile.
    """
    tmp_path.chmod(0o700)
    first = ProbeFile(tmp_path, "http://127.0.0.1:4400", Secret("one"))
    second = ProbeFile(tmp_path, "http://127.0.0.1:4401", Secret("two"))
    first.write()
    second.write()
    first.remove()
    assert json.loads(second.path.read_text())["token"] == "two"


def test_a_killed_daemons_file_is_cleared_and_no_others(tmp_path: Path) -> None:
    """
    Whoever stops a daemon that hangs leaves no token of it behind, and hides none that lives.
    """
    tmp_path.chmod(0o700)
    remove_probe_file_of(tmp_path, os.getpid())  # there is none
    file = ProbeFile(tmp_path, "http://127.0.0.1:4400", Secret("one"))
    file.write()
    remove_probe_file_of(tmp_path, os.getpid() + 1)
    assert file.path.exists()
    remove_probe_file_of(tmp_path, os.getpid())
    assert not file.path.exists()
    file.path.write_text("of somebody else")
    file.path.chmod(0o600)
    remove_probe_file_of(tmp_path, os.getpid())
    assert file.path.exists()
