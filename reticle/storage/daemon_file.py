"""
How the command line finds running daemons: ``daemon-<port>.json`` in the runtime directory.

A file alone proves nothing; it counts only while the process it names lives (``is_alive``).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from reticle.storage.private_files import read_private, remove_if_holds, write_private
from reticle.storage.process_identity import process_identity


class DaemonRecord(msgspec.Struct, frozen=True):
    """
    What a daemon says of itself.

    ``url`` is its root, such as ``http://127.0.0.1:4400``, ``mcp_url`` what its endpoint file says.
    ``identity`` is ``process_identity(pid)``, ``started_at`` seconds since the epoch. ``socket`` and
    ``client_token`` are the names of its Unix socket and of its operator's token in the same directory; empty
    where there is none.
    """

    url: str
    port: int
    pid: int
    identity: str
    started_at: float
    version: str
    state_dir: str
    mcp_url: str = ""
    socket: str = ""
    client_token: str = ""

    @property
    def is_alive(self) -> bool:
        """
        Whether the very process that wrote the record still runs.
        """
        return process_identity(self.pid) == self.identity


def daemon_file(runtime_dir: Path, port: int) -> Path:
    """
    Where the daemon on ``port`` announces itself.
    """
    return runtime_dir / f"daemon-{port}.json"


def announce(runtime_dir: Path, record: DaemonRecord) -> None:
    """
    Write the record, in one step, over whatever an earlier life left.

    Raises:
        OSError: The runtime directory cannot be written.
    """
    write_private(daemon_file(runtime_dir, record.port), _text(record))


def withdraw(runtime_dir: Path, record: DaemonRecord) -> bool:
    """
    Remove the record unless another daemon has taken the port since; True when it was ours.
    """
    return remove_if_holds(daemon_file(runtime_dir, record.port), _text(record))


def recorded_daemons(runtime_dir: Path) -> Sequence[DaemonRecord]:
    """
    Every readable record, living or not, by port; none in a folder that we may not look into.
    """
    try:
        paths = sorted(runtime_dir.glob("daemon-*.json"))
    except OSError:
        return []
    texts = [read_private(path) for path in paths]
    records = [record for text in texts if text is not None for record in [_parse(text)] if record]
    return sorted(records, key=lambda record: record.port)


def living_daemons(runtime_dir: Path) -> Sequence[DaemonRecord]:
    """
    The records whose process still runs, by port.
    """
    return [record for record in recorded_daemons(runtime_dir) if record.is_alive]


def _text(record: DaemonRecord) -> str:
    # A directory's name may hold bytes that are no UTF-8; for people a question mark will do.
    shown = record.state_dir.encode("utf-8", "replace").decode()
    return msgspec.json.encode(msgspec.structs.replace(record, state_dir=shown)).decode() + "\n"


def _parse(text: str) -> DaemonRecord | None:
    try:
        return msgspec.json.decode(text, type=DaemonRecord)
    except msgspec.DecodeError:
        return None
