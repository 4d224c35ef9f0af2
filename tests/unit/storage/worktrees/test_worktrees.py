"""
The state of a repository's files, compared with how they were.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import pytest
from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from reticle.errors import Refusal
from reticle.storage.database import Database
from reticle.storage.worktrees.listing import UnlistedError
from reticle.storage.worktrees.manifests import StoredManifests
from reticle.storage.worktrees.worktrees import RealWorktrees
from reticle.testing.threads import ThreadCalls


@attrs.define
class OneThread:
    """
    A reactor whose pool works at once.
    """

    calls: ThreadCalls

    def getThreadPool(self) -> OneThread:
        """
        Itself.
        """
        return self

    def callInThreadWithCallback(
        self, told: Callable[[bool, Any], None], work: Callable[..., Any], *arguments: Any
    ) -> None:
        """
        Work at once.
        """
        try:
            told(True, work(*arguments))
        except Exception:  # noqa: BLE001 - as a pool does
            told(False, Failure())

    def callFromThread(self, *call: Any, **named: Any) -> None:
        """
        Queue it.
        """
        self.calls.callFromThread(*call, **named)


@pytest.fixture
def worktrees(file_database: Database, calls: ThreadCalls) -> RealWorktrees:
    """
    Over a database of the test's own, long after every change.
    """
    manifests = StoredManifests(file_database, lambda: 1.0)
    return RealWorktrees(OneThread(calls), manifests, lambda: 10**12 * 10**9)


def test_a_file_that_was_seen_by_the_way_is_missed(
    worktrees: RealWorktrees, calls: ThreadCalls, tmp_path: Path
) -> None:
    """
    What was there when a page was loaded is told once it is gone, without anybody having waited for the look;
    a folder that cannot be looked at keeps nobody waiting.
    """
    shop = tmp_path / "shop"
    shop.mkdir()
    fix = shop / "fix.js"
    fix.write_text("right")
    for root in (shop, tmp_path / "none"):
        worktrees.see(str(root))
        calls.result_of(worktrees.seen(str(root)))
    fix.unlink()
    assert calls.result_of(worktrees.snapshot(str(shop))).recent == (("fix.js", 10.0**12),)


def test_tells_what_changed(worktrees: RealWorktrees, calls: ThreadCalls, tmp_path: Path) -> None:
    """Two looks at a folder name the files that differ between them."""
    root = tmp_path / "shop"
    root.mkdir()
    (root / "a.py").write_text("one")
    before = calls.result_of(worktrees.snapshot(str(root)))
    (root / "a.py").write_text("two")
    (root / "b.py").write_text("new")
    after = calls.result_of(worktrees.snapshot(str(root)))
    assert before.tree is not None
    assert after.tree is not None
    assert {path for path, _ in after.recent} == {"a.py", "b.py"}
    assert after.recent[0][1] == max((root / name).stat().st_ctime_ns for name in ("a.py", "b.py")) / 1e9
    changed = Deferred.fromCoroutine(worktrees.changed(before.tree, after.tree))
    assert calls.result_of(changed) == ["a.py", "b.py"]
    had = Deferred.fromCoroutine(worktrees.had(before.tree, ["a.py", "b.py"]))
    assert calls.result_of(had) == ["a.py"]
    assert calls.result_of(Deferred.fromCoroutine(worktrees.had("tree:lost", ["a.py"]))) is None
    same = Deferred.fromCoroutine(worktrees.changed(after.tree, after.tree))
    assert same.result == ()
    lost = Deferred.fromCoroutine(worktrees.changed("tree:x", after.tree))
    assert calls.result_of(lost) is None


def test_tells_what_git_was_told_to_ignore(
    worktrees: RealWorktrees, calls: ThreadCalls, tmp_path: Path
) -> None:
    """A file that is there and seen no more is named; one that is gone is not."""
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text("x")
    (tmp_path / ".git" / "info" / "exclude").write_text("a.py\n")
    hidden = Deferred.fromCoroutine(worktrees.hidden(str(tmp_path), ["a.py", "b.py", "c.py"]))
    assert calls.result_of(hidden) == ["a.py"]


def test_what_cannot_be_read_is_said(worktrees: RealWorktrees, calls: ThreadCalls, tmp_path: Path) -> None:
    """A folder that is gone, or a broken repository, has no state and a reason."""
    (tmp_path / ".git").write_text("gitdir: /nowhere\n")
    for root in (tmp_path, tmp_path / "none"):
        seen = calls.result_of(worktrees.snapshot(str(root)))
        assert seen.tree is None
        assert seen.trouble


def test_reads_files_and_looks_for_servers(
    worktrees: RealWorktrees, calls: ThreadCalls, tmp_path: Path
) -> None:
    """Files are read by their place in the folder; who serves a page elsewhere is not claimed to be known."""
    (tmp_path / "a.md").write_text("a")
    found = calls.result_of(Deferred.fromCoroutine(worktrees.read(str(tmp_path), "a.md", 10)))
    assert found.content == b"a"
    with pytest.raises(Refusal):
        calls.result_of(Deferred.fromCoroutine(worktrees.read(str(tmp_path), "b.md", 10)))
    served = calls.result_of(Deferred.fromCoroutine(worktrees.serving("http://shop.example/")))
    assert served.trouble


def test_a_link_to_a_folder_outside_hides_what_is_in_it(
    worktrees: RealWorktrees, calls: ThreadCalls, tmp_path: Path
) -> None:
    """Files behind such a link are in no snapshot, which is told; a link within the repository is let be."""
    root = tmp_path / "shop"
    (root / "own").mkdir(parents=True)
    (root / "own" / "a.js").write_text("a")
    (tmp_path / "outside").mkdir()
    (root / "static").symlink_to(tmp_path / "outside")
    (root / "assets").symlink_to("own")
    told = Deferred.fromCoroutine(worktrees.hidden(str(root), ["assets", "own/a.js", "static"]))
    assert calls.result_of(told) == ["static"]


def test_publishes_a_file_with_a_state_in_which_it_was_that_file(
    worktrees: RealWorktrees, calls: ThreadCalls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An edit between the look at one file and the look at all of them is seen, and the file read anew."""
    root = tmp_path / "shop"
    root.mkdir()
    (root / "a.py").write_text("one")
    edits = ["two"]
    really = worktrees._look

    def editing(folder: str) -> Any:
        if edits:
            (root / "a.py").write_text(edits.pop())
        return really(folder)

    monkeypatch.setattr(worktrees, "_look", editing)
    file, seen = calls.result_of(Deferred.fromCoroutine(worktrees.read_in_state(str(root), "a.py", 1_000)))
    assert file.content == b"two"
    assert seen.tree == calls.result_of(worktrees.snapshot(str(root))).tree
    edits.extend(["three", "four", "five"])
    with pytest.raises(Refusal, match="changes while it is published"):
        calls.result_of(Deferred.fromCoroutine(worktrees.read_in_state(str(root), "a.py", 1_000)))


def test_trouble_with_a_name_that_is_no_text_can_be_sent(
    worktrees: RealWorktrees, calls: ThreadCalls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Why the files could not be told is text of UTF-8, whatever a file is called."""
    (tmp_path / os.fsdecode(b"\xff")).write_bytes(b"more")

    def refused(path: str, *_: object) -> bytes:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr("reticle.storage.worktrees.manifest._hash_of", refused)
    seen = calls.result_of(worktrees.snapshot(str(tmp_path)))
    assert seen.tree is None
    assert "cannot be read" in seen.trouble.encode().decode()


def test_counts_a_file_as_hidden_where_it_cannot_be_told(
    worktrees: RealWorktrees, calls: ThreadCalls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An agent that breaks the look at what it hid has hidden it."""

    def broken(_: Path) -> list[str]:
        raise UnlistedError("broken just now")

    monkeypatch.setattr("reticle.storage.worktrees.worktrees.listed", broken)
    hidden = calls.result_of(Deferred.fromCoroutine(worktrees.hidden(str(tmp_path), ["a.py"])))
    assert hidden == ["a.py"]
