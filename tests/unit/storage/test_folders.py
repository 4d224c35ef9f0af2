"""
Where a path leads.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from reticle.errors import Refusal
from reticle.storage.folders import real_folder


def test_a_folder_has_one_path(tmp_path: Path) -> None:
    """
    A repository that is named through a link is the one that the link leads to.
    """
    folder = tmp_path / "app"
    folder.mkdir()
    (tmp_path / "link").symlink_to(folder)
    assert real_folder(str(folder)) == real_folder(f"{tmp_path}/link/../app/") == os.path.realpath(folder)
    assert real_folder(str(tmp_path / "link")) == os.path.realpath(folder)


@pytest.mark.parametrize("path", ["app", "", "/nowhere/at/all", "/dev/null", "/a\0b", "/" + "x" * 5000])
def test_what_is_no_folder_is_refused(path: str) -> None:
    """
    A relative path, a file and what is not there are refused before anything is registered.
    """
    with pytest.raises(Refusal) as told:
        real_folder(path)
    assert told.value.code == "not_found"
    assert len(told.value.message) < 300
