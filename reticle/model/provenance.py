"""
Where a verdict comes from, beside the page: which state of which files, served by which process.

A gate compares it with what is so now (``domain.work.verdict_gate``).
"""

from __future__ import annotations

from typing import Final

import attrs

from reticle.model.ids import RepositoryId

TREE_PREFIX: Final = "tree:"
"""How a fingerprint of files begins; what follows is hex of SHA-256."""


@attrs.frozen
class Snapshot:
    """
    The files of a repository at one moment. ``tree`` is the fingerprint of all their names and contents, None
    where they could not be read, which ``trouble`` then says. ``commit`` is what HEAD names, None without
    git.

    Files that git ignores are left out, and so is ``.reticle``.
    """

    tree: str | None
    commit: str | None = None
    trouble: str = ""


@attrs.frozen
class ServingProcess:
    """
    A process that listens where a page was loaded from. ``folder`` is what it works in, None where the system
    does not tell; ``named`` are the files and folders that its command line names.
    """

    pid: int
    folder: str | None
    named: tuple[str, ...] = ()


@attrs.frozen
class Serving:
    """
    Who listens at an address; ``trouble`` says why that is not known.
    """

    processes: tuple[ServingProcess, ...] = ()
    trouble: str = ""


@attrs.frozen
class Provenance:
    """
    What stood behind a page while it was judged.

    ``began_at`` is when the judged window began, in seconds since the epoch. ``tree_before`` and ``tree`` are
    fingerprints from the beginning and from the end of the call. ``projects`` are the folders that probes
    with the ingest token name as theirs; ``forgeable`` says that a probe without it is among those that serve
    the page.
    """

    repository_id: RepositoryId
    began_at: float
    tree_before: str | None
    tree: str | None
    commit: str | None = None
    tree_trouble: str = ""
    serving: Serving = Serving()
    projects: tuple[str, ...] = ()
    probes: int = 0
    forgeable: bool = False
