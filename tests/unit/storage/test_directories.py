"""
Where state and runtime files go.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from reticle.storage.directories import locate_directories, prepare_directories


def test_what_was_told_wins_over_systemd_over_the_platform(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Under a unit the unit's directories are used unless ours are set.
    """
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))
    unit = {"STATE_DIRECTORY": "/var/lib/reticle:/var/lib/more", "RUNTIME_DIRECTORY": "/run/reticle"}
    plain = locate_directories(None, None, {})
    assert (plain.state, plain.runtime) == (tmp_path / "home" / "reticle", tmp_path / "run" / "reticle")
    under_unit = locate_directories(None, None, unit)
    assert (under_unit.state, under_unit.runtime) == (Path("/var/lib/reticle"), Path("/run/reticle"))
    told = locate_directories(tmp_path / "s", tmp_path / "r", unit)
    assert (told.state, told.runtime) == (tmp_path / "s", tmp_path / "r")


def test_both_are_made_private(tmp_path: Path) -> None:
    """
    After a start both directories exist and are closed to others.
    """
    made = prepare_directories(tmp_path / "s", tmp_path / "r", {})
    assert [oct(path.stat().st_mode & 0o777) for path in (made.state, made.runtime)] == ["0o700", "0o700"]
