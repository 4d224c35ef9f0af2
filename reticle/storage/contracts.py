"""
The contracts of apps as files, ``.reticle/contract.json`` of each project; provides ``ports.ContractStore``.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from twisted.internet.defer import Deferred
from twisted.internet.threads import deferToThreadPool

from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.limits import CONTRACT_BYTES, INVARIANT_BYTES
from reticle.storage.project_files import existing_project, faults_of, refuse_elsewhere, replace_text

FILE: Final = Path(".reticle") / "contract.json"
"""Below the root of a project (DESIGN §10)."""

INVARIANTS: Final = Path(".reticle") / "invariants.json"
SETTINGS: Final = Path("reticle.toml")


class StoredContracts:
    """
    Contracts of registered projects. Files are read and written in a thread of the reactor's pool.

    Args:
        reactor: Whose pool it is.
    """

    def __init__(self, reactor: Any) -> None:
        self._reactor = reactor

    def keep(self, text: str, *, root: str) -> Deferred[str]:
        """
        See ``ports.ContractStore``.
        """
        return self._run(keep_contract, text, root)

    def read(self, *, root: str) -> Deferred[str | None]:
        """
        See ``ports.ContractStore``.
        """
        return self._run(read_contract, root)

    def keep_invariants(self, text: str, *, root: str) -> Deferred[str]:
        """
        See ``ports.ContractStore``.
        """
        return self._run(keep_contract, text, root, INVARIANTS)

    def invariants(self, *, root: str) -> Deferred[tuple[str | None, str | None]]:
        """
        See ``ports.ContractStore``.
        """
        return self._run(read_invariants, root)

    def _run(self, work: Callable[..., Any], *args: object) -> Deferred[Any]:
        return deferToThreadPool(self._reactor, self._reactor.getThreadPool(), work, *args)


def keep_contract(text: str, root: str, file: Path = FILE) -> str:
    """
    Write a project's contract, or its invariants, over what is there; its path. Blocks.

    Raises:
        Refusal: ``storage_failed``; ``not_found`` where the project's folder is gone; ``conflict`` where the
            file would lie outside of it.
    """
    project = existing_project(root)
    if project is None:
        raise Refusal(
            RefusalCode.NOT_FOUND,
            f"{root}, where the project was registered, is not there; nothing was written.",
            "Register it where it is now: repo.add.",
        )
    with faults_of(file.stem, "written"):
        path = project / file
        refuse_elsewhere(path.parent, project)
        path.parent.mkdir(exist_ok=True)
        replace_text(path, text)
        return str(path)


def read_invariants(root: str) -> tuple[str | None, str | None]:
    """
    The texts in which a project declares invariants. Blocks; raises as ``read_contract``.
    """
    return read_contract(root, INVARIANTS, INVARIANT_BYTES), read_contract(root, SETTINGS, INVARIANT_BYTES)


def read_contract(root: str, file: Path = FILE, most_bytes: int = CONTRACT_BYTES) -> str | None:
    """
    The text of a project's contract, or of another file of such a project, or None. Blocks.

    Raises:
        Refusal: ``storage_failed``; ``conflict`` for a file that is larger than any contract, or elsewhere.
    """
    path = Path(root) / file
    with faults_of(file.stem, "read"):
        if not path.is_file():
            return None
        refuse_elsewhere(path, Path(root))
        with path.open("rb") as opened:
            content = opened.read(most_bytes + 1)
    if len(content) > most_bytes:
        raise Refusal(RefusalCode.CONFLICT, f"{path} is no {file.stem} of reticle's.", "Save it anew.")
    return content.decode("utf-8", "replace")
