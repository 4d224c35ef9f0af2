"""
FastMCP 2 and 4: ``fastmcp_client.py URL``; a URL that ends in ``/sse`` is the old transport to it.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from tests.clients.drivers.walk import Result, tell, walk


class FastMcp:
    """
    A connected ``fastmcp.Client``.
    """

    def __init__(self, client: Any, capabilities: Any, *, is_modern: bool) -> None:
        self._client = client
        self._capabilities = capabilities
        self._is_modern = is_modern

    async def list_tools(self) -> list[str]:
        """
        All names.
        """
        return [tool.name for tool in await self._client.list_tools()]

    async def call(self, name: str, arguments: Mapping[str, object], told: list[float]) -> Result:
        """
        With progress.
        """

        async def progressed(progress: float, _: float | None, __: str | None) -> None:
            told.append(progress)

        result = await self._client.call_tool_mcp(name, dict(arguments), progress_handler=progressed)
        dumped: Result = result.model_dump(mode="json", by_alias=True, exclude_none=True)
        return dumped

    async def ping(self) -> bool | None:
        """
        2026-07-28 has none.
        """
        return None if self._is_modern else bool(await self._client.ping())

    async def list_prompts(self) -> list[str] | None:
        """
        Names.
        """
        if self._capabilities.prompts is None:
            return None
        return [prompt.name for prompt in await self._client.list_prompts()]

    async def list_resources(self) -> list[str] | None:
        """
        URIs.
        """
        if self._capabilities.resources is None:
            return None
        return [str(resource.uri) for resource in await self._client.list_resources()]


async def main(url: str) -> None:
    """
    Connect, walk, leave.
    """
    async with import_module("fastmcp").Client(url) as client:
        session = client.session
        if hasattr(session, "protocol_version"):
            revision, capabilities = session.protocol_version, session.server_capabilities
            server = session.server_info
        else:
            hello = client.initialize_result
            revision, capabilities, server = hello.protocolVersion, hello.capabilities, hello.serverInfo
        walked = await walk(FastMcp(client, capabilities, is_modern=revision >= "2026"))
    tell(revision, server.name, walked)


asyncio.run(asyncio.wait_for(main(*sys.argv[1:]), 60))
