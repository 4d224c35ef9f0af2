"""
The MCP Inspector's command line: each call is a connection of its own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.clients.matrix import inspector_command
from tests.clients.stage import Stage

TOOL_IS_ERROR = 5
"""Its exit code for a result with ``isError``."""

ENDS = [
    pytest.param(("sse", "legacy"), id="sse-legacy"),
    pytest.param(("http", "legacy"), id="http-legacy", marks=pytest.mark.full),
    pytest.param(("http", "modern"), id="http-modern"),
]
"""Transport and era; ``modern`` fails where 2026-07-28 is not offered."""

HEADING = {"kind": "text", "contains": "Bench"}

Inspect = Callable[..., Mapping[str, Any]]


@pytest.fixture(params=ENDS)
def inspect(stage: Stage, request: pytest.FixtureRequest, tmp_path: Path) -> Inspect:
    """
    Ask the Inspector for one method, on each transport in each era; gives the result.
    """
    transport, era = request.param
    start = [*inspector_command(), stage.url(transport), "--transport", transport]
    chosen = ["--protocol-era", era, "--format", "json"]

    def ask(method: str, *more: str, ends_with: int = 0) -> Mapping[str, Any]:
        command = [*start, *chosen, "--method", method, *more]
        result = json.loads(stage.run(command, home=tmp_path, ends_with=ends_with))["result"]
        assert isinstance(result, dict)
        return result

    return ask


def call(inspect: Inspect, tool: str, arguments: Mapping[str, object], *, ends_with: int = 0) -> Any:
    """
    One call of a tool; gives its structured content.
    """
    written = json.dumps(arguments)
    result = inspect("tools/call", "--tool-name", tool, "--tool-args-json", written, ends_with=ends_with)
    return result["structuredContent"]


def test_what_it_lists(inspect: Inspect) -> None:
    """
    Tools whose schemas are portable by its own strict rules, prompts, and a resource that can be read.
    """
    names = {tool["name"] for tool in inspect("tools/list", "--strict")["tools"]}
    assert {"reticle_sessions", "reticle_assert", "reticle_act_and_wait"} <= names
    assert {"verify", "debug"} <= {prompt["name"] for prompt in inspect("prompts/list")["prompts"]}
    found = inspect("resources/read", "--uri", "reticle://sessions")["contents"]
    assert "Bench" in found[0]["text"]


def test_calls(inspect: Inspect) -> None:
    """
    A verdict on the page is a result, a refusal an error of the tool with its code.
    """
    assert call(inspect, "reticle_assert", {"predicate": HEADING})["verified"] == "yes"
    wrong = {"predicate": HEADING, "sessionId": "nobody"}
    refused = call(inspect, "reticle_assert", wrong, ends_with=TOOL_IS_ERROR)
    assert refused["error"] == "unknown_session"
