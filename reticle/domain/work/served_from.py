"""
Whether the app behind a page runs from a repository's folder, by what is known of its process.
"""

from __future__ import annotations

from pathlib import PurePosixPath

from reticle.model.provenance import Provenance, ServingProcess


def places_elsewhere(provenance: Provenance, root: str) -> tuple[str, ...]:
    """
    What says that the app is served from outside of a folder: in words, with the place; empty where nothing
    does.
    """
    said = [
        f"a probe in the server names its project {project}"
        for project in provenance.projects
        if not is_within(project, root)
    ]
    said += [
        what
        for serving in (provenance.serving, *provenance.beside)
        for process in serving.processes
        for what in _elsewhere(process, provenance, root)
    ]
    return tuple(said)


def is_known(provenance: Provenance) -> bool:
    """
    Whether anything tells where the app is served from.
    """
    return bool(provenance.projects) or any(
        process.folder is not None for process in provenance.serving.processes
    )


def is_within(path: str, root: str) -> bool:
    """
    Whether a path is a folder or lies below it; both absolute, links followed.
    """
    return PurePosixPath(path).is_relative_to(PurePosixPath(root))


def _elsewhere(process: ServingProcess, provenance: Provenance, root: str) -> list[str]:
    """
    A server may be started from anywhere where its command line, or a probe in it, names the repository.
    """
    if process.apart:
        return [f"the process {process.pid} that serves it works in another {process.folder} than is here"]
    outside = [path for path in process.named if not is_within(path, root)]
    said = [f"the process {process.pid} that serves it was started with {path}" for path in outside]
    if process.folder is None or is_within(process.folder, root):
        return said
    if provenance.projects or any(is_within(path, root) for path in process.named):
        return said
    return [*said, f"the process {process.pid} that serves it works in {process.folder}"]
