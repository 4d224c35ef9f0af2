"""
Text files of a project that a person reviews: where they may lie, and how they are written.

Nothing is written outside the project, whatever links the repository has, and no reader sees half a file.
"""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Iterator
from pathlib import Path

from reticle.errors import Refusal
from reticle.model.codes import RefusalCode


def existing_project(root: str | None) -> Path | None:
    """
    The root of a project whose folder is there.
    """
    return Path(root) if root is not None and Path(root).is_dir() else None


def refuse_elsewhere(path: Path, project: Path | None) -> None:
    """
    Raises:
        Refusal: ``conflict`` for a path that a link leads out of its project; a retry makes sense without it.
    """
    if project is not None and not path.resolve().is_relative_to(project.resolve()):
        raise Refusal(
            RefusalCode.CONFLICT,
            f"{path} leads out of the project; it was left alone.",
            "Replace that link by what it stands for.",
        )


def replace_text(path: Path, text: str) -> None:
    """
    Written in one step, over what is there: a link is replaced and not followed.
    """
    fresh = path.with_name(f".{path.stem[:80]}.{secrets.token_hex(4)}")
    try:
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            fresh.unlink()
        raise


@contextlib.contextmanager
def faults_of(what: str, done: str) -> Iterator[None]:
    """
    Say what the operating system refused, as in "the baseline could not be written".

    Raises:
        Refusal: ``storage_failed``; a retry makes sense when the disk was mended.
    """
    try:
        yield
    except OSError as fault:
        raise Refusal(
            RefusalCode.STORAGE_FAILED,
            f"the {what} could not be {done}: {fault.strerror or fault}",
            "Check disk and rights of the folder.",
        ) from None
