"""
The published client in revision 2026-07-28, on both carriers: its requests, questions and subscriptions.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import mcp_types as types
import pytest
from mcp import Client
from mcp.client.sse import sse_client

from tests.conformance.serving import serving

SECONDS = 60.0


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """
    A serving server.
    """
    with serving() as number:
        yield number


async def elicit(context: Any, params: Any) -> types.ElicitResult:
    """
    The person fills the form.
    """
    del context, params
    return types.ElicitResult(action="accept", content={"name": "Ann", "ok": True})


async def sample(context: Any, params: Any) -> types.CreateMessageResult:
    """
    The model answers.
    """
    del context, params
    said = types.TextContent(type="text", text="Paris")
    return types.CreateMessageResult(role="assistant", content=said, model="m")


async def list_roots(context: Any) -> types.ListRootsResult:
    """
    One folder.
    """
    del context
    return types.ListRootsResult(roots=[types.Root.model_validate({"uri": "file:///a"})])


async def text_of(client: Client, tool: str) -> str:
    """
    What a tool says.
    """
    result = await client.call_tool(tool, {})
    assert isinstance(result, types.CallToolResult)
    block = result.content[0]
    assert isinstance(block, types.TextContent)
    return block.text


async def talk(client: Client) -> None:
    """
    Everything that is new in the revision.
    """
    async with client.listen(tools_list_changed=True) as changes:
        await client.call_tool("test_trigger_tool_change", {})
        heard = await anext(aiter(changes))
        assert type(heard).__name__ == "ToolsListChanged"
    assert await text_of(client, "test_input_required_result_elicitation") == "Hello, Ann!"
    assert "Paris" in await text_of(client, "test_input_required_result_sampling")
    assert "file:///a" in await text_of(client, "test_input_required_result_list_roots")
    assert "state-ok" in await text_of(client, "test_input_required_result_request_state")
    told: list[float] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        del total, message
        told.append(progress)

    await client.call_tool("test_tool_with_progress", {}, progress_callback=note)
    assert told == [0, 50, 100]
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(client.call_tool("slow_compute", {"seconds": 30}), 0.5)
    # The call that was given up is cancelled and holds nothing up.
    assert (await client.list_tools()).tools


@pytest.mark.parametrize("carrier", ["http", "sse"])
def test_the_published_client(port: int, carrier: str) -> None:
    """
    It finds the revision by itself, listens, answers questions, hears progress, and gives a call up.
    """
    url = f"http://127.0.0.1:{port}/mcp"

    async def run() -> None:
        client = Client(
            url if carrier == "http" else sse_client(f"{url}/sse"),
            mode="auto",
            elicitation_callback=elicit,
            sampling_callback=sample,
            list_roots_callback=list_roots,
        )
        async with client:
            assert client.protocol_version == "2026-07-28"
            await talk(client)

    asyncio.run(asyncio.wait_for(run(), SECONDS))
