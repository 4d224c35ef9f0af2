"""
The examples of the pages about ``reticle mcp`` and ``reticle call`` do what stands below them.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from examples.journeys.children import Daemon, daemon_environment

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = ("protocol/stdio.md", "howto/call-from-the-shell.md", "howto/register.md")


def blocks(page: str, language: str) -> list[str]:
    """
    The fenced blocks of a page in one language.
    """
    text = (DOCS / page).read_text("utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def examples(page: str) -> list[tuple[str, str]]:
    """
    Each command of a page's console blocks that is marked with ``$``, and what is shown below it.
    """
    found = []
    for block in re.findall(
        r"^```console\n(.*?)^```$", (DOCS / page).read_text("utf-8"), re.MULTILINE | re.DOTALL
    ):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = part.partition("\n")
            found.append((command, shown))
    return found


def pattern(shown: str) -> str:
    """
    What is shown, as an expression: an ellipsis stands for anything.
    """
    return ".*".join(map(re.escape, shown.strip().split("…")))


@pytest.mark.parametrize("page", PAGES)
def test_examples_of_a_page(page: str, daemon: Daemon, tmp_path: Path) -> None:
    """
    Whoever copies a command from the documentation sees what the documentation shows.
    """
    commands = tmp_path / "bin"
    commands.mkdir()
    (commands / "reticle").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m reticle "$@"\n')
    (commands / "reticle").chmod(0o755)
    environment = {
        **os.environ,
        **daemon_environment(daemon.state_dir.parent),
        "PATH": f"{commands}:{os.environ['PATH']}",
    }
    assert examples(page)
    for command, shown in examples(page):
        done = subprocess.run(
            ["/bin/sh", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, timeout=60, check=False, env=environment, cwd=tmp_path,
        )  # fmt: skip
        printed = "\n".join(line for line in done.stdout.splitlines() if not line.startswith("reticle mcp:"))
        assert re.fullmatch(pattern(shown), printed, re.DOTALL), f"{command}\n{done.stdout}"


def test_entries_for_clients_are_readable() -> None:
    """
    What a user pastes into a client's file is JSON or TOML, and starts or names what there is.
    """
    text = (DOCS / "howto/register.md").read_text("utf-8")
    entries = [
        json.loads(block) for block in re.findall(r"^```json\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    ]
    entries += [
        tomllib.loads(block) for block in re.findall(r"^```toml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    ]
    assert len(entries) >= 10
    for entry in entries:
        ((_, servers),) = entry.items()
        server = servers["reticle"]
        address = server.get("url", server.get("httpUrl"))
        assert (address, server.get("command"), server.get("args")) in [
            ("http://127.0.0.1:4400/mcp", None, None),
            (None, "reticle", ["mcp"]),
        ]
