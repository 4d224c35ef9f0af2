"""
Where a path on this machine leads; provides ``ports.Folders``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from twisted.internet.defer import Deferred
from twisted.internet.threads import deferToThreadPool

from reticle.errors import Refusal
from reticle.model.codes import RefusalCode


class RealFolders:
    """
    The folders of this machine.

    Asked in a thread of the reactor's pool and not in the writer's: a mount that hangs must keep no row
    waiting.

    Args:
        reactor: Whose pool it is.
    """

    def __init__(self, reactor: Any) -> None:
        self._reactor = reactor

    def real(self, path: str) -> Deferred[str]:
        """
        See ``ports.Folders``.
        """
        return deferToThreadPool(self._reactor, self._reactor.getThreadPool(), real_folder, path)


def real_folder(path: str) -> str:
    """
    The absolute path of a folder, links followed.

    Raises:
        Refusal: ``not_found``; a retry makes sense once the folder is there.
    """
    try:
        found = Path(path).resolve(strict=True)
        if Path(path).is_absolute() and found.is_dir():
            return str(found)
    except (OSError, ValueError, RuntimeError):
        pass  # not there, not ours to look at, or no path at all: the same to whoever registers it
    raise Refusal(
        RefusalCode.NOT_FOUND,
        f"there is no folder {path[:200]!r} on the daemon's machine",
        "Give the absolute path of a folder that exists.",
    )
