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

    Files that git ignores are left out, and so is ``.reticle``. ``recent`` are the files that changed last,
    the last one first, each with when that was (seconds since the epoch, by the file system); one that is
    gone is there with when it was seen last.
    """

    tree: str | None
    commit: str | None = None
    trouble: str = ""
    recent: tuple[tuple[str, float], ...] = ()


@attrs.frozen
class ServingProcess:
    """
    A process that listens where a page was loaded from. ``folder`` is what it works in, None where the system
    does not tell; ``named`` are the files and folders that its command line names. ``started_at`` is seconds
    since the epoch. ``apart`` says that its folder is another one than we see under that name: what it names
    lies in a file system of its own, or is gone.
    """

    pid: int
    folder: str | None
    named: tuple[str, ...] = ()
    started_at: float | None = None
    apart: bool = False


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
    fingerprints from the beginning and from the end of the call, ``edited`` the files that differ between the
    two, None where that is not known. ``newer_than_page`` are files that changed since the page's document
    was loaded, ``newer_than_browser`` since its browser context was opened, ``newer_than_server`` those of
    Python code that changed since the youngest process that serves it was started; None where more of them
    changed than are told. ``beside`` is who listens at the repository's other origins that the page asked in
    the window, as an app with a server of its own for its data does. ``projects`` are the folders that probes
    with the ingest token name as theirs; ``forgeable`` says that a probe without it is among those that serve
    the page. ``work_lease_id`` is the claim that the caller's session held when the call began, empty for
    none; None where an older version wrote it down.
    """

    repository_id: RepositoryId
    began_at: float
    tree_before: str | None
    tree: str | None
    edited: tuple[str, ...] | None = ()
    newer_than_page: tuple[str, ...] | None = ()
    newer_than_browser: tuple[str, ...] | None = ()
    newer_than_server: tuple[str, ...] | None = ()
    commit: str | None = None
    tree_trouble: str = ""
    serving: Serving = Serving()
    beside: tuple[Serving, ...] = ()
    projects: tuple[str, ...] = ()
    probes: int = 0
    forgeable: bool = False
    work_lease_id: str | None = None
