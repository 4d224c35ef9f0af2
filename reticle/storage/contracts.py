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
from reticle.model.limits import CONTRACT_BYTES
from reticle.storage.project_files import existing_project, faults_of, refuse_elsewhere, replace_text

FILE: Final = Path(".reticle") / "contract.json"
"""Below the root of a project (DESIGN §10)."""


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

    def _run(self, work: Callable[..., Any], *args: object) -> Deferred[Any]:
        return deferToThreadPool(self._reactor, self._reactor.getThreadPool(), work, *args)


def keep_contract(text: str, root: str) -> str:
    """
    Write a project's contract over the one that is there; its path. Blocks.

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
    with faults_of("contract", "written"):
        path = project / FILE
        refuse_elsewhere(path.parent, project)
        path.parent.mkdir(exist_ok=True)
        replace_text(path, text)
        return str(path)


def read_contract(root: str) -> str | None:
    """
    The text of a project's contract, or None. Blocks.

    Raises:
        Refusal: ``storage_failed``; ``conflict`` for a file that is larger than any contract, or elsewhere.
    """
    path = Path(root) / FILE
    with faults_of("contract", "read"):
        if not path.is_file():
            return None
        refuse_elsewhere(path, Path(root))
        with path.open("rb") as file:
            content = file.read(CONTRACT_BYTES + 1)
    if len(content) > CONTRACT_BYTES:
        raise Refusal(RefusalCode.CONFLICT, f"{path} is no contract of reticle's.", "Save it anew.")
    return content.decode("utf-8", "replace")
