"""
Files of the front's own.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from reticle.relay.files import read_own, read_whole, write_own


def test_what_is_written_is_read_and_closed_to_others(tmp_path: Path) -> None:
    """
    What the daemon said is kept for its owner alone.
    """
    path = tmp_path / "a" / "b" / "kept.json"
    assert write_own(str(path), b"one")
    assert write_own(str(path), b"two")
    assert read_own(str(path), 10) == b"two"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [each.name for each in path.parent.iterdir()] == ["kept.json"]


def test_a_file_that_others_can_write_is_not_believed(tmp_path: Path) -> None:
    """
    Nobody else can put words into the front's mouth.
    """
    path = tmp_path / "kept.json"
    path.write_bytes(b"x")
    path.chmod(0o666)
    assert read_own(str(path), 10) is None
    assert read_whole(str(path), 10) == b"x"


def test_what_is_no_small_regular_file_is_not_read(tmp_path: Path) -> None:
    """
    A link, a folder, a pipe or a huge file in its place is passed over, and nothing hangs.
    """
    real = tmp_path / "real"
    real.write_bytes(b"0123456789")
    (tmp_path / "link").symlink_to(real)
    os.mkfifo(tmp_path / "pipe")
    for name, most in (("link", 100), ("pipe", 100), (".", 100), ("missing", 100), ("real", 9)):
        assert read_whole(str(tmp_path / name), most) is None


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    """
    A read-only home does not end the front.
    """
    (tmp_path / "file").write_bytes(b"")
    assert write_own(str(tmp_path / "file" / "kept.json"), b"x") is False
