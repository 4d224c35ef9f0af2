"""
Programs from PyPI and npm that the tests drive, each in an environment of its own, installed when asked for.

What is installed is written down to the last version (a requirements file, a lock file). An environment
is made anew when that text changes, and only then; two test runs in one tree wait for each other.
pip and npm are asked as the machine has them configured, so a mirror or a proxy works as for any project.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PYTHONS = ROOT / ".clients"
"""Where the Python environments lie; git ignores it."""

RECENT_NODE = (22, 19)
"""What the newest programs ask for (``engines`` of the Inspector)."""

INSTALL_SECONDS = 300


class NotInstalledError(Exception):
    """
    pip or npm failed; the text ends with what it printed.
    """


def python_environment(requirements: Path) -> Path:
    """
    The interpreter of an environment that holds exactly what the file lists.

    Raises ``NotInstalledError``; a retry makes sense when the network was the reason.
    """
    text = f"{sys.version}\n{sysconfig.get_platform()}\n{requirements.read_text()}"
    folder = PYTHONS / f"{requirements.stem}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    python = folder / "bin/python"
    with _alone(folder):
        if not (folder / ".installed").exists():
            shutil.rmtree(folder, ignore_errors=True)
            _run([sys.executable, "-m", "venv", "--without-pip", folder], ROOT)
            pip: list[str | Path] = [sys.executable, "-m", "pip", "--python", python]
            pip += ["--disable-pip-version-check", "install", "--quiet", "--no-compile"]
            _run([*pip, "--requirement", requirements], ROOT)
            (folder / ".installed").touch()
    return python


def npm_packages(folder: Path) -> Path:
    """
    ``node_modules`` of a folder with a ``package-lock.json``, exactly as locked.

    Raises ``NotInstalledError`` (see ``python_environment``), also where there is no npm.
    """
    modules = folder / "node_modules"
    locked = hashlib.sha256((folder / "package-lock.json").read_bytes()).hexdigest()
    stamp = modules / ".installed-from"
    with _alone(modules):
        if not stamp.exists() or stamp.read_text() != locked:
            _run(["npm", "ci", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"], folder)
            stamp.write_text(locked)
    return modules


def recent_node(at_least: tuple[int, int] = RECENT_NODE) -> str:
    """
    A Node that a program runs on: the machine's, where it is recent enough, else one from npm.
    """
    found = shutil.which("node")
    if found is not None and _version(found) >= at_least:
        return found
    return str(npm_packages(ROOT / "tests/programs/node22") / ".bin/node")


def bin_of(packages: Path, package: str, command: str) -> Path:
    """
    The script behind a command of an installed package, for running it with a chosen Node.
    """
    folder = packages / package
    declared = json.loads((folder / "package.json").read_text())["bin"]
    return folder / (declared if isinstance(declared, str) else declared[command])


def _version(node: str) -> tuple[int, ...]:
    printed = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    return tuple(int(part) for part in re.findall(r"\d+", printed)[:2])


@contextmanager
def _alone(target: Path) -> Iterator[None]:
    """
    Nobody else installs into the same place meanwhile, in this process or another.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    lock = target.parent / f".{target.name}.lock"
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


def _run(command: Sequence[str | Path], folder: Path) -> None:
    words = [str(part) for part in command]
    try:
        done = subprocess.run(
            words, cwd=folder, capture_output=True, text=True, timeout=INSTALL_SECONDS, check=False,
            stdin=subprocess.DEVNULL, env={**os.environ, "NODE_OPTIONS": ""},
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as failed:
        raise NotInstalledError(f"{' '.join(words)}: {failed}") from failed
    if done.returncode:
        raise NotInstalledError(
            f"{' '.join(words)} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
        )
