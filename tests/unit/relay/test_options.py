"""
The flags of ``reticle mcp``.
"""

from __future__ import annotations

import pytest

from reticle.relay.options import USAGE, parse_options


def test_flags_with_and_without_equals_sign() -> None:
    """
    Both usual spellings are read.
    """
    options = parse_options(["--port", "4401", "--state-dir=/x", "--no-start"])
    assert options.flags == {"port": "4401", "state_dir": "/x"}
    assert options.may_start is False


@pytest.mark.parametrize("arguments", [["--prot", "1"], ["--port"], ["4400"], ["--no-start=1"]])
def test_what_is_not_understood_is_named(arguments: list[str]) -> None:
    """
    A misspelt flag in a client's entry ends the start with the flag's name.
    """
    with pytest.raises(ValueError, match=arguments[0]):
        parse_options(arguments)


def test_help_wins() -> None:
    """
    ``--help`` among other flags shows the help, which names every flag.
    """
    assert parse_options(["--port", "1", "-h"]).help
    for flag in ("--port", "--url", "--no-start", "--token-file", "--state-dir", "--runtime-dir", "--config"):
        assert flag in USAGE
