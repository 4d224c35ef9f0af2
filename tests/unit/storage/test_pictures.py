"""
Where pictures are written, and what keeps them in their place.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

import reticle.storage.pictures as pictures_module
from reticle.errors import Refusal
from reticle.storage.pictures import keep_picture

PNG = b"\x89PNG\r\n\x1a\n"


def keep(
    state_dir: Path, name: str = "cart", png: bytes = PNG, root: Path | None = None, place: str = "x_80"
) -> Path:
    """
    The path of a picture that was kept.
    """
    return Path(keep_picture(state_dir / "visual", name, png, None if root is None else str(root), place))


def test_a_project_s_picture_lies_in_the_project(state_dir: Path, tmp_path: Path) -> None:
    """
    A person finds it beside the code and can commit it; a new one takes the place of the old.
    """
    root = tmp_path / "shop"
    root.mkdir()
    path = keep(state_dir, root=root)
    assert path == root / ".reticle" / "visual" / "cart.png"
    keep(state_dir, png=b"newer", root=root)
    assert path.read_bytes() == b"newer"
    assert [each.name for each in path.parent.iterdir()] == ["cart.png"]
    assert not (state_dir / "visual").exists()


@pytest.mark.parametrize("there", [True, False])
def test_without_a_project_it_lies_in_the_state_directory(
    state_dir: Path, tmp_path: Path, *, there: bool
) -> None:
    """
    So does one of a project whose folder was removed; nobody else can read it there.
    """
    path = keep(state_dir, root=None if there else tmp_path / "removed")
    assert path == state_dir / "visual" / "x_80" / "cart.png"
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_folder_that_leads_out_of_the_project_is_not_written(state_dir: Path, tmp_path: Path) -> None:
    """
    A repository that was cloned from somebody else cannot have pictures written elsewhere by a link in it.
    """
    root, outside = tmp_path / "shop", tmp_path / "outside"
    outside.mkdir()
    (root / ".reticle").mkdir(parents=True)
    (root / ".reticle" / "visual").symlink_to(outside)
    with pytest.raises(Refusal) as caught:
        keep(state_dir, root=root)
    assert caught.value.code == "conflict"
    assert list(outside.iterdir()) == []


def test_a_link_in_place_of_a_picture_is_replaced(state_dir: Path, tmp_path: Path) -> None:
    """
    What it leads to stays as it was.
    """
    root, victim = tmp_path / "shop", tmp_path / "victim"
    victim.write_text("mine")
    folder = root / ".reticle" / "visual"
    folder.mkdir(parents=True)
    (folder / "cart.png").symlink_to(victim)
    path = keep(state_dir, root=root)
    assert (victim.read_text(), path.read_bytes(), path.is_symlink()) == ("mine", PNG, False)


def test_a_project_is_not_filled_without_end(
    state_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    An agent that invents a name for each picture is stopped; those that are there can be taken anew.
    """
    monkeypatch.setattr(pictures_module, "PICTURES_IN_PROJECT", 2)
    root = tmp_path / "shop"
    root.mkdir()
    for name in ("a", "b", "a"):
        keep(state_dir, name, root=root)
    with pytest.raises(Refusal) as caught:
        keep(state_dir, "c", root=root)
    assert caught.value.code == "conflict"


def test_the_oldest_make_room_in_the_state_directory(
    state_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    The state directory stays bounded; the picture that was just taken is kept, however large.
    """
    monkeypatch.setattr(pictures_module, "PICTURES_BYTES", 25)
    for number, place in enumerate(("one", "two", "one")):
        path = keep(state_dir, f"p{number}", b"0123456789", place=place)
        os.utime(path, (number, number))
    left = {path.name for path in (state_dir / "visual").rglob("*.png")}
    assert left == {"p1.png", "p2.png"}
    keep(state_dir, "large", b"x" * 99)
    assert {path.name for path in (state_dir / "visual").rglob("*.png")} == {"large.png"}


def test_a_folder_that_cannot_be_written_is_told(state_dir: Path, tmp_path: Path) -> None:
    """
    The refusal says what the system said, and nothing half is left.
    """
    root = tmp_path / "shop"
    root.mkdir()
    (root / ".reticle").write_text("a file")
    with pytest.raises(Refusal) as caught:
        keep(state_dir, root=root)
    assert caught.value.code == "storage_failed"
    folder = root / "b" / ".reticle" / "visual"
    (folder / "cart.png").mkdir(parents=True)
    with pytest.raises(Refusal) as caught:
        keep(state_dir, root=root / "b")
    assert caught.value.code == "storage_failed"
    assert [each.name for each in folder.iterdir()] == ["cart.png"]
