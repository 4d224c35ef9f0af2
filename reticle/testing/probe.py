"""
A probe without a process: batches as one would send them, for tests of everything behind ``/ingest``.
"""

from __future__ import annotations

import json
from typing import Self

PROCESS = "5f" * 16
PROJECT = "/srv/shop"


def rid(number: int) -> str:
    """
    The id of a server's request; the same number gives the same one.
    """
    return f"{number:032x}"


class FakeProbe:
    """
    Collects facts; ``body`` gives the next batch and begins another.

    Args:
        process: Its name on the wire.
        framework: What it says it sits in.
        project: Its root.
    """

    def __init__(
        self, process: str = PROCESS, *, framework: str = "django 5.2", project: str = PROJECT
    ) -> None:
        self.process = process
        self.framework = framework
        self.project = project
        self.seq = 0
        self.batches = 0
        self._lines: list[dict[str, object]] = []

    def fact(
        self,
        kind: str,
        *,
        mono: float = 0.0,
        of: int | None = None,
        action: str | None = None,
        **fields: object,
    ) -> Self:
        """
        Any fact; ``of`` is the number of the request that it belongs to.
        """
        self.seq += 1
        head = {"kind": kind, "seq": self.seq, "mono": mono, "rid": None if of is None else rid(of)}
        self._lines.append({**head, "action": action, **fields})
        return self

    def lose(self, number: int) -> Self:
        """
        Facts that are numbered and never sent.
        """
        self.seq += number
        return self

    def served(
        self,
        of: int,
        method: str = "POST",
        path: str = "/orders",
        status: int = 200,
        *,
        mono: float = 0.0,
        action: str | None = None,
        view: str = f"{PROJECT}/shop/views.py:12",
    ) -> Self:
        """
        A whole request.
        """
        link = "header" if action else "none"
        self.fact("request.started", mono=mono, of=of, action=action, method=method, path=path, link=link)
        return self.fact(
            "request.handled", mono=mono, of=of, action=action, method=method, path=path, route=path,
            view=view, view_name="order", status=status, ms=3.5, streamed=False,
        )  # fmt: skip

    def body(self, *, mono: float = 0.0, wall: float = 1_750_000_000.0) -> bytes:
        """
        What it sends now.
        """
        self.batches += 1
        hello = {
            "v": 1, "kind": "hello", "process": self.process, "pid": 42, "framework": self.framework,
            "python": "3.11.2", "project": self.project, "mono": mono, "wall": wall, "batch": self.batches,
        }  # fmt: skip
        lines, self._lines = [hello, *self._lines], []
        return b"".join(json.dumps(line).encode() + b"\n" for line in lines)
