"""
The name by which a daemon knows its own rows in a database that it shares; the same in every life.
"""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Final

from reticle.storage.private_files import read_private, write_private

DAEMON_ID_FILE: Final = "daemon-id"


def daemon_id(state_dir: Path) -> str:
    """
    The name in a state directory, made where there is none.

    Raises:
        OSError: The directory cannot be written.
    """
    path = state_dir / DAEMON_ID_FILE
    kept = (read_private(path) or "").strip()
    if kept.isalnum():
        return kept
    made = secrets.token_hex(8)
    write_private(path, made + "\n")
    return made
