"""
The file by which probes find the daemon.
"""

from __future__ import annotations

import json
from pathlib import Path

from reticle.model.trust import Secret
from reticle.storage.probe_file import ProbeFile


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
