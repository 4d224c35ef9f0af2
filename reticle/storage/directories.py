"""
Where the daemon keeps what survives it (state) and where it announces itself (runtime).

Order: what we were told; systemd's ``StateDirectory=``/``RuntimeDirectory=``; the platform's places.
``docs/operations/files.md`` lists what lies in them.
"""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Mapping
from pathlib import Path

import attrs
import platformdirs

from reticle.storage.private_files import prepare_directory

_NAME = "reticle"


@attrs.frozen
class Directories:
    """
    The two directories, as absolute paths.
    """

    state: Path
    runtime: Path


def locate_directories(
    state_dir: Path | None, runtime_dir: Path | None, environ: Mapping[str, str]
) -> Directories:
    """
    Say where they are, without making or checking anything; for readers such as ``reticle status``.

    Args:
        state_dir: As told, else None.
        runtime_dir: As told, else None.
        environ: For systemd's ``STATE_DIRECTORY`` and ``RUNTIME_DIRECTORY`` (systemd.exec(5)); when a
            unit names several directories, the first is ours.
    """
    return Directories(
        state_dir or _from_systemd(environ, "STATE_DIRECTORY") or platform_state(),
        runtime_dir or _from_systemd(environ, "RUNTIME_DIRECTORY") or platform_runtime(),
    )


def prepare_directories(
    state_dir: Path | None, runtime_dir: Path | None, environ: Mapping[str, str]
) -> Directories:
    """
    As ``locate_directories``, and make them usable.

    Raises:
        ConfigurationFault: One cannot be used; it names the command that mends it.
    """
    found = locate_directories(state_dir, runtime_dir, environ)
    prepare_directory(found.state, "state directory", "RETICLE_STATE_DIR")
    if _is_in_shared_temp(found.runtime):
        prepare_directory(found.runtime.parent, "runtime directory", "RETICLE_RUNTIME_DIR")
    prepare_directory(found.runtime, "runtime directory", "RETICLE_RUNTIME_DIR")
    return found


def platform_state() -> Path:
    """
    The platform's place for state of one user's program.
    """
    return Path(platformdirs.user_state_dir(_NAME, appauthor=False))


def platform_runtime() -> Path:
    """
    The platform's place for sockets and the like; without one, a folder of ours in the temporary one.
    """
    with warnings.catch_warnings():
        # It warns where there is no XDG_RUNTIME_DIR; the folder it then names is checked like any other.
        warnings.simplefilter("ignore")
        return Path(platformdirs.user_runtime_dir(_NAME, appauthor=False))


def _is_in_shared_temp(path: Path) -> bool:
    """
    True for ``/tmp/runtime-<uid>/reticle``: there the folder above is ours to make and to check too.
    """
    return path.parent.parent == Path(tempfile.gettempdir()) and path == platform_runtime()


def _from_systemd(environ: Mapping[str, str], variable: str) -> Path | None:
    first = environ.get(variable, "").partition(":")[0]
    return Path(first) if first else None
