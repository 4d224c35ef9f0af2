"""
The Python SDK 2.x (``mcp`` 2.3): ``sdk_2.py URL sse|http MODE`` or ``sdk_2.py - stdio MODE COMMAND…``.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
import urllib.request
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from tests.clients.drivers.walk import NEVER, Result, tell, walk

CANCEL_SECONDS = 0.5
REST_SECONDS = 5


class Sdk2:
    """
    A connected ``Client``.
    """

    def __init__(self, client: Any) -> None:
        self._client = client
        self._is_modern = client.protocol_version >= "2026"

    async def list_tools(self) -> list[str]:
        """
        All names.
        """
        return [tool.name for tool in (await self._client.list_tools()).tools]

    async def call(self, name: str, arguments: Mapping[str, object], told: list[float]) -> Result:
        """
        With progress.
        """

        async def progressed(progress: float, _: float | None, __: str | None) -> None:
            told.append(progress)

        result = await self._client.call_tool(name, dict(arguments), progress_callback=progressed)
        dumped: Result = result.model_dump(mode="json", by_alias=True, exclude_none=True)
        return dumped

    async def ping(self) -> bool | None:
        """
        2026-07-28 has none.
        """
        if self._is_modern:
            return None
        await self._client.send_ping()
        return True

    async def list_prompts(self) -> list[str] | None:
        """
        Names.
        """
        if self._client.server_capabilities.prompts is None:
            return None
        return [prompt.name for prompt in (await self._client.list_prompts()).prompts]

    async def list_resources(self) -> list[str] | None:
        """
        URIs.
        """
        if self._client.server_capabilities.resources is None:
            return None
        return [str(resource.uri) for resource in (await self._client.list_resources()).resources]


async def cancelled(client: Any) -> bool:
    """
    Give up a long wait; true when the daemon then has nothing to do any more.
    """
    long = client.call_tool("reticle_wait_for", {"predicate": NEVER, "timeout_ms": 50_000})
    try:
        await asyncio.wait_for(long, CANCEL_SECONDS)
    except TimeoutError:
        return await comes_to_rest()
    return False


def calls_in_flight() -> int:
    """
    How many calls the daemon says it runs.
    """
    with urllib.request.urlopen(os.environ["STATUS_URL"], timeout=5) as answer:
        return int(json.load(answer)["calls"]["in_flight"])


async def comes_to_rest() -> bool:
    """
    Whether no call runs within a few seconds.
    """
    deadline = time.monotonic() + REST_SECONDS
    while time.monotonic() < deadline:
        if await asyncio.to_thread(calls_in_flight) == 0:
            return True
        await asyncio.sleep(0.1)
    return False


async def main(url: str, transport: str, mode: str, *command: str) -> None:
    """
    Connect, walk, cancel, leave.
    """
    target: Any = url
    if transport == "sse":
        target = import_module("mcp.client.sse").sse_client(url)
    elif transport == "stdio":
        stdio = import_module("mcp.client.stdio")
        target = stdio.stdio_client(stdio.StdioServerParameters(command=command[0], args=list(command[1:])))
    async with import_module("mcp").Client(target, mode=mode) as client:
        walked = await walk(Sdk2(client))
        gave_up = await cancelled(client)
        revision, server = client.protocol_version, client.server_info
    tell(revision, None if server is None else server.name, walked, cancelled=gave_up)


asyncio.run(asyncio.wait_for(main(*sys.argv[1:]), 60))
