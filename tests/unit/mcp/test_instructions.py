"""
What every client puts before its model.
"""

from __future__ import annotations

import re

from reticle.mcp.instructions import INSTRUCTIONS
from reticle.model.limits import INSTRUCTIONS_CHARS
from reticle.service.surface import all_tools


def test_no_client_cuts_it() -> None:
    """
    It is plain ASCII and short enough to arrive whole.
    """
    assert INSTRUCTIONS.isascii()
    assert len(INSTRUCTIONS) <= INSTRUCTIONS_CHARS


def test_every_tool_it_names_exists() -> None:
    """
    An agent is never sent to a tool that is not there.
    """
    named = set(re.findall(r"reticle_[a-z_]+", INSTRUCTIONS))
    assert len(named) >= 10
    assert named - {tool.name for tool in all_tools()} == set()
