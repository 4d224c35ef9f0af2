"""
A page of the documentation, followed as a newcomer would: files saved, commands typed, servers started.

Blocks count in the order in which they stand.
One below "`NAME`:" is that file.
One in ``sh`` is a terminal of its own: the preparation (``pip install``) is done already, ``reticle serve``
is the test's daemon, anything else is the app's server in place of the one that ran before.
One in ``console`` has commands marked with ``$`` and below each what it shows, where an ellipsis stands for
anything.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from examples.journeys.children import ROOT, Child, Daemon

SECONDS = 120
RESTART_SECONDS = 40
POLL_SECONDS = 0.1
TYPING_SECONDS = 0.1
"""Nobody starts a server within the clock tick in which its files were saved; ticks tell what is newer."""
PORT = "8000"
"""Where each page's app listens; here it is a free port, so that nobody else's is met."""
_BLOCK = re.compile(
    r"^(?:`(?P<file>[^`\n]+)`[^\n]*:\n\n)?```(?P<language>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)


class Block(NamedTuple):
    """
    A fenced block: the file that it is, if any, its language, and its text.
    """

    file: str | None
    language: str
    text: str


def blocks(page: str) -> list[Block]:
    """
    The fenced blocks of a page's text.
    """
    return [Block(found["file"], found["language"], found["text"]) for found in _BLOCK.finditer(page)]


def typed(console: str) -> Iterator[tuple[str, str]]:
    """
    Each command of a console block, with what is shown below it; a quote may go over lines.
    """
    for part in re.split(r"^\$ ", console, flags=re.MULTILINE)[1:]:
        lines = part.split("\n")
        length = next(count for count in range(1, len(lines) + 1) if _is_whole("\n".join(lines[:count])))
        yield "\n".join(lines[:length]), "\n".join(lines[length:])


def _is_whole(command: str) -> bool:
    try:
        shlex.split(command)
    except ValueError:
        return False
    return True


def pattern(shown: str) -> str:
    """
    What is shown, as an expression.
    """
    return ".*".join(map(re.escape, shown.strip().split("…")))


class Newcomer:
    """
    Who follows a page in a folder, with a daemon of the test; ``close`` ends the app's server.
    """

    def __init__(self, daemon: Daemon, folder: Path, port: int) -> None:
        self._daemon = daemon
        self._folder = folder
        self._port = str(port)
        self._server: Child | None = None
        self._heard: set[int] = set()
        self._is_edited = False
        commands = folder.parent / "bin"
        commands.mkdir()
        (commands / "reticle").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m reticle "$@"\n')
        (commands / "reticle").chmod(0o755)
        path = f"{commands}:{Path(sys.executable).parent}:/usr/bin:/bin"
        self._environment = {
            "PATH": path,
            "HOME": str(folder),
            "LANG": "C.UTF-8",
            "RETICLE_PORT": str(daemon.port),
            "RETICLE_STATE_DIR": str(daemon.state_dir),
            "RETICLE_RUNTIME_DIR": str(daemon.runtime_dir),
            # Flask watches all that Python may import; here that is this repository too, where somebody may
            # be writing. A newcomer has an installed copy.
            "FLASK_RUN_EXCLUDE_PATTERNS": f"{ROOT}/*",
        }

    def follow(self, page: str) -> int:
        """
        Do all that a page says; gives the number of commands whose output was compared.

        Raises ``AssertionError`` with the command and what it printed instead.
        """
        compared = 0
        for block in blocks(page):
            if block.file is not None:
                self._save(block.file, block.text)
            elif block.language == "sh":
                self._start(block.text.strip())
            elif block.language == "console":
                for command, shown in typed(block.text):
                    self._type(command, shown)
                    compared += 1
        return compared

    def close(self) -> None:
        """
        End the app's server.
        """
        if self._server is not None:
            self._server.stop()
        self._server = None

    def _save(self, name: str, text: str) -> None:
        path = self._folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        self._is_edited = self._is_edited or path.exists()  # a new file is none that the app has loaded
        path.write_text(self._here(text))

    def _start(self, command: str) -> None:
        if "pip install" in command or command == "reticle serve":
            return
        self.close()
        time.sleep(TYPING_SECONDS)
        line = f"cd {shlex.quote(str(self._folder))} && exec env {self._here(command)}"
        self._server = Child(
            "app", ["/bin/sh", "-c", line], self._folder.parent / "app.log", self._environment
        )
        self._await_new_process()

    def _type(self, command: str, shown: str) -> None:
        if self._server is not None and self._is_edited and command.startswith("reticle"):
            self._await_new_process()
        before = self._sources()
        done = subprocess.run(
            ["/bin/sh", "-c", self._here(command)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, timeout=SECONDS, check=False, env=self._environment, cwd=self._folder,
        )  # fmt: skip
        self._is_edited = self._is_edited or self._sources() != before
        print(f"$ {command}\n{done.stdout}")
        wanted = pattern(self._here(shown))
        assert re.fullmatch(wanted, done.stdout.strip(), re.DOTALL), f"$ {command}\n{done.stdout}"

    def _here(self, text: str) -> str:
        return re.sub(rf"\b{PORT}\b", self._port, text)

    def _sources(self) -> dict[Path, int]:
        return {path: path.stat().st_mtime_ns for path in self._folder.rglob("*.py")}

    def _await_new_process(self) -> None:
        """
        Wait until a process of the app that was not there before has answered, as a person would.
        """
        assert self._server is not None
        self._server.wait_for(self._is_new_process, "a new process of the app", RESTART_SECONDS)
        self._is_edited = False

    def _is_new_process(self) -> bool | None:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{self._port}/", timeout=10).close()
        except OSError:
            return None
        with urllib.request.urlopen(f"{self._daemon.url}/status", timeout=10) as status:
            heard = {probe["pid"] for probe in json.load(status)["probes"]}
        is_new = not heard <= self._heard
        self._heard |= heard
        if not is_new:
            time.sleep(POLL_SECONDS)
        return is_new or None
