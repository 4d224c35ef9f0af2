"""
CPU seconds of a process and all that came of it, by what each is.
"""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Final

EVERY_SECONDS: Final = 0.1
TICKS: Final = os.sysconf("SC_CLK_TCK")


class CpuOfTree:
    """
    Looks now and then at ``root`` and its descendants, so that what a process used is known when it is gone
    but for the last ``EVERY_SECONDS``.
    """

    def __init__(self, root: int) -> None:
        self._root = root
        self._parents: dict[int, int] = {}
        self._seen: dict[tuple[int, int], tuple[str, int]] = {}
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def end(self) -> None:
        """
        Look no more.
        """
        self._over.set()
        self._thread.join()

    def seconds(self) -> Mapping[str, float]:
        """
        So far: of the daemon, and of the browser's processes by their kind.
        """
        self._look()
        total: Counter[str] = Counter()
        for kind, ticks in list(self._seen.values()):
            total[kind] += ticks
        return {kind: ticks / TICKS for kind, ticks in total.items()}

    def _follow(self) -> None:
        while not self._over.wait(EVERY_SECONDS):
            self._look()

    def _look(self) -> None:
        found: dict[int, tuple[int, int, int]] = {}
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    told = (entry / "stat").read_bytes().rpartition(b")")[2].split()
                except OSError:
                    continue
                found[int(entry.name)] = (int(told[1]), int(told[19]), int(told[11]) + int(told[12]))
        for pid, (_, began, ticks) in found.items():
            above = pid
            while above in found and above != self._root:
                above = found[above][0]
            if above == self._root:
                known = self._seen.get((pid, began))
                self._seen[pid, began] = (known[0] if known else self._kind(pid), ticks)

    def _kind(self, pid: int) -> str:
        if pid == self._root:
            return "daemon"
        try:
            words = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").split()
        except OSError:
            return "gone"
        for word in words:
            if word.startswith(b"--type="):
                return word[7:].decode()
        return "browser"
