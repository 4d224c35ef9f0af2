"""
What the probe costs the app in instructions of the processor: hardly any noise, on a busy machine too.

    python bench/probe/instructions.py [--app NAME] [--requests NUMBER] [--keep FOLDER]

Each example of ``examples/servers`` serves once with and once without the probe while valgrind's callgrind
counts all its threads, the probe's own included, and is asked for so many requests of each kind: a page, a
read by its script, a write that names an action. Functions are not noted (``RETICLE_PROBE_CALLS=0``), as of
nearly all requests of a busy server. ``run.py`` measures time; this says where it comes from: with ``--keep``
the counts of each kind stay in a folder, for ``callgrind_annotate``.

An app takes about a minute. Without valgrind nothing can be counted, and the code of the run is 2.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from bench.probe.counted import MARK  # noqa: E402 - the path is set above
from bench.probe.serving import APPS, KINDS, Served, ask, is_installed, serving, wait_for_script  # noqa: E402
from tests.system.played_daemon import PlayedDaemon  # noqa: E402 - as above

REQUESTS: Final = 60
_WARM_UP: Final = 45
_SENT_SECONDS: Final = 4.0
"""After which the last batch is out, which waits fifty times as long here as in a server."""
_DUMP_SECONDS: Final = 60.0
_PAUSE_SECONDS: Final = 0.05


class Counts:
    """
    What callgrind wrote of one server, a file each time that it was asked to.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._number = 0

    @property
    def command(self) -> list[str]:
        """
        What serves the example while it is counted.
        """
        return [
            "valgrind", "-q", "--tool=callgrind", f"--dump-before={MARK}",
            f"--callgrind-out-file={self.folder / 'counts'}",
            sys.executable, str(ROOT / "bench/probe/counted.py"),
        ]  # fmt: skip

    def next(self, server: Served, name: str) -> int:
        """
        Instructions since the last time; the file is called by ``name`` from then on.
        """
        self._number += 1
        file = self.folder / f"counts.{self._number}"
        os.kill(server.pid, signal.SIGUSR1)
        ends = time.monotonic() + _DUMP_SECONDS
        while (found := _total(file)) is None:
            assert time.monotonic() < ends, "callgrind writes nothing"
            time.sleep(_PAUSE_SECONDS)
        file.rename(self.folder / name)
        return found


def _total(file: Path) -> int | None:
    """
    The last line of a file of callgrind's; None before it is there.
    """
    if not file.exists():
        return None
    last = file.read_text().rstrip().rpartition("\n")[2]
    return int(last.split()[1]) if last.startswith("totals:") else None


def counted(name: str, folder: Path, requests: int, *, on: bool) -> Iterator[tuple[str, float]]:
    """
    Each kind of request and the instructions of one.
    """
    folder.mkdir()
    runtime = folder / "runtime"
    runtime.mkdir()
    counts = Counts(folder)
    daemon = PlayedDaemon(runtime)
    try:
        with serving(
            name, folder / "app", runtime, str(int(on)), counts.command,
            RETICLE_PROBE_CALLS="0", PYTHONHASHSEED="0",
        ) as server:  # fmt: skip
            if on:
                wait_for_script(server)
            ask(server, _WARM_UP, marked=on)
            time.sleep(_SENT_SECONDS)
            counts.next(server, "start")
            for kind, asked in KINDS.items():
                ask(server, requests, marked=on, kinds=[asked])
                time.sleep(_SENT_SECONDS if on else 0)
                yield kind, counts.next(server, kind) / requests
    finally:
        daemon.close()


def main() -> int:
    """
    Count and print.
    """
    parser = argparse.ArgumentParser(description="What the probe costs the app in instructions.")
    parser.add_argument("--app", choices=APPS, action="append", help="this one only; may be given again")
    parser.add_argument("--requests", type=int, default=REQUESTS, help=f"of each kind ({REQUESTS})")
    parser.add_argument("--keep", type=Path, help="a folder that is not there yet, for callgrind's files")
    told = parser.parse_args()
    if shutil.which("valgrind") is None:
        print("valgrind is not installed, and nothing else here counts instructions: nothing was counted")
        return 2
    print(f"instructions per request, of {told.requests} of each kind:")
    with tempfile.TemporaryDirectory() as somewhere:
        kept = told.keep or Path(somewhere) / "counts"
        kept.mkdir(parents=True)
        for name in told.app or APPS:
            if not is_installed(name):
                print(f"{name:8} not installed, not run")
                continue
            off = dict(counted(name, kept / f"{name}-without", told.requests, on=False))
            on = dict(counted(name, kept / f"{name}-with", told.requests, on=True))
            rows = [(kind, off[kind], on[kind]) for kind in KINDS]
            rows.append(("all", sum(off.values()) / len(off), sum(on.values()) / len(on)))
            for kind, without, with_it in rows:
                more = f"{with_it - without:+10,.0f}  {with_it / without:.3f}"
                print(f"{name:8} {kind:6} {without:12,.0f} without {with_it:12,.0f} with {more}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
