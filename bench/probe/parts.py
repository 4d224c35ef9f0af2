"""
What each part of the probe's work for a request costs, alone and in a loop: the least that is left of it.

    python bench/probe/parts.py

CPU time of this thread, the least of many rounds. In a server each part costs two to three times as much,
since what runs between two requests has taken the caches; ``run.py`` measures that.
"""

from __future__ import annotations

import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from reticle.probe import calls, collection, emission, script  # noqa: E402 - the path is set above
from reticle.probe.fact_queue import FactQueue  # noqa: E402 - as above
from reticle.probe.small_facts import Raw  # noqa: E402 - as above
from reticle.probe.wsgi import WSGIMiddleware  # noqa: E402 - as above
from reticle.testing.probed_apps import SCRIPT, FixedScript  # noqa: E402 - as above

CALLS = 500
ROUNDS = 60
BATCH = 100
PAGE = b"<!doctype html><html><head><title>T</title></head><body>" + b"x" * 600
ASKED = {
    "REQUEST_METHOD": "GET", "PATH_INFO": "/desk", "REMOTE_ADDR": "127.0.0.1", "wsgi.url_scheme": "http",
    "HTTP_HOST": "localhost:8000",
}  # fmt: skip


class Nowhere:
    """
    Takes facts and drops them.
    """

    def note(self, fact: Raw) -> None:
        """
        Nothing.
        """

    def mark(self, fact: Raw) -> None:
        """
        Nothing.
        """

    def hurry(self) -> None:
        """
        Nothing.
        """

    def put(self, kind: str, fields: dict[str, Any]) -> None:
        """
        Nothing.
        """

    def miss(self, kind: str) -> None:
        """
        Nothing.
        """


def least(call: Callable[[], object], parts: int = 1) -> float:
    """
    Microseconds of one call, or of each of its parts.
    """
    best = float("inf")
    for _ in range(ROUNDS):
        started = time.thread_time()
        for _ in range(CALLS // parts):
            call()
        best = min(best, time.thread_time() - started)
    return best / (CALLS // parts * parts) * 1e6


def answered(kind: str, destination: str) -> float:
    """
    How much longer a WSGI app takes with the probe around it.
    """

    def app(_environ: Any, start: Any) -> list[bytes]:
        start("200 OK", [("Content-Type", kind), ("Content-Length", str(len(PAGE)))])
        return [PAGE]

    def start(*_: Any) -> Callable[[bytes], object]:
        return bytes

    environ = {**ASKED, "HTTP_SEC_FETCH_DEST": destination}
    around = WSGIMiddleware(app)
    return least(lambda: list(around(dict(environ), start))) - least(lambda: app(dict(environ), start))


def measured() -> Iterator[tuple[str, float]]:
    """
    Each part and its microseconds.
    """
    calls.allowance = calls.Allowance(0, 0)  # a loop is no person
    calls.allowance.take()
    script.copy = FixedScript(SCRIPT)  # type: ignore[misc,assignment]  # nobody is asked for it
    emission.sink = Nowhere()
    yield "a call of a script, seen", answered("application/json", "empty")
    yield "a page, seen and tagged", answered("text/html; charset=utf-8", "document")
    plain = sqlite3.connect(":memory:")
    collection.install()
    seen = sqlite3.connect(":memory:")
    yield (
        "a statement, seen",
        least(lambda: seen.execute("SELECT 1 WHERE 1 = ?", (1,)).fetchall())
        - least(lambda: plain.execute("SELECT 1 WHERE 1 = ?", (1,)).fetchall()),
    )
    kept: list[Raw] = []
    emission.sink.note = kept.append  # type: ignore[method-assign,assignment]
    seen.execute("SELECT name FROM sqlite_master WHERE type = ?", ("table",))
    queue = FactQueue(time.monotonic)
    yield "a statement's fact, noted", least(lambda: queue.note(kept[-1]))
    queue.lose_all()
    queue.take()

    def write() -> None:
        for _ in range(BATCH):
            queue.note(kept[-1])
        queue.take()

    yield f"the same, noted and written, {BATCH} at once", least(write, BATCH)


def main() -> None:
    """
    Print them.
    """
    for what, microseconds in measured():
        print(f"{what:40} {microseconds:6.2f} µs")


if __name__ == "__main__":
    main()
