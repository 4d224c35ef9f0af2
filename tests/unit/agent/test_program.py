"""
Which program a command line means, and what is none.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from reticle.agent.program import find_program, would_run_prompt
from reticle.errors import ConfigurationFault


def put(path: Path, content: bytes, mode: int = 0o755) -> Path:
    """
    A file.
    """
    path.write_bytes(content)
    path.chmod(mode)
    return path


def test_a_program_is_found_as_the_agent_would(tmp_path: Path) -> None:
    """
    A name is looked up in the agent's own path, a path from the folder that it starts in.
    """
    found = put(tmp_path / "agent", b"#!/bin/sh\n")
    put(tmp_path / "binary", b"\xcf\xfa\xed\xfe")
    assert find_program(["agent", "-x"], {"PATH": str(tmp_path)}, Path("/")) == str(found)
    assert find_program(["./agent"], {}, tmp_path) == str(found)
    assert find_program(["./binary"], {}, tmp_path) == str(tmp_path / "binary")


@pytest.mark.parametrize(
    ("name", "wrong"),
    [("agent", "no such command"), ("./gone", "no such program"), ("./folder", "folder"),
     ("./closed", "executable"), ("./notes", "no program"), ("./empty", "no program"), ("", "empty")],
)  # fmt: skip
def test_what_is_no_program_is_refused(tmp_path: Path, name: str, wrong: str) -> None:
    """
    One line says what is wrong with it, and the next what to do.
    """
    (tmp_path / "folder").mkdir()
    put(tmp_path / "closed", b"#!/bin/sh\n", 0o644)
    put(tmp_path / "notes", b"buy milk\n")
    put(tmp_path / "empty", b"")
    with pytest.raises(ConfigurationFault, match=wrong) as caught:
        find_program([name], {"PATH": "/nowhere"}, tmp_path)
    assert caught.value.recovery


@pytest.mark.parametrize(
    ("command_line", "is_shell"),
    [(["bash"], True), (["/bin/sh", "-i"], True), (["bash", "--norc", "-i"], True), (["zsh", "-l"], True),
     (["sh", "-c", "agent"], False), (["bash", "agent.sh"], False), (["claude"], False)],
)  # fmt: skip
def test_a_shell_is_told_from_an_agent(command_line: list[str], is_shell: bool) -> None:  # noqa: FBT001 - a table
    """
    A prompt is not typed where it would be run as a command.
    """
    assert would_run_prompt(command_line) is is_shell
