"""
Which files of a repository a job may change: patterns over paths, the forbidden ones stronger.

A path is relative to the repository's root, with ``/``. In a pattern ``*`` and ``?`` stay within a name, and
``**`` is any number of folders; one that meets a folder meets all in it: ``src`` and ``src/**`` are the
same. No pattern reaches ``.git`` and ``.reticle``, in any spelling: what the daemon and git keep there is no
work. No scope at all leaves the whole rest open. Pure; whether a path is a link, storage sees.
"""

from __future__ import annotations

import fnmatch
import functools
import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.work_limits import PATHS_PER_SCOPE
from reticle.model.work_plan import WriteScope

PATH_CHARS: Final = 1_024
"""Longer ones no file system of ours takes in one piece, and no person reads."""

_OURS: Final = frozenset({".git", ".reticle"})
_SHOWN: Final = 200


def normalised(path: str) -> str:
    """
    The one spelling of a path inside a repository: ``./src//a.py`` is ``src/a.py``.

    Raises:
        Refusal: ``path_outside_scope`` for one that is absolute, climbs, or is no path at all; a retry makes
            sense with another path.
    """
    fault = _fault(path)
    parts = [part for part in path.split("/") if part not in {"", "."}]
    if fault is None and not parts:
        fault = "names no file"
    if fault is None and any(is_ours(part) for part in parts):
        fault = "lies in .git or .reticle, which no job writes to"
    if fault is not None:
        raise Refusal(
            RefusalCode.PATH_OUTSIDE_SCOPE,
            f"the path {path[:_SHOWN]!r} {fault}. Nothing was published.",
            "Give a path below the repository's root, such as docs/report.md.",
        )
    return "/".join(parts)


def covers(scope: WriteScope | None, path: str) -> bool:
    """
    Whether a job with this scope may change a file; ``path`` as ``normalised`` gives it.
    """
    if any(is_ours(part) for part in path.split("/")):
        return False
    if scope is None:
        return True
    if any(_meets(pattern, path) for pattern in scope.forbidden_paths):
        return False
    return any(_meets(pattern, path) for pattern in scope.allowed_paths)


def outside(scope: WriteScope | None, paths: Iterable[str]) -> tuple[str, ...]:
    """
    Those of the paths that a job with this scope may not change, sorted.
    """
    return tuple(sorted(path for path in paths if not covers(scope, path)))


def refuse_outside(scope: WriteScope | None, path: str) -> str:
    """
    The path as it is kept.

    Raises:
        Refusal: ``path_outside_scope`` for one that this scope does not cover.
    """
    kept = normalised(path)
    if covers(scope, kept):
        return kept
    allowed = ", ".join(scope.allowed_paths[:8]) if scope is not None else ""
    raise Refusal(
        RefusalCode.PATH_OUTSIDE_SCOPE,
        f"{kept!r} is not in this job's write scope. Nothing was published.",
        f"Write to a file that the packet's write_scope allows: {allowed or 'it allows none'}.",
        {"path": kept, "write_scope": _as_fields(scope)},
    )


def check_scope(scope: WriteScope, where: str) -> None:
    """
    Refuse a scope that cannot be meant.

    Args:
        scope: As the plan has it.
        where: Its place in the plan, for people.

    Raises:
        Refusal: ``bad_arguments``; nothing was prepared.
    """
    named = [("allowed_paths", scope.allowed_paths), ("forbidden_paths", scope.forbidden_paths)]
    for name, patterns in named:
        if len(patterns) > PATHS_PER_SCOPE:
            raise _bad(f"{where}.{name}", f"has more than {PATHS_PER_SCOPE} patterns")
        for number, pattern in enumerate(patterns):
            fault = _fault(pattern) or _pattern_fault(pattern)
            if fault is not None:
                raise _bad(f"{where}.{name}[{number}]", f"{pattern[:_SHOWN]!r} {fault}")


def is_ours(name: str) -> bool:
    """
    Whether a file system may take a name for ``.git`` or ``.reticle``: case, invisible characters and dots at
    the end are nothing to some of them.
    """
    shown = "".join(
        char for char in unicodedata.normalize("NFKC", name) if unicodedata.category(char) != "Cf"
    )
    return shown.rstrip(". ").casefold() in _OURS or shown.casefold() == "git~1"


def _fault(path: str) -> str | None:
    """
    What is wrong with a path or a pattern as such, in words.
    """
    if not path.strip() or len(path) > PATH_CHARS:
        return f"is empty or longer than {PATH_CHARS} characters"
    if any(unicodedata.category(char) in {"Cc", "Cs"} for char in path):
        return "holds control characters"
    if "\\" in path:
        return "holds a backslash; folders are parted by /"
    if path.startswith(("/", "~")) or re.match(r"[A-Za-z]:", path):
        return "is absolute; paths are relative to the repository's root"
    if ".." in path.split("/"):
        return "climbs out with .."
    return None


def _pattern_fault(pattern: str) -> str | None:
    parts = pattern.rstrip("/").split("/")
    if any("**" in part and part != "**" for part in parts):
        return "has ** beside other characters; it stands alone between slashes"
    if any(is_ours(part) for part in parts):
        return "is about .git or .reticle, which no job writes to"
    return None


def _meets(pattern: str, path: str) -> bool:
    """
    Whether a pattern meets a path, or a folder that the path is in.
    """
    wanted = [part for part in pattern.split("/") if part not in {"", "."}]
    if wanted and wanted[-1] == "**":
        wanted.append("*")  # what is in a folder is not the folder itself
    given = path.split("/")
    # the places in the path that the pattern's parts so far may have come to
    places = {0} if wanted else set()
    for part in wanted:
        if not places:
            return False
        if part == "**":
            places = set(range(min(places), len(given)))
        else:
            fits = _compiled(part).match
            places = {place + 1 for place in places if place < len(given) and fits(given[place])}
    return bool(places)


@functools.lru_cache(maxsize=1_024)
def _compiled(part: str) -> re.Pattern[str]:
    """
    One name of a pattern; brackets are plain characters.
    """
    return re.compile(fnmatch.translate(part.replace("[", "[[]")))


def _as_fields(scope: WriteScope | None) -> dict[str, object]:
    if scope is None:
        return {}
    return {"allowed_paths": list(scope.allowed_paths), "forbidden_paths": list(scope.forbidden_paths)}


def _bad(where: str, wrong: str) -> Refusal:
    return Refusal(
        RefusalCode.BAD_ARGUMENTS,
        f"{where}: {wrong}. Nothing was prepared.",
        'For example {"allowed_paths": ["src/**", "docs/*.md"], "forbidden_paths": ["src/secrets.py"]}.',
    )
