"""
The how-tos of the server side, followed from an empty folder to the line of a planted fault.
"""

from __future__ import annotations

import re
from importlib.metadata import distribution
from pathlib import Path

import pytest

from tests.system.starting import StartDaemon
from tests.system.test_run import free_port
from tests.system.transcript import Newcomer, blocks

HOWTO = Path(__file__).resolve().parents[2] / "docs" / "howto"
ONE = "flask"
"""At every commit; all of them in `make full`."""
OTHERS = ("django", "fastapi", "klein", "wsgi-and-asgi", "untouched-project")


@pytest.mark.usefixtures("drives")
@pytest.mark.parametrize("page", [ONE, *(pytest.param(page, marks=pytest.mark.full) for page in OTHERS)])
def test_a_newcomer_sees_what_the_page_shows(page: str, start: StartDaemon, tmp_path: Path) -> None:
    """
    Whoever saves the files and types the commands gets the `yes`, and then the verdict with the line.
    """
    text = (HOWTO / f"{page}.md").read_text("utf-8")
    folder = tmp_path / "shop"
    folder.mkdir()
    newcomer = Newcomer(start(), folder, free_port())
    try:
        newcomer.follow(text)
    finally:
        newcomer.close()
    consoles = "".join(block.text for block in blocks(text) if block.language == "console")
    assert "verified: yes" in consoles
    assert re.search(r"^verified: no .*^source: \S+\.py:\d+ ", consoles, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", [ONE, *OTHERS])
def test_what_a_page_installs_is_what_it_was_tried_with(page: str) -> None:
    """
    The names after ``pip install`` are distributions, and those that the commands and files need.
    """
    [line] = re.findall(r"pip install (.*)", (HOWTO / f"{page}.md").read_text("utf-8"))
    for name in line.removesuffix(" path/to/reticle").split():
        assert distribution(name).version
