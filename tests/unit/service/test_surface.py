"""
The tools of one daemon.
"""

from __future__ import annotations

from pathlib import Path

import reticle.tools
from reticle.service.surface import FAMILIES, WORK_FAMILIES, all_tools


def test_the_meta_tools_stand_between_both_toolsets() -> None:
    """
    Agents see the tools of a page first, then how to find more, then those for work.
    """
    names = [tool.name for tool in all_tools()]
    assert names[0] == "reticle_sessions"
    assert names.index("reticle_feedback") < names.index("reticle_run") < names.index("daemon.describe")
    assert len(names) == len(set(names))


def test_no_family_is_forgotten() -> None:
    """
    A module with tools that is not named here would be a tool that nobody can call.
    """
    folder = Path(str(reticle.tools.__file__)).parent
    having = {
        ".".join(["reticle.tools", *path.relative_to(folder).with_suffix("").parts])
        for path in folder.rglob("*.py")
        if "\nTOOLS" in path.read_text(encoding="utf-8")
    }
    assert having - {"reticle.tools.meta"} == {*FAMILIES, *WORK_FAMILIES}
