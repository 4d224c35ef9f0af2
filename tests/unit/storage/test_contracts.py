"""
Where contracts are written.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from reticle.errors import Refusal
from reticle.model.limits import CONTRACT_BYTES
from reticle.storage.contracts import keep_contract, read_contract


def test_a_contract_lies_in_its_project_and_is_replaced_whole(tmp_path: Path) -> None:
    """
    A person finds one file beside the code, and nothing else.
    """
    assert read_contract(str(tmp_path)) is None
    path = Path(keep_contract("one\n", str(tmp_path)))
    assert path == tmp_path / ".reticle" / "contract.json"
    keep_contract("zwei ü\n", str(tmp_path))
    assert read_contract(str(tmp_path)) == "zwei ü\n"
    assert [each.name for each in path.parent.iterdir()] == ["contract.json"]


def test_a_project_that_moved_gets_none(tmp_path: Path) -> None:
    """
    No folder is made anew where a project used to be.
    """
    with pytest.raises(Refusal) as refused:
        keep_contract("x", str(tmp_path / "gone"))
    assert refused.value.code == "not_found"
    assert not (tmp_path / "gone").exists()


def test_links_out_of_the_project_are_left_alone(tmp_path: Path) -> None:
    """
    A link in a repository writes nothing elsewhere and shows nothing of elsewhere.
    """
    outside, project = tmp_path / "outside", tmp_path / "shop"
    outside.mkdir()
    project.mkdir()
    (outside / "contract.json").write_text("secret")
    (project / ".reticle").symlink_to(outside)
    with pytest.raises(Refusal) as unwritten:
        keep_contract("x", str(project))
    with pytest.raises(Refusal) as unread:
        read_contract(str(project))
    assert (unwritten.value.code, unread.value.code) == ("conflict", "conflict")
    assert (outside / "contract.json").read_text() == "secret"


def test_what_cannot_be_written_or_be_a_contract_is_said(tmp_path: Path) -> None:
    """
    A file in the place of the folder, and a file of another kind.
    """
    (tmp_path / ".reticle").write_text("")
    with pytest.raises(Refusal) as unwritten:
        keep_contract("x", str(tmp_path))
    (tmp_path / ".reticle").unlink()
    path = Path(keep_contract("x", str(tmp_path)))
    path.write_bytes(b"x" * (CONTRACT_BYTES + 1))
    with pytest.raises(Refusal) as unread:
        read_contract(str(tmp_path))
    assert (unwritten.value.code, unread.value.code) == ("storage_failed", "conflict")
