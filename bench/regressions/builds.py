"""
A build of an app in a folder of its own: the clean one, or one with a variant's changes in its files.
"""

from __future__ import annotations

import shutil
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from bench.regressions.entries import SHARED, Change, EntryError, Variant

_installing = threading.Lock()

LEFT_OUT = ("node_modules", "__pycache__", "dist")


class Lines(NamedTuple):
    """
    A stretch of a file, both ends included.
    """

    file: str
    first: int
    last: int

    def has(self, place: str) -> bool:
        """
        Whether a verdict's ``path/file.js:12[:3]`` lies in it.
        """
        path, *numbers = place.rsplit(":", 2) if place.count(":") > 1 else place.rsplit(":", 1)
        if not numbers or not numbers[0].isdigit():
            return False
        name = path.split("?")[0]
        wanted = self.file
        same = name == wanted or name.endswith(f"/{wanted}") or wanted.endswith(f"/{name.lstrip('./')}")
        return same and self.first <= int(numbers[0]) <= self.last


def build(app: Path, changes: Sequence[Change], folder: Path, name: str) -> None:
    """
    Copy the app, with what all apps beside it share, and make the changes.

    Raises ``EntryError`` where a text to be replaced does not stand there exactly once.
    """
    for source in (app.parent / SHARED, app):
        if source.exists():
            shutil.copytree(source, folder, ignore=shutil.ignore_patterns(*LEFT_OUT), dirs_exist_ok=True)
    if (app / "package-lock.json").exists():
        (folder / "node_modules").symlink_to(_modules(app))
    for change in changes:
        path = folder / change.file
        text = path.read_text("utf-8")
        times = text.count(change.find)
        if times != 1:
            raise EntryError(f"{name}: {change.find!r} stands {times} times in {change.file}, not once")
        path.write_text(text.replace(change.find, change.put), "utf-8")


def _modules(app: Path) -> Path:
    """
    What an app needs from npm, installed once and shared by its builds.
    """
    modules = app / "node_modules"
    whole = modules / ".installed"  # an installation that was interrupted has none
    with _installing:
        if not whole.exists():
            subprocess.run(["npm", "ci", "--silent", "--no-audit", "--no-fund"], cwd=app, check=True)
            whole.touch()
    return modules


def place_of(variant: Variant, folder: Path) -> Lines:
    """
    The lines in which whoever mends the fault has to look: from the named one to the end of what begins
    there.

    What begins on a line ends before the next one that is not deeper, that one included where it only closes.
    """
    assert variant.place is not None
    file, within = variant.place
    lines = (folder / file).read_text("utf-8").splitlines()
    begins = [number for number, line in enumerate(lines, 1) if within in line]
    if len(begins) != 1:
        raise EntryError(f"{variant.id}: {within!r} stands on {len(begins)} lines of {file}, not on one")
    first = last = begins[0]
    depth = _indent(lines[first - 1])
    for number in range(first + 1, len(lines) + 1):
        line = lines[number - 1]
        if line.strip() and _indent(line) <= depth:
            last = number if line.strip()[0] in ")}]<" else number - 1
            break
        last = number
    return Lines(file, first, last)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
