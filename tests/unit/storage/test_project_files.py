"""
Text files of a project.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from reticle.errors import Refusal
from reticle.storage.project_files import existing_project, faults_of, refuse_elsewhere, replace_text


def test_a_link_is_replaced_and_not_followed(tmp_path: Path) -> None:
    """
    What a link in a repository points to stays as it was, and no half file is left.
    """
    outside, link = tmp_path / "outside", tmp_path / "contract.json"
    outside.write_text("secret")
    link.symlink_to(outside)
    replace_text(link, "ours")
    assert (outside.read_text(), link.read_text(), link.is_symlink()) == ("secret", "ours", False)
    with pytest.raises(OSError, match="directory"):
        replace_text(tmp_path / "nowhere" / "x.json", "ours")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["contract.json", "outside"]


def test_only_what_is_inside_is_touched(tmp_path: Path) -> None:
    """
    A folder that leads out is refused, one of no project is nobody's.
    """
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "out").symlink_to(tmp_path)
    with pytest.raises(Refusal) as refused:
        refuse_elsewhere(tmp_path / "shop" / "out", tmp_path / "shop")
    assert refused.value.code == "conflict"
    refuse_elsewhere(tmp_path / "shop" / "in", tmp_path / "shop")
    refuse_elsewhere(tmp_path, None)
    assert existing_project(str(tmp_path / "gone")) is None
    assert existing_project(None) is None


def test_what_the_system_refuses_is_said_in_words() -> None:
    """
    An agent learns what failed and what to look at.
    """
    with pytest.raises(Refusal) as refused, faults_of("contract", "written"):
        raise PermissionError(13, "Permission denied")
    assert refused.value.message == "the contract could not be written: Permission denied"
