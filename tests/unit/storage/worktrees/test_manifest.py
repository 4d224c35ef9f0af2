"""
Two states of a repository's files differ where something in them does, and nowhere else.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.storage.worktrees import manifest
from reticle.storage.worktrees.listing import UnlistedError
from reticle.storage.worktrees.manifest import Hashing, Manifest

LATER_NS = 10**12 * 10**9
FILES = st.dictionaries(
    st.text("ab/ö", min_size=1, max_size=4), st.binary(min_size=16, max_size=16), max_size=4
).map(Manifest)


def hashing() -> Hashing:
    """
    At a time at which no file changed just now.
    """
    return Hashing(lambda: LATER_NS)


@given(FILES, FILES)
def test_a_fingerprint_tells_states_apart(one: Manifest, other: Manifest) -> None:
    """The same fingerprint means the same files, and what differs is named from both sides."""
    assert (one.tree == other.tree) == (one.files == other.files)
    assert one.differing(other) == other.differing(one)
    assert bool(one.differing(other)) == (one.tree != other.tree)


@given(FILES)
def test_what_is_stored_comes_back(one: Manifest) -> None:
    """A state that was kept is the state that was seen."""
    assert Manifest.unpacked(one.packed()) == one


def test_names_what_changed(tmp_path: Path) -> None:
    """An edit, a new file, one that is gone, a link that leads elsewhere, a right to run: all are changes."""
    for name in ("edited", "gone", "same", "run"):
        (tmp_path / name).write_text(name)
    (tmp_path / "link").symlink_to("same")
    reader = hashing()
    before = reader.manifest(str(tmp_path))
    assert reader.manifest(str(tmp_path)) == before
    (tmp_path / "edited").write_text("edited!")
    (tmp_path / "gone").unlink()
    (tmp_path / "new").write_text("new")
    (tmp_path / "run").chmod(0o755)
    (tmp_path / "link").unlink()
    (tmp_path / "link").symlink_to("edited")
    after = reader.manifest(str(tmp_path))
    assert after.differing(before) == ["edited", "gone", "link", "new", "run"]
    assert after.tree != before.tree


def test_a_file_that_is_gone_is_told_with_when_it_was_seen_last(tmp_path: Path) -> None:
    """What a page was loaded with and is gone since then is known to be younger than the page, until it is
    there again.
    """
    now = LATER_NS
    reader = Hashing(lambda: now)
    (tmp_path / "fix.js").write_text("right")
    reader.manifest(str(tmp_path))
    now += 10**9
    reader.manifest(str(tmp_path))
    (tmp_path / "fix.js").unlink()
    seen, now = now, now + 10**9
    assert reader.manifest(str(tmp_path)).recent == (("fix.js", seen / 1e9),)
    now += 10**9
    assert reader.manifest(str(tmp_path)).changed_ns == {"fix.js": seen}
    assert reader.manifest(str(tmp_path)).tree == Manifest({}).tree
    (tmp_path / "fix.js").write_text("right")
    told = (tmp_path / "fix.js").stat()
    assert reader.manifest(str(tmp_path)).changed_ns == {"fix.js": told.st_ctime_ns}


def test_names_are_told_as_text(tmp_path: Path) -> None:
    """A name that is no text, or would begin a line of its own in an answer, is escaped."""
    reader = hashing()
    before = reader.manifest(str(tmp_path))
    for name in (b"\xff.py", b"a\nb", "ö".encode()):
        (tmp_path / os.fsdecode(name)).write_text("x")
    after = reader.manifest(str(tmp_path))
    assert after.differing(before) == ["\\\\xff.py", "a\\nb", "ö"]
    assert {name for name, _ in after.recent} == {*after.differing(before)}


def test_times_that_were_set_back_hide_nothing(tmp_path: Path) -> None:
    """Whoever edits a file and sets its time back is noticed: the time of the change stays."""
    file = tmp_path / "a.py"
    file.write_text("one")
    told = file.stat()
    reader = hashing()
    before = reader.manifest(str(tmp_path))
    file.write_text("two")
    os.utime(file, ns=(told.st_atime_ns, told.st_mtime_ns))
    assert reader.manifest(str(tmp_path)).differing(before) == ["a.py"]


def test_a_file_that_just_changed_is_read_again(tmp_path: Path) -> None:
    """Two edits within one tick of the file system's clock are two."""
    file = tmp_path / "a.py"
    file.write_text("one")
    told = file.stat()
    reader = Hashing(lambda: told.st_ctime_ns)
    before = reader.manifest(str(tmp_path))
    known = reader._known
    assert not known
    file.write_text("two")
    assert reader.manifest(str(tmp_path)).differing(before) == ["a.py"]


def test_what_is_remembered_is_bounded(tmp_path: Path) -> None:
    """A large repository does not fill the daemon's memory."""
    for number in range(5):
        (tmp_path / f"f{number}").write_text("x")
    reader = Hashing(lambda: LATER_NS, remembered=3)
    reader.manifest(str(tmp_path))
    assert len(reader._known) == 3


def test_too_much_to_read_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A repository that is too large to look at is told, and never taken for unchanged."""
    monkeypatch.setattr(manifest, "TREE_HASHED_BYTES", 3)
    (tmp_path / "a").write_text("long")
    with pytest.raises(UnlistedError, match="more than 3 bytes"):
        hashing().manifest(str(tmp_path))


def test_what_a_link_leads_to_is_part_of_the_state(tmp_path: Path) -> None:
    """Who puts a link in place of a file and edits behind it, outside of the repository, has edited."""
    root, outside = tmp_path / "shop", tmp_path / "outside.html"
    root.mkdir()
    outside.write_text("right")
    (root / "index.html").symlink_to(outside)
    (root / "gone").symlink_to(tmp_path / "nothing")
    (root / "round").symlink_to("round")
    reader = hashing()
    before = reader.manifest(str(root))
    assert reader.manifest(str(root)) == before
    outside.write_text("wrong")
    after = reader.manifest(str(root))
    assert after.differing(before) == ["index.html"]
    assert after.changed_ns["index.html"] == outside.stat().st_ctime_ns


def test_a_folder_that_became_a_file_or_a_circle_hides_no_other_file(tmp_path: Path) -> None:
    """Where a tracked file's folder is a file now, that file is gone, and the state of the others is told."""
    git(tmp_path, "init", "-q")
    for folder in ("was", "circle"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.py").write_text("a")
    git(tmp_path, "add", "-A")
    for folder in ("was", "circle"):
        (tmp_path / folder / "a.py").unlink()
        (tmp_path / folder).rmdir()
    (tmp_path / "was").write_text("a file")
    (tmp_path / "circle").symlink_to("circle")
    assert sorted(hashing().manifest(str(tmp_path)).files) == ["circle", "was"]


def test_a_file_that_only_grows_ends_the_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A log that is written faster than it is read keeps nobody waiting."""
    (tmp_path / "log").write_bytes(b"x" * 100)
    monkeypatch.setattr(manifest, "TREE_HASHED_BYTES", 150)
    really = os.lstat

    def earlier(path: str) -> os.stat_result:
        told = really(path)
        (tmp_path / "log").write_bytes(b"x" * 200)
        return told

    monkeypatch.setattr("reticle.storage.worktrees.manifest.os.lstat", earlier)
    with pytest.raises(UnlistedError, match="grows while it is read"):
        hashing().manifest(str(tmp_path))


def test_tells_whether_a_file_held_exactly_something(tmp_path: Path) -> None:
    """What was read of a file is compared with the state of all files, whether it can be run or not."""
    (tmp_path / "a").write_bytes(b"one")
    (tmp_path / "run").write_bytes(b"two")
    (tmp_path / "run").chmod(0o755)
    seen = hashing().manifest(str(tmp_path))
    assert seen.has("a", b"one") is True
    assert seen.has("a", b"other") is False
    assert seen.has("run", b"two") is True
    assert seen.has("ignored", b"one") is None


def git(folder: Path, *words: str) -> None:
    """
    Run git there.
    """
    subprocess.run(["git", "-C", str(folder), *words], check=True)
