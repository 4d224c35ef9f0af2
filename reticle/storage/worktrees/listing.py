"""
Which files a repository has, by git where there is git: tracked ones, and those that it does not ignore.

Git is only asked for names. Nothing that the repository configures is run for that: no hook, no file system
monitor, no filter (contents are read and hashed by ourselves), and what the index says of times counts for
nothing, since whoever may write the files may write the index too.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from reticle.model.tree_limits import TREE_FILES, TREE_LISTING_BYTES, TREE_LISTING_SECONDS

_GIT: Final = (
    "git", "--no-replace-objects", "--no-optional-locks", "--literal-pathspecs",
    "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.untrackedCache=false",
    "-c", "core.quotePath=false", "-c", "core.pager=cat", "-c", "submodule.recurse=false",
)  # fmt: skip
_LIST: Final = ("ls-files", "-z", "--cached", "--others", "--exclude-standard")

LEFT_OUT: Final = frozenset({".git", ".reticle"})
"""Kept by git and by the daemon; neither is the app's code."""

CACHES: Final = frozenset({
    "__pycache__", "node_modules", ".venv", "venv", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".tox",
    ".cache",
})  # fmt: skip
"""Folders that are made anew at any time, left out where no git says what is ignored."""


class UnlistedError(Exception):
    """
    The files of a folder cannot be told; the text says why. A retry makes sense once that was mended.
    """


def listed(root: Path) -> Sequence[str]:
    """
    The files below a folder, relative to it, sorted.

    Raises:
        UnlistedError: There are too many, or git cannot list them.
    """
    # a folder that a repository around it ignores has no files by git, and is looked at all the same
    top = _top_of(root)
    names = ([] if top is None else _by_git(root, top)) or [*_walked(root, root)]
    found: set[str] = set()
    for name in names:
        if LEFT_OUT & {*name.split("/")}:
            continue
        path = root / name
        if path.is_dir() and not path.is_symlink():  # a repository in the repository
            found.update(_walked(path, root))
        else:
            found.add(name)
        if len(found) > TREE_FILES:
            raise UnlistedError(f"there are more than {TREE_FILES} files in {root}")
    return sorted(found)


def commit_of(root: Path) -> str | None:
    """
    What HEAD names, as git keeps it (gitrepository-layout(5)); None without git, or before the first commit.
    """
    top = _top_of(root)
    if top is None:
        return None
    try:
        return _head(top / ".git")
    except (OSError, ValueError):
        return None


def _head(place: Path) -> str | None:
    """
    Read, since to ask git for it takes as long as to look at the files.
    """
    if place.is_file():  # a worktree, or a submodule
        place = place.parent / place.read_text(encoding="utf-8").removeprefix("gitdir:").strip()
    common = place / "commondir"
    shared = place / common.read_text(encoding="utf-8").strip() if common.exists() else place
    said = (place / "HEAD").read_text(encoding="utf-8").strip()
    if not said.startswith("ref:"):
        return said or None
    name = said.removeprefix("ref:").strip()
    if ".." in name.split("/"):
        return None
    for folder in (place, shared):
        if (folder / name).is_file():
            return (folder / name).read_text(encoding="utf-8").strip()
    packed = shared / "packed-refs"
    lines = packed.read_text(encoding="utf-8").splitlines() if packed.exists() else []
    return next((line.split()[0] for line in lines if line.endswith(f" {name}")), None)


def _top_of(root: Path) -> Path | None:
    """
    The folder whose files git keeps, None where there is no git.
    """
    return next((folder for folder in (root, *root.parents) if (folder / ".git").exists()), None)


def _by_git(root: Path, top: Path) -> list[str]:
    return [os.fsdecode(name) for name in _asked(root, top, *_LIST).split(b"\0") if name]


def _asked(root: Path, top: Path, *arguments: str) -> bytes:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment = {
        **kept,
        "LC_ALL": "C",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_CEILING_DIRECTORIES": "",
        # core.worktree would let it look at other files than the app's
        "GIT_WORK_TREE": str(top),
    }
    try:
        ran = subprocess.run(  # noqa: S603 - a fixed program with fixed words
            [*_GIT, "-C", str(root), *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=environment,
            timeout=TREE_LISTING_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as fault:
        raise UnlistedError(f"git could not list the files of {root}: {fault}") from None
    if ran.returncode != 0:
        said = ran.stderr.decode(errors="replace").strip()[:300]
        raise UnlistedError(f"git could not list the files of {root}: {said or ran.returncode}")
    if len(ran.stdout) > TREE_LISTING_BYTES:
        raise UnlistedError(f"there are too many files in {root}")
    return ran.stdout


def _walked(folder: Path, root: Path) -> Iterator[str]:
    """
    Every file below a folder where git does not tell; caches are left out.
    """
    seen = 0
    for place, folders, files in os.walk(folder, onerror=_refuse):
        inner = [name for name in folders if name not in LEFT_OUT | CACHES]
        links = [name for name in inner if Path(place, name).is_symlink()]
        folders[:] = [name for name in inner if name not in links]
        for name in (*files, *links):
            if name in LEFT_OUT:
                continue
            seen += 1
            if seen > TREE_FILES:
                raise UnlistedError(f"there are more than {TREE_FILES} files in {root}")
            yield str(Path(place, name).relative_to(root))


def _refuse(fault: OSError) -> None:
    raise UnlistedError(f"{fault.filename} cannot be read: {fault.strerror}")
