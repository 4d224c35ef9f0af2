"""
Baselines of pages as files: in the project whose app they show, where a person reviews them, else in the
state directory; provides ``ports.BaselineStore``.

Nothing is deleted to make room: without its baseline a page can no longer be told to have changed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from twisted.internet.defer import Deferred
from twisted.internet.threads import deferToThreadPool

from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.limits import BASELINE_BYTES, BASELINES_IN_FOLDER
from reticle.storage.project_files import existing_project, faults_of, refuse_elsewhere, replace_text

FOLDER: Final = Path(".reticle") / "baselines"
"""Below the root of a project (DESIGN §10)."""

OWN_FOLDER: Final = "baselines"
ENDING: Final = ".json"


class StoredBaselines:
    """
    The baselines of one daemon. Files are read and written in a thread of the reactor's pool.

    Args:
        state_dir: Where those go that belong to no project.
        reactor: Whose pool it is.
    """

    def __init__(self, state_dir: Path, reactor: Any) -> None:
        self._own = state_dir / OWN_FOLDER
        self._reactor = reactor

    def keep(self, name: str, text: str, *, root: str | None, place: str) -> Deferred[str]:
        """
        See ``ports.BaselineStore``.
        """
        return self._run(keep_baseline, self._own, name, text, root, place)

    def read(self, name: str, *, root: str | None, place: str) -> Deferred[str | None]:
        """
        See ``ports.BaselineStore``.
        """
        return self._run(read_baseline, self._own, name, root, place)

    def names(self, *, root: str | None, place: str) -> Deferred[Sequence[str]]:
        """
        See ``ports.BaselineStore``.
        """
        return self._run(baseline_names, self._own, root, place)

    def _run(self, work: Callable[..., Any], *args: object) -> Deferred[Any]:
        return deferToThreadPool(self._reactor, self._reactor.getThreadPool(), work, *args)


def keep_baseline(own: Path, name: str, text: str, root: str | None, place: str) -> str:
    """
    Write a baseline over the one of that name; its path. Blocks.

    Raises:
        Refusal: ``storage_failed``; ``conflict`` where the folder is full or leads out of the project.
    """
    with faults_of("baseline", "written"):
        project = existing_project(root)
        folder = _folder(own, project, place)
        folder.mkdir(mode=0o700 if project is None else 0o777, parents=True, exist_ok=True)
        refuse_elsewhere(folder, project)
        path = folder / f"{name}{ENDING}"
        if not path.exists() and len(_names_in(folder)) >= BASELINES_IN_FOLDER:
            raise Refusal(
                RefusalCode.CONFLICT,
                f"{folder} holds {BASELINES_IN_FOLDER} baselines already; nothing was written.",
                "Use a name that is there, or remove some.",
            )
        replace_text(path, text)
        return str(path)


def read_baseline(own: Path, name: str, root: str | None, place: str) -> str | None:
    """
    The text of a baseline, or None. Blocks.

    Raises:
        Refusal: ``storage_failed``; ``conflict`` for a file that is larger than any baseline, or elsewhere.
    """
    with faults_of("baseline", "read"):
        project = existing_project(root)
        path = _folder(own, project, place) / f"{name}{ENDING}"
        if not path.is_file():
            return None
        refuse_elsewhere(path, project)
        with path.open("rb") as file:
            content = file.read(BASELINE_BYTES + 1)
        if len(content) > BASELINE_BYTES:
            raise Refusal(RefusalCode.CONFLICT, f"{path} is no baseline of reticle's.", "Save it anew.")
        return content.decode("utf-8", "replace")


def baseline_names(own: Path, root: str | None, place: str) -> list[str]:
    """
    The names of all baselines there, sorted. Blocks. Raises ``Refusal`` ``storage_failed``.
    """
    with faults_of("baseline", "listed"):
        return _names_in(_folder(own, existing_project(root), place))


def _folder(own: Path, project: Path | None, place: str) -> Path:
    return own / place if project is None else project / FOLDER


def _names_in(folder: Path) -> list[str]:
    return sorted(path.name.removesuffix(ENDING) for path in folder.glob(f"[!.]*{ENDING}"))
