"""
A repository's files are told by git where there is git, and nothing that the repository configures is run.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from reticle.storage.worktrees import listing
from reticle.storage.worktrees.listing import UnlistedError, commit_of, listed


def git(root: Path, *words: str) -> None:
    """
    Git as a person runs it, with nothing of this machine's settings.
    """
    environment = {
        **os.environ,
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_CONFIG_SYSTEM": "/dev/null",
        "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a@example.org",
        "GIT_COMMITTER_NAME": "a",
        "GIT_COMMITTER_EMAIL": "a@example.org",
    }
    subprocess.run(["git", "-C", str(root), *words], check=True, capture_output=True, env=environment)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """
    A folder with some files, in no repository.
    """
    for name in ("a.py", "src/b.py", "src/__pycache__/b.pyc", ".reticle/contract.json", "log/x.log", "ö.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    return tmp_path


def test_without_git_every_file_counts_but_caches(root: Path) -> None:
    """A project without git has the files that are there, without those that are made anew at any time."""
    assert listed(root) == ["a.py", "log/x.log", "src/b.py", "ö.txt"]
    assert commit_of(root) is None


def test_with_git_what_it_ignores_does_not_count(root: Path) -> None:
    """Logs and builds that git ignores are no change; a new file that it does not ignore is."""
    (root / ".gitignore").write_text("log/\n__pycache__/\n")
    git(root, "init", "-q")
    assert listed(root) == [".gitignore", "a.py", "src/b.py", "ö.txt"]
    assert commit_of(root) is None
    git(root, "add", "a.py", ".gitignore")
    git(root, "commit", "-q", "-m", "x")
    assert listed(root) == [".gitignore", "a.py", "src/b.py", "ö.txt"]
    assert len(commit_of(root) or "") == 40
    assert listed(root / "src") == ["b.py"]


def test_tells_the_commit_however_git_keeps_it(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Packed, detached, or of a second worktree: the commit is the one that git names."""
    git(root, "init", "-q")
    git(root, "add", "a.py")
    git(root, "commit", "-q", "-m", "x")
    commit = commit_of(root)
    git(root, "pack-refs", "--all")
    assert commit_of(root) == commit_of(root / "src") == commit
    second = tmp_path_factory.mktemp("second") / "tree"
    git(root, "worktree", "add", "-q", str(second))
    assert commit_of(second) == commit
    git(root, "checkout", "-q", "--detach")
    assert commit_of(root) == commit


def test_a_file_that_git_tracks_and_ignores_counts(root: Path) -> None:
    """To ignore a file that is tracked hides nothing."""
    git(root, "init", "-q")
    git(root, "add", "a.py")
    (root / ".git" / "info" / "exclude").write_text("a.py\n")
    git(root, "update-index", "--assume-unchanged", "a.py")
    assert "a.py" in listed(root)


def test_nothing_that_the_repository_configures_is_run(root: Path) -> None:
    """A repository cannot make the daemon run its programs."""
    git(root, "init", "-q")
    trap = root / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {root}/sprung\n")
    trap.chmod(0o755)
    hooks = root / "hooks"
    hooks.mkdir()
    for name in ("post-index-change", "pre-auto-gc", "reference-transaction"):
        (hooks / name).symlink_to(trap)
    for name in (
        "core.fsmonitor",
        "filter.evil.clean",
        "filter.evil.smudge",
        "core.pager",
        "core.sshCommand",
    ):
        git(root, "config", name, str(trap))
    git(root, "config", "core.hooksPath", str(hooks))
    (root / ".gitattributes").write_text("* filter=evil\n")
    listed(root)
    commit_of(root)
    assert not (root / "sprung").exists()


def test_a_repository_in_the_repository_counts_file_by_file(root: Path) -> None:
    """What lies in a repository of its own inside is looked at all the same."""
    git(root, "init", "-q")
    (root / "lib").mkdir()
    (root / "lib" / "c.py").write_text("c")
    git(root / "lib", "init", "-q")
    git(root / "lib", "add", "c.py")
    git(root / "lib", "commit", "-q", "-m", "x")
    git(root, "add", "lib")
    assert "lib/c.py" in listed(root)
    assert not any(".git" in name.split("/") for name in listed(root))


def test_a_folder_that_is_ignored_around_it_is_looked_at(root: Path) -> None:
    """A project below a folder that another repository ignores is not empty, and its edits are seen."""
    git(root, "init", "-q")
    (root / ".gitignore").write_text("src\n")
    assert listed(root / "src") == ["b.py"]


def test_links_are_names_and_not_followed(root: Path) -> None:
    """A link is a file of its own, wherever it leads."""
    (root / "out").symlink_to("/etc")
    assert "out" in listed(root)
    git(root, "init", "-q")
    assert "out" in listed(root)
    assert not any(name.startswith("out/") for name in listed(root))


def test_what_cannot_be_listed_is_said(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Too many files, or a broken repository, are told and never taken for none."""
    monkeypatch.setattr(listing, "TREE_FILES", 2)
    with pytest.raises(UnlistedError, match="more than 2 files"):
        listed(root)
    monkeypatch.undo()
    (root / ".git").write_text("gitdir: /nowhere\n")
    with pytest.raises(UnlistedError, match="git could not list"):
        listed(root)
    assert commit_of(root) is None


def test_a_repository_that_names_another_folder_hides_nothing(tmp_path: Path) -> None:
    """Git's own setting for where the files are does not lead the look away from the app's."""
    root, clean = tmp_path / "shop", tmp_path / "clean"
    for folder in (root, clean):
        folder.mkdir()
        (folder / "index.html").write_text("x")
    (root / "web").mkdir()
    (root / "web" / "stray.js").write_text("x")
    subprocess.run(["git", "init", "-q", root], check=True)
    subprocess.run(["git", "-C", root, "config", "core.worktree", clean], check=True)
    assert listed(root) == ["index.html", "web/stray.js"]
    assert listed(root / "web") == ["stray.js"]
