"""
What a daemon that a test started said, written down there and compared here.

The daemon only writes, a line for each message: comparing would make it slower than users have it.
"""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from tests.schemas.dialogue import Dialogue

FOLDER = "MESSAGES_RECORDED_IN"
"""The variable that names the folder; without it nothing is written."""

SITE = Path(__file__).with_name("site")
"""On a Python's path, it writes down what a daemon says (``site/sitecustomize.py``)."""


class Written:
    """
    Provides ``roads.Listener``: one dialogue's messages go to a file.
    """

    def __init__(self, file: TextIO, number: int) -> None:
        self._file = file
        self._number = number

    def sent(self, body: bytes) -> None:
        """
        One line.
        """
        self._write("sent", body)

    def received(self, message: bytes) -> None:
        """
        One line.
        """
        self._write("received", message)

    def _write(self, kind: str, body: bytes) -> None:
        self._file.write(json.dumps([self._number, kind, body.decode("utf-8", "replace")]) + "\n")


def begin() -> None:
    """
    Write down what this process says from now on; called in a daemon.
    """
    from tests.schemas.roads import listen_to_conversations

    numbers = itertools.count()
    file = (Path(os.environ[FOLDER]) / f"{os.getpid()}.jsonl").open("a", buffering=1)

    def listen(revision: str | None) -> Written:
        number = next(numbers)
        file.write(json.dumps([number, "opened", revision]) + "\n")
        return Written(file, number)

    listen_to_conversations(setattr, listen)


class Recording:
    """
    The folder that daemons write to. Each look reads what came since the last one. It is taken after every
    test, so what a daemon that has ended wrote is read once more and removed. (None goes on in a child.)

    ``count`` is how many messages of daemons were compared.
    """

    def __init__(self, folder: Path) -> None:
        self.count = 0
        self._folder = folder
        self._offsets: dict[Path, int] = {}
        self._dialogues: dict[tuple[Path, int], Dialogue] = {}

    def environment(self) -> dict[str, str]:
        """
        What makes Pythons that are started with it write.
        """
        root = Path(__file__).resolve().parents[2]
        path = [str(SITE), str(root), *filter(None, [os.environ.get("PYTHONPATH")])]
        return {FOLDER: str(self._folder), "PYTHONPATH": os.pathsep.join(path)}

    def wrong(self) -> Sequence[str]:
        """
        What was wrong since the last look. A line that a killed daemon did not end is left out.
        """
        found: list[str] = []
        for file in sorted(self._folder.glob("*.jsonl")):
            is_over = not _runs(int(file.stem))
            found += self._wrong_in(file)
            if is_over:
                self._forget(file)
        return found

    def _forget(self, path: Path) -> None:
        path.unlink()
        del self._offsets[path]
        for name in [name for name in self._dialogues if name[0] == path]:
            del self._dialogues[name]

    def _wrong_in(self, path: Path) -> list[str]:
        from tests.schemas.dialogue import BEFORE_HANDSHAKE, Dialogue

        with path.open("rb") as file:
            file.seek(self._offsets.get(path, 0))
            whole = file.read().rpartition(b"\n")[0]
        self._offsets[path] = self._offsets.get(path, 0) + (len(whole) + 1 if whole else 0)
        found: list[str] = []
        for line in whole.splitlines():
            number, kind, text = json.loads(line)
            if kind == "opened":
                self._dialogues[path, number] = Dialogue(text or BEFORE_HANDSHAKE)
            elif kind == "sent":
                self._dialogues[path, number].sent(text.encode())
            else:
                self.count += 1
                found += self._dialogues[path, number].received(text.encode())
        return found


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # somebody else's by now, or a daemon that gave up its rights
        pass
    return True
