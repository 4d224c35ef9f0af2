"""
The official Python client over ``reticle mcp``, in both eras.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from examples.journeys.children import Daemon, daemon_environment

mcp = pytest.importorskip("mcp")
stdio = pytest.importorskip("mcp.client.stdio")


@pytest.mark.parametrize(("mode", "revision"), [("legacy", "2025-11-25"), ("auto", "2026-07-28")])
def test_handshake_list_and_call(mode: str, revision: str, daemon: Daemon, tmp_path: Path) -> None:
    """
    The SDK agrees on the newest revision of its era, lists the tools and reads a structured answer.
    """
    server = stdio.StdioServerParameters(
        command=sys.executable,
        args=["-m", "reticle", "mcp", "--no-start"],
        env=daemon_environment(daemon.state_dir.parent),
    )

    async def talk() -> tuple[Any, Any, Any]:
        with (tmp_path / "errors").open("w") as errors:
            async with mcp.Client(stdio.stdio_client(server, errlog=errors), mode=mode) as client:
                listed = await client.list_tools()
                called = await client.call_tool("reticle_sessions", {})
                return client.protocol_version, listed, called

    spoken, listed, called = asyncio.run(asyncio.wait_for(talk(), 60))
    assert spoken == revision
    assert {"reticle_act_and_wait", "reticle_assert"} <= {tool.name for tool in listed.tools}
    assert not called.is_error
    assert called.structured_content["sessions"] == []
