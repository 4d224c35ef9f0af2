"""
The program that is to be supervised, or why there is none.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath
from typing import Final

from reticle.errors import ConfigurationFault

SHELLS: Final = frozenset({"sh", "bash", "dash", "zsh", "ksh", "fish", "csh", "tcsh", "ash"})


def would_run_prompt(command_line: Sequence[str]) -> bool:
    """
    Whether the command is a shell that takes what is typed for commands: no agent (field report S#181).
    """
    name, *arguments = command_line
    takes_keys = all(
        each.startswith("--") or (each.startswith("-") and "c" not in each) for each in arguments
    )
    return PurePath(name).name in SHELLS and takes_keys


def find_program(command_line: Sequence[str], environ: Mapping[str, str], folder: Path) -> str:
    """
    The whole path of what a command line starts, as the agent's environment finds it.

    Args:
        command_line: The program's name or path first.
        environ: The agent's.
        folder: That it is started in.

    Raises:
        ConfigurationFault: There is no such program, or it is none.
    """
    name = command_line[0]
    if not name:
        raise ConfigurationFault("the command is empty", "name a program after --")
    if os.sep in name:
        return str(_runnable((folder / name).absolute(), name))
    found = shutil.which(name, path=environ.get("PATH", os.defpath))
    if found is None:
        raise ConfigurationFault(
            f"no such command: {name}",
            "name a program that a shell would find; a line for a shell is sh -c '…'",
        )
    return str(_runnable(Path(found), name).absolute())


def _runnable(path: Path, name: str) -> Path:
    if not path.exists():
        raise ConfigurationFault(f"no such program: {name}", f"check it: ls -l {path}")
    if not path.is_file():
        raise ConfigurationFault(f"{name} is no program but a folder or a device", "name the program in it")
    if not os.access(path, os.X_OK):
        raise ConfigurationFault(
            f"{name} is not executable", f"chmod +x {path}, or name its interpreter first"
        )
    if _is_plain_text(path):
        raise ConfigurationFault(
            f"{name} is no program: it neither is one of this machine nor begins with #!",
            f"name its interpreter first: sh {path}",
        )
    return path


def _is_plain_text(path: Path) -> bool:
    """
    Whether the system could not start it (execve(2), ENOEXEC), as far as its first bytes tell.
    """
    try:
        with path.open("rb") as file:
            head = file.read(4)
    except OSError:
        return False  # a program may be closed to reading
    return head.isascii() and b"\0" not in head and not head.startswith((b"#!", b"\x7fELF", b"MZ"))
