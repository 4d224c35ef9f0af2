"""
The folder of one run of a browser: profile, temporary files, downloads. It goes with the run; what a killed
daemon left is removed at the next start, with a browser that is left in it.

Everything here waits for the disk and runs in a thread.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import attrs

PREFIX: Final = "run-"

SOCKET_PATH_BYTES: Final = 60
"""What a folder's path may have so that Chromium's own socket below it is within ``sun_path`` (unix(7))."""

TRIES: Final = 5
"""A browser that is just ending still writes into its profile while that is removed."""


@attrs.frozen
class RunFolder:
    """
    Where one run keeps its files; ``temporary`` lies elsewhere where the path would be too long for sockets.
    """

    path: Path
    temporary: Path

    @property
    def profile(self) -> Path:
        """
        The browser's profile.
        """
        return self.path / "profile"

    @property
    def downloads(self) -> Path:
        """
        Where downloads land.
        """
        return self.path / "downloads"


def make_run_folder(parent: Path) -> RunFolder:
    """
    A fresh one, for the owner's eyes only.

    Raises:
        OSError: It cannot be made.
    """
    parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
    temporary = path / "tmp"
    if len(os.fsencode(temporary)) <= SOCKET_PATH_BYTES:
        temporary.mkdir(mode=0o700)
    else:
        elsewhere = Path(tempfile.mkdtemp(prefix="reticle-"))
        temporary.symlink_to(elsewhere)
        temporary = elsewhere
    folder = RunFolder(path, temporary)
    folder.profile.mkdir(mode=0o700)
    folder.downloads.mkdir(mode=0o700)
    return folder


def remove_run_folder(path: Path) -> None:
    """
    Remove one and what it points to; a browser that still runs in it is killed first.
    """
    for pid in _processes_in(path):
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)
    pointed = path / "tmp"
    if pointed.is_symlink():
        shutil.rmtree(pointed.resolve(), ignore_errors=True)
    for _ in range(TRIES):
        shutil.rmtree(path, ignore_errors=True)
        if not path.exists():
            return


def left_behind(parent: Path) -> list[Path]:
    """
    The folders of runs whose daemon is gone; asked before this one has made any.
    """
    try:
        return sorted(entry for entry in parent.iterdir() if entry.name.startswith(PREFIX))
    except OSError:
        return []


def sweep(parent: Path) -> int:
    """
    Remove all that is left behind. Gives how many there were.
    """
    left = left_behind(parent)
    for path in left:
        remove_run_folder(path)
    return len(left)


def _processes_in(path: Path) -> Iterator[int]:
    """
    Browsers whose profile lies there.
    """
    if not sys.platform.startswith("linux"):
        return
    mark = b"--user-data-dir=" + os.fsencode(path / "profile")
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        with contextlib.suppress(OSError):
            if mark in (entry / "cmdline").read_bytes().split(b"\0"):
                yield int(entry.name)
