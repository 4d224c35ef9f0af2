"""
The folder of one run, and what a killed daemon left.
"""

from __future__ import annotations

import stat
import tempfile
from pathlib import Path

import pytest

from reticle.browser.run_folder import left_behind, make_run_folder, remove_run_folder, sweep


def test_a_run_has_a_private_folder(tmp_path: Path) -> None:
    """
    Profile, temporary files and downloads, for the owner's eyes only.
    """
    folder = make_run_folder(tmp_path / "browser")
    for path in (tmp_path / "browser", folder.path, folder.profile, folder.downloads, folder.temporary):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700
    (folder.profile / "SingletonLock").symlink_to("host-1")
    remove_run_folder(folder.path)
    assert list((tmp_path / "browser").iterdir()) == []


def test_sockets_find_room_below_a_long_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Chromium does not start where its socket's path is too long; the folder elsewhere goes with the run too.
    """
    elsewhere = tmp_path / "t"
    elsewhere.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(elsewhere))
    folder = make_run_folder(tmp_path / ("long" * 20))
    assert folder.temporary.parent == elsewhere
    (folder.temporary / "file").write_text("x")
    remove_run_folder(folder.path)
    assert list(elsewhere.iterdir()) == []
    assert not folder.path.exists()


def test_what_a_killed_daemon_left_is_swept(tmp_path: Path) -> None:
    """
    And the logins that are kept beside it are not.
    """
    parent = tmp_path / "browser"
    assert (left_behind(parent), sweep(parent)) == ([], 0)
    old = [make_run_folder(parent).path for _ in range(2)]
    (parent / "logins").mkdir()
    assert left_behind(parent) == sorted(old)
    assert sweep(parent) == 2
    assert [path.name for path in parent.iterdir()] == ["logins"]
