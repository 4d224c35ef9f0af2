"""
``reticle mcp`` in the list of commands; ``reticle.__main__`` starts the front itself, without click.
"""

from __future__ import annotations

import os

import click

from reticle.relay.main import run


@click.command(
    name="mcp",
    add_help_option=False,
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def command(arguments: tuple[str, ...]) -> int:
    """
    Serve MCP on standard input and output, for agents.
    """
    return run(arguments, os.dup(1))
