"""
The official Python client over the old transport: handshake, list, call.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from examples.journeys.children import Daemon

sse = pytest.importorskip("mcp.client.sse")
session = pytest.importorskip("mcp.client.session")


def test_handshake_list_and_call(daemon: Daemon) -> None:
    """
    The SDK initializes, sees the tools with their schemas, and reads a structured answer.
    """

    async def talk() -> tuple[Any, Any, Any]:
        async with (
            sse.sse_client(daemon.mcp_url) as (read, write),
            session.ClientSession(read, write) as ours,
        ):
            hello = await ours.initialize()
            return hello, await ours.list_tools(), await ours.call_tool("reticle_sessions", {})

    hello, listed, called = asyncio.run(asyncio.wait_for(talk(), 30))
    assert hello.server_info.name == "reticle"
    names = {tool.name for tool in listed.tools}
    assert {"reticle_sessions", "reticle_act_and_wait", "reticle_assert"} <= names
    assert not called.is_error
    assert called.structured_content["sessions"] == []


def test_refusal_is_a_result(daemon: Daemon) -> None:
    """
    The SDK gets a refusal as a tool result that its own schema check accepts.
    """

    async def talk() -> Any:
        async with (
            sse.sse_client(daemon.mcp_url) as (read, write),
            session.ClientSession(read, write) as ours,
        ):
            await ours.initialize()
            await ours.list_tools()
            return await ours.call_tool("reticle_assert", {"until": {"kind": "text", "contains": "x"}})

    called = asyncio.run(asyncio.wait_for(talk(), 30))
    assert called.is_error
    assert called.structured_content["error"] == "no_session"
