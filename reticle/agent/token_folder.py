"""
A token in a file that only its owner may read, for as long as an agent runs.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path
from typing import Final

_PREFIX: Final = "agent-"


class TokenFolder:
    """
    A folder (0700) with one file (0600) in it.

    Args:
        above: Where to make it: the runtime directory, which is in memory on most machines.
        token: Its text.

    Raises:
        OSError: It cannot be made.
    """

    def __init__(self, above: Path, token: str) -> None:
        self.path = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=above))
        self.file = self.path / "token"
        descriptor = os.open(self.file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(f"{token}\n")

    def remove(self) -> None:
        """
        Take both away; may be called again.
        """
        with contextlib.suppress(OSError):
            self.file.unlink()
        with contextlib.suppress(OSError):
            self.path.rmdir()
