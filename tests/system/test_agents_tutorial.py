"""
The tutorial on agents, followed from an empty folder to a run that only its proof could close.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.system.starting import StartDaemon
from tests.system.test_run import free_port
from tests.system.transcript import Newcomer

PAGE = Path(__file__).resolve().parents[2] / "docs" / "tutorial" / "agents.md"

pytestmark = [pytest.mark.system, pytest.mark.full]


@pytest.mark.usefixtures("drives")
def test_a_newcomer_sees_a_gated_run(start: StartDaemon, tmp_path: Path) -> None:
    """
    Whoever saves the files and types the commands sees a job refused without proof and closed with it.
    """
    folder = tmp_path / "shop"
    folder.mkdir()
    newcomer = Newcomer(start(), folder, free_port())
    try:
        compared = newcomer.follow(PAGE.read_text("utf-8"))
    finally:
        newcomer.close()
    assert compared == 7
