"""
The Python SDK 1.x (``mcp`` 1.6 to 1.30): ``sdk_1.py URL sse|http``.
"""

from __future__ import annotations

import asyncio
import inspect
import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from tests.clients.drivers.walk import Result, tell, walk

OPENERS = {
    "sse": ("mcp.client.sse", "sse_client"),
    "http": ("mcp.client.streamable_http", "streamablehttp_client"),
}


class Sdk1:
    """
    An initialized ``ClientSession``.
    """

    def __init__(self, session: Any, capabilities: Any) -> None:
        self._session = session
        self._capabilities = capabilities
        self._takes_progress = "progress_callback" in inspect.signature(session.call_tool).parameters

    async def list_tools(self) -> list[str]:
        """
        All names.
        """
        return [tool.name for tool in (await self._session.list_tools()).tools]

    async def call(self, name: str, arguments: Mapping[str, object], told: list[float]) -> Result:
        """
        Progress since 1.9.
        """

        async def progressed(progress: float, _: float | None, __: str | None) -> None:
            told.append(progress)

        more = {"progress_callback": progressed} if self._takes_progress else {}
        result = await self._session.call_tool(name, dict(arguments), **more)
        dumped: Result = result.model_dump(mode="json", by_alias=True, exclude_none=True)
        return dumped

    async def ping(self) -> bool | None:
        """
        Every revision of this client has it.
        """
        await self._session.send_ping()
        return True

    async def list_prompts(self) -> list[str] | None:
        """
        Names.
        """
        if self._capabilities.prompts is None:
            return None
        return [prompt.name for prompt in (await self._session.list_prompts()).prompts]

    async def list_resources(self) -> list[str] | None:
        """
        URIs.
        """
        if self._capabilities.resources is None:
            return None
        return [str(resource.uri) for resource in (await self._session.list_resources()).resources]


async def main(url: str, transport: str) -> None:
    """
    Connect, walk, leave.
    """
    module, function = OPENERS[transport]
    session_type = import_module("mcp").ClientSession
    async with getattr(import_module(module), function)(url) as streams:
        read, write = streams[:2]
        async with session_type(read, write) as session:
            hello = await session.initialize()
            walked = await walk(Sdk1(session, hello.capabilities))
    tell(hello.protocolVersion, hello.serverInfo.name, walked)


asyncio.run(asyncio.wait_for(main(*sys.argv[1:]), 60))
