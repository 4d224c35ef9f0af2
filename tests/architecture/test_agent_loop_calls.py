"""
The agent's supervisor does no work: what it may ask of the daemon is a short list.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

from reticle.cli.agent_session import Method

ROOT = Path(__file__).resolve().parents[2]
MODULES = [*(ROOT / "reticle/agent").rglob("*.py"), *(ROOT / "reticle/cli").glob("agent_*.py")]
METHOD = re.compile(r"[a-z]+[._][a-z_]+")
FAMILIES = ("work", "artifact", "review", "run", "recovery", "escalation", "queue")


def test_it_calls_no_method_of_work() -> None:
    """
    It never claims, acknowledges, releases or completes; the agent does, with its own token.
    """
    assert {each.value for each in Method} == {
        "session.register",
        "session.close",
        "repo.resolve",
        "list.runs",
        "supervise.status",
    }
    named = [
        (path.name, node.value)
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if METHOD.fullmatch(node.value) and node.value.startswith(tuple(f"{each}." for each in FAMILIES))
    ]
    assert named == []


def test_only_one_place_calls_the_daemon() -> None:
    """
    The supervisor's own package has no way to the daemon, nor to a process but the one it starts.
    """
    forbidden = ("reticle.client", "reticle.cli", "socket", "http", "urllib.request", "subprocess", "treq")
    imported = [
        (path.name, name)
        for path in MODULES
        if path.parent.name == "agent"
        for node in ast.walk(ast.parse(path.read_text()))
        for name in (
            [alias.name for alias in node.names] if isinstance(node, ast.Import)
            else [node.module or ""] if isinstance(node, ast.ImportFrom)
            else []
        )
        if name.startswith(forbidden)
    ]  # fmt: skip
    assert imported == []
    calling = [path.name for path in MODULES if re.search(r"\bask\(", path.read_text())]
    assert calling == ["agent_loop.py"]
