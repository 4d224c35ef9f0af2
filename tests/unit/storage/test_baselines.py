"""
Where baselines are written, and what keeps them in their place.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import reticle.storage.baselines as baselines_module
from reticle.errors import Refusal
from reticle.model.limits import BASELINE_BYTES
from reticle.storage.baselines import baseline_names, keep_baseline, read_baseline

PLACE = "localhost_8000"


@pytest.fixture(name="own")
def own_fixture(tmp_path: Path) -> Path:
    """
    The folder of the state directory.
    """
    return tmp_path / "state" / "baselines"


@pytest.fixture(name="root")
def root_fixture(tmp_path: Path) -> str:
    """
    A project.
    """
    (tmp_path / "shop").mkdir()
    return str(tmp_path / "shop")


def test_a_project_s_baseline_lies_in_the_project(own: Path, root: str) -> None:
    """
    A person finds it beside the code and can commit it; a new one takes the place of the old.
    """
    path = Path(keep_baseline(own, "cart", "one\n", root, PLACE))
    assert path == Path(root) / ".reticle" / "baselines" / "cart.json"
    keep_baseline(own, "cart", "zwei ü\n", root, PLACE)
    assert read_baseline(own, "cart", root, PLACE) == "zwei ü\n"
    assert [each.name for each in path.parent.iterdir()] == ["cart.json"]
    assert not own.exists()


def test_others_lie_in_the_state_directory_by_address(own: Path, root: str) -> None:
    """
    An app of no project, or whose project's folder is gone, has its own; another app does not see them.
    """
    keep_baseline(own, "b", "one", None, PLACE)
    path = Path(keep_baseline(own, "a", "two", f"{root}/gone", PLACE))
    assert path == own / PLACE / "a.json"
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert read_baseline(own, "a", f"{root}/gone", PLACE) == "two"
    assert baseline_names(own, None, PLACE) == ["a", "b"]
    assert baseline_names(own, None, "other_80") == []
    assert read_baseline(own, "a", None, "other_80") is None


def test_a_folder_that_leads_out_of_the_project_is_left_alone(own: Path, root: str, tmp_path: Path) -> None:
    """
    A link in a repository writes nothing elsewhere and shows nothing of elsewhere.
    """
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "cart.json").write_text("secret")
    (Path(root) / ".reticle").mkdir()
    (Path(root) / ".reticle" / "baselines").symlink_to(outside)
    with pytest.raises(Refusal) as unwritten:
        keep_baseline(own, "cart", "x", root, PLACE)
    with pytest.raises(Refusal) as unread:
        read_baseline(own, "cart", root, PLACE)
    assert (unwritten.value.code, unread.value.code) == ("conflict", "conflict")
    assert (outside / "cart.json").read_text() == "secret"


def test_a_file_that_leads_out_is_not_read_and_is_replaced_by_a_new_one(
    own: Path, root: str, tmp_path: Path
) -> None:
    """
    The link goes and what it led to stays.
    """
    outside = tmp_path / "outside.json"
    outside.write_text("secret")
    folder = Path(root) / ".reticle" / "baselines"
    folder.mkdir(parents=True)
    (folder / "cart.json").symlink_to(outside)
    with pytest.raises(Refusal):
        read_baseline(own, "cart", root, PLACE)
    keep_baseline(own, "cart", "mine", root, PLACE)
    assert (outside.read_text(), (folder / "cart.json").is_symlink()) == ("secret", False)


def test_a_full_folder_takes_no_new_name(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Nothing is deleted to make room; names that are there can still be written over.
    """
    monkeypatch.setattr(baselines_module, "BASELINES_IN_FOLDER", 1)
    keep_baseline(own, "a", "one", None, PLACE)
    keep_baseline(own, "a", "two", None, PLACE)
    with pytest.raises(Refusal) as refused:
        keep_baseline(own, "b", "one", None, PLACE)
    assert refused.value.code == "conflict"
    assert baseline_names(own, None, PLACE) == ["a"]


def test_what_is_too_large_is_no_baseline(own: Path) -> None:
    """
    A file that somebody put there fills no memory.
    """
    (own / PLACE).mkdir(parents=True)
    (own / PLACE / "big.json").write_bytes(b"x" * (BASELINE_BYTES + 1))
    with pytest.raises(Refusal) as refused:
        read_baseline(own, "big", None, PLACE)
    assert refused.value.code == "conflict"


def test_a_disk_that_fails_is_said(own: Path) -> None:
    """
    The agent hears why, and nothing half-written stays.
    """
    own.parent.mkdir(parents=True)
    own.write_text("a file where the folder should be")
    with pytest.raises(Refusal) as refused:
        keep_baseline(own, "a", "one", None, PLACE)
    assert refused.value.code == "storage_failed"
