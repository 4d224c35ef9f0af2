"""
The file by which a probe in an app's process finds the daemon: ``probe.json``, owner-only, in the runtime
directory. Of daemons that share it the one that started last is named; it goes with that one's stop.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Final

import attrs

from reticle.model.trust import Secret
from reticle.storage.private_files import read_private, remove_if_holds, write_private

PROBE_FILE: Final = "probe.json"


@attrs.frozen
class ProbeFile:
    """
    What it says: where facts go, by which token they are believed, where script and page socket are.
    """

    runtime_dir: Path
    url: str
    token: Secret

    @property
    def path(self) -> Path:
        """
        Where it lies.
        """
        return self.runtime_dir / PROBE_FILE

    def write(self) -> None:
        """
        Announce this daemon to probes, in one step.

        Raises:
            OSError: The runtime directory cannot be written.
        """
        write_private(self.path, self._text())

    def remove(self) -> None:
        """
        Take it back, unless another daemon has announced itself since.

        Raises:
            OSError: The runtime directory cannot be written.
        """
        remove_if_holds(self.path, self._text())

    def _text(self) -> str:
        told = {
            "v": 1,
            "url": f"{self.url}/ingest",
            "token": self.token.reveal(),
            "pid": os.getpid(),
            "sdk": "/sdk.js",
            "bridge": f"{self.url.replace('http', 'ws', 1)}/reticle",
        }
        return json.dumps(told) + "\n"


def remove_probe_file_of(runtime_dir: Path, pid: int) -> None:
    """
    Take back the file of a daemon that was killed: its token is let in nowhere any more. One that another
    daemon wrote stays, and so does what no daemon wrote.
    """
    path = runtime_dir / PROBE_FILE
    text = read_private(path)
    try:
        told = json.loads(text or "null")
    except ValueError:
        return
    if text is not None and isinstance(told, dict) and told.get("pid") == pid:
        remove_if_holds(path, text)
