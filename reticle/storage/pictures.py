"""
Pictures of pages as files: in the project whose app they show, where a person looks at them, else in the
state directory; provides ``ports.PictureStore``.
"""

from __future__ import annotations

import contextlib
import secrets
from pathlib import Path
from typing import Any, Final

from twisted.internet.defer import Deferred
from twisted.internet.threads import deferToThreadPool

from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.limits import PICTURES_BYTES, PICTURES_IN_PROJECT

FOLDER: Final = Path(".reticle") / "visual"
"""Below the root of a project (DESIGN §10)."""

OWN_FOLDER: Final = "visual"


class StoredPictures:
    """
    The pictures of one daemon.

    Written in a thread of the reactor's pool and not in the writer's: a mount that hangs must keep no row
    waiting.

    Args:
        state_dir: Where those go that belong to no project.
        reactor: Whose pool it is.
    """

    def __init__(self, state_dir: Path, reactor: Any) -> None:
        self._own = state_dir / OWN_FOLDER
        self._reactor = reactor

    def keep(self, name: str, png: bytes, *, root: str | None, place: str) -> Deferred[str]:
        """
        See ``ports.PictureStore``.
        """
        pool = self._reactor.getThreadPool()
        return deferToThreadPool(self._reactor, pool, keep_picture, self._own, name, png, root, place)


def keep_picture(own: Path, name: str, png: bytes, root: str | None, place: str) -> str:
    """
    Write a picture; its path. Blocks.

    Args:
        own: Where those go whose app is of no project.
        name: Without its ending.
        png: The picture.
        root: Of the project, if there is one.
        place: A folder below ``own``.

    Raises:
        Refusal: ``storage_failed``; ``conflict`` where the project's folder is full or leads elsewhere.
    """
    try:
        if root is not None and Path(root).is_dir():
            return str(_in_project(Path(root), name, png))
        folder = own / place
        folder.mkdir(0o700, parents=True, exist_ok=True)
        path = _replaced(folder, name, png)
        _make_room(own, path)
        return str(path)
    except OSError as fault:
        raise Refusal(
            RefusalCode.STORAGE_FAILED,
            f"the picture could not be written: {fault.strerror or fault}",
            "Check disk and rights of the folder, or leave name out.",
        ) from None


def _in_project(root: Path, name: str, png: bytes) -> Path:
    folder = root / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    if not folder.resolve().is_relative_to(root.resolve()):
        raise Refusal(
            RefusalCode.CONFLICT,
            f"{folder} leads out of the project; nothing was written",
            "Replace that link by a folder, or leave name out.",
        )
    if len(list(folder.glob("*.png"))) >= PICTURES_IN_PROJECT and not (folder / f"{name}.png").exists():
        raise Refusal(
            RefusalCode.CONFLICT,
            f"{folder} holds {PICTURES_IN_PROJECT} pictures already; nothing was written",
            "Use a name that is there, or remove some.",
        )
    return _replaced(folder, name, png)


def _replaced(folder: Path, name: str, png: bytes) -> Path:
    """
    Written in one step, over what is there: a link is replaced and not followed.
    """
    path = folder / f"{name}.png"
    fresh = folder / f".{name[:80]}.{secrets.token_hex(4)}"
    try:
        fresh.write_bytes(png)
        fresh.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            fresh.unlink()
        raise
    return path


def _make_room(folder: Path, newest: Path) -> None:
    """
    Let the oldest go while there are too many bytes.
    """
    found = sorted(((path.stat().st_mtime_ns, path) for path in folder.glob("*/*.png")), reverse=True)
    spent = newest.stat().st_size
    for _, path in found:
        if path == newest:
            continue
        spent += path.stat().st_size
        if spent > PICTURES_BYTES:
            path.unlink()
