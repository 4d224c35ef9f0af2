"""
Next steps for people.
"""

from __future__ import annotations

import shlex

import click
import pytest

from reticle.cli.main import reticle
from reticle.cli.next_steps import COMMANDS, in_commands


def test_a_person_reads_what_to_type() -> None:
    """
    A refusal that was written for agents names commands; what only an agent calls stays, and other words do.
    """
    assert in_commands("repo.list shows them; the operator registers one with repo.add.") == (
        "reticle repo list shows them; the operator registers one with reticle repo add FOLDER."
    )
    assert in_commands("End shop.py with work.release.") == "End shop.py with work.release."


@pytest.mark.parametrize("line", COMMANDS.values())
def test_each_command_is_there(line: str) -> None:
    """
    No next step names a command that does not exist.
    """
    found: click.Command = reticle
    for word in shlex.split(line)[1:]:
        if not isinstance(found, click.Group):
            break
        inner = found.get_command(click.Context(found), word)
        assert inner is not None, word
        found = inner
    assert found is not reticle
