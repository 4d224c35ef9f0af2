"""
Which browser is driven.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from reticle.browser.discovery import NAMES, find_browser
from reticle.errors import Refusal


def program(path: Path, mode: int = 0o755) -> Path:
    """
    A file that can be started.
    """
    path.parent.mkdir(exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(mode)
    return path


def test_the_named_one_is_taken_and_no_other(tmp_path: Path) -> None:
    """
    A setting that is wrong is said, not silently replaced.
    """
    named = program(tmp_path / "mine")
    program(tmp_path / "bin" / "chromium")
    assert find_browser(named, str(tmp_path / "bin")) == named
    for wrong in (tmp_path / "missing", program(tmp_path / "data", 0o644), tmp_path):
        with pytest.raises(Refusal, match=str(wrong)) as refused:
            find_browser(wrong, str(tmp_path / "bin"))
        assert refused.value.code == "no_browser"


def test_the_first_on_the_path_is_taken(tmp_path: Path) -> None:
    """
    Chromium before Chrome before the others.
    """
    for name in reversed(NAMES):
        there = program(tmp_path / name)
        assert find_browser(None, str(tmp_path)) == there


def test_the_usual_places_come_last(tmp_path: Path) -> None:
    """
    Where programs are not on the path.
    """
    app = program(tmp_path / "Google Chrome")
    assert find_browser(None, str(tmp_path / "empty"), [str(tmp_path / "none"), str(app)]) == app


def test_none_says_what_to_install(tmp_path: Path) -> None:
    """
    The agent can tell its person.
    """
    with pytest.raises(Refusal) as refused:
        find_browser(None, str(tmp_path), [])
    assert refused.value.code == "no_browser"
    assert "RETICLE_CHROMIUM" in refused.value.recovery
