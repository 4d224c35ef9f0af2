"""
What is published is the file that was named, and no link leads to another.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.storage.worktrees.reading import read_file


def test_reads_a_file(tmp_path: Path) -> None:
    """A report is read whole, with its hash."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_bytes(b"x" * 3_000_000)
    found = read_file(str(tmp_path), "docs/a.md", 3_000_000)
    assert found.content == b"x" * 3_000_000
    assert found.sha256 == hashlib.sha256(found.content).hexdigest()


def test_follows_no_link(tmp_path: Path) -> None:
    """A link in the last part of a path or in one before it is refused, even one that stays inside."""
    secret = tmp_path / "secret"
    secret.write_text("s")
    root = tmp_path / "root"
    (root / "docs").mkdir(parents=True)
    (root / "docs" / "out").symlink_to(secret)
    (root / "up").symlink_to(tmp_path)
    (root / "docs" / "a").write_text("a")
    (root / "in").symlink_to("docs")
    for path in ("docs/out", "up/secret", "in/a"):
        with pytest.raises(Refusal) as refused:
            read_file(str(root), path, 100)
        assert refused.value.code == RefusalCode.PATH_OUTSIDE_SCOPE


def test_refuses_what_is_no_plain_file(tmp_path: Path) -> None:
    """A folder, a pipe, a file that is not there, or too large a one is no artifact, and nothing hangs."""
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "large").write_text("x" * 11)
    (tmp_path / "file").write_text("x")
    for path in ("folder", "pipe", "none", "none/a", "file/a", "large"):
        with pytest.raises(Refusal) as refused:
            read_file(str(tmp_path), path, 10)
        assert refused.value.code == RefusalCode.ARTIFACT_ERROR
