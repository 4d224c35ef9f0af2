"""
Resources, prompts, completions, changes and questions as the official client sees them, in both eras.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as dial_page

from examples.journeys.children import Daemon
from tests.system.pages import HELLO

mcp = pytest.importorskip("mcp")
sse = pytest.importorskip("mcp.client.sse")
types = pytest.importorskip("mcp_types")

PAGE = "shop page"
SNAPSHOT = "reticle://session/shop%20page/snapshot"
WAIT_SECONDS = 20.0
DANGER = {
    "code": "confirm_dangerous",
    "error": 'Acting on button "Delete" may be destructive: it says "delete". Nothing was done.',
    "recovery": "If that is intended, call again with args.confirmDangerous: true.",
}


async def serve_page(socket: ClientConnection, name: str) -> None:
    """
    A page that shows one button and deletes only when that is confirmed.
    """
    async for message in socket:
        command = json.loads(message)
        answer: dict[str, Any] = {"ok": True, "result": {}}
        match command.get("name"):
            case "snapshot":
                answer["result"] = {"tree": f'button "Delete" e1 of {name}', "status": {"route": "/"}}
            case "act" if not (command["args"].get("args") or {}).get("confirmDangerous"):
                answer = {"ok": False, **DANGER}
            case "act":
                answer["result"] = {"effect": {}, "settled": True}
        if command.get("kind") == "command":
            await socket.send(json.dumps({"kind": "command_result", "id": command["id"], **answer}))


@asynccontextmanager
async def page(daemon: Daemon, name: str = PAGE, **fields: object) -> AsyncIterator[ClientConnection]:
    """
    A connected page.
    """
    async with dial_page(f"ws://127.0.0.1:{daemon.port}/reticle") as socket:
        hello = {**HELLO, "sessionId": name, "documentId": f"doc-{len(name)}", "title": f"The {name}"}
        await socket.send(json.dumps({**hello, **fields}))
        serving = asyncio.create_task(serve_page(socket, name))
        yield socket
        serving.cancel()


async def until(condition: Callable[[], bool] | Callable[[], Awaitable[bool]], what: str) -> None:
    """
    Wait until something holds.
    """
    deadline = asyncio.get_running_loop().time() + WAIT_SECONDS
    while True:
        held = condition()
        if await held if isinstance(held, Awaitable) else held:
            return
        assert asyncio.get_running_loop().time() < deadline, f"never: {what}"
        await asyncio.sleep(0.05)


def client_of(daemon: Daemon, mode: str, **callbacks: Any) -> Any:
    """
    The SDK's client over Streamable HTTP, or in ``sse`` mode over the old transport.
    """
    if mode == "sse":
        return mcp.Client(sse.sse_client(daemon.mcp_url), mode="legacy", **callbacks)
    return mcp.Client(f"http://127.0.0.1:{daemon.port}/mcp", mode=mode, **callbacks)


def run(talk: Callable[[], Awaitable[None]]) -> None:
    """
    One conversation, which may not hang.
    """

    async def bounded() -> None:
        await asyncio.wait_for(talk(), 3 * WAIT_SECONDS)

    asyncio.run(bounded())


each_era = pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])


@each_era
def test_what_there_is_beside_tools(daemon: Daemon, mode: str) -> None:
    """
    A host lists and reads pages, completes their names, starts a prompt; nonsense is a plain error.
    """

    async def talk() -> None:
        async with page(daemon), client_of(daemon, mode) as client:

            async def is_listed() -> bool:
                return SNAPSHOT in {str(each.uri) for each in (await client.list_resources()).resources}

            await until(is_listed, "the page's snapshot is listed")
            read = await client.read_resource(SNAPSHOT)
            assert read.contents[0].text == f'button "Delete" e1 of {PAGE}'
            sessions = json.loads((await client.read_resource("reticle://sessions")).contents[0].text)
            assert [each["snapshot"] for each in sessions["sessions"]] == [SNAPSHOT]
            templates = (await client.list_resource_templates()).resource_templates
            assert [each.uri_template for each in templates] == [
                "reticle://session/{id}/snapshot",
                "reticle://verdict/{id}",
            ]
            assert [each.name for each in (await client.list_prompts()).prompts] == ["verify", "debug"]
            made = await client.get_prompt("verify", {"change": "Delete deletes"})
            assert "Delete deletes" in made.messages[0].content.text
            reference = types.PromptReference(type="ref/prompt", name="verify")
            completed = await client.complete(reference, {"name": "page", "value": "sho"})
            assert completed.completion.values == [PAGE]
            for wrong in ("reticle://session/nobody/snapshot", "file:///etc/passwd"):
                with pytest.raises(mcp.MCPError):
                    await client.read_resource(wrong)
            with pytest.raises(mcp.MCPError):
                await client.get_prompt("verify", {})

    run(talk)


def test_a_verdict_is_a_resource(daemon: Daemon) -> None:
    """
    The id of an answer leads to the evidence, and to a debugging prompt that starts from it.
    """

    async def talk() -> None:
        async with page(daemon), client_of(daemon, "legacy") as client:
            claim = {"until": {"kind": "text", "contains": "x"}, "sessionId": PAGE}

            async def is_there() -> bool:
                return not (await client.call_tool("reticle_assert", claim)).is_error

            await until(is_there, "the page is judged")
            verdict = (await client.call_tool("reticle_assert", claim)).structured_content["verdict_id"]
            told = json.loads((await client.read_resource(f"reticle://verdict/{verdict}")).contents[0].text)
            assert (told["verdict_id"], told["sessionId"]) == (verdict, PAGE)
            assert told["text"].startswith("verified: ")
            made = await client.get_prompt("debug", {"symptom": "no x", "verdict_id": verdict})
            assert f"Verdict {verdict} of page {PAGE}" in made.messages[0].content.text

    run(talk)


@pytest.mark.filterwarnings("ignore:resources/:mcp.shared.exceptions.MCPDeprecationWarning")
def test_changes_are_told_to_whoever_listens(daemon: Daemon) -> None:
    """
    A page that declares something changes both lists, its changes reach the subscriber, and only that one.
    """
    heard: list[str] = []
    address = "reticle://session/orders/snapshot"

    async def hear(message: Any) -> None:
        method = getattr(message, "method", None)
        uri = getattr(getattr(message, "params", None), "uri", None)
        if method is not None:
            heard.append(f"{method} {uri}" if uri is not None else method)

    def is_told(*what: str) -> Callable[[], bool]:
        return lambda: set(what) <= set(heard)

    async def talk() -> None:
        async with client_of(daemon, "legacy", message_handler=hear) as client:
            assert "reticle_capabilities" not in {tool.name for tool in (await client.list_tools()).tools}
            await client.subscribe_resource(address)
            async with page(daemon, "orders", hasCapabilities=True) as socket:
                lists = ("notifications/tools/list_changed", "notifications/resources/list_changed")
                updated = f"notifications/resources/updated {address}"
                await until(is_told(*lists, updated), "the page's coming is told")
                assert "reticle_capabilities" in {tool.name for tool in (await client.list_tools()).tools}
                heard.clear()
                event = {"type": "dom.text", "seq": 1, "t": 1, "data": {"text": "x"}}
                await socket.send(json.dumps({"kind": "event", "event": event}))
                await until(is_told(updated), "the page's change is told")
                assert set(heard) == {updated}
                await client.unsubscribe_resource(address)
                heard.clear()
            await until(is_told(*lists), "the page's going is told")
            assert updated not in heard

    run(talk)


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28", "sse"])
@pytest.mark.parametrize(("action", "error"), [("accept", None), ("decline", "confirm_dangerous")])
def test_a_dangerous_click_is_the_persons_to_decide(
    daemon: Daemon, mode: str, action: str, error: str | None
) -> None:
    """
    The person sees what is about to be done, once; their word decides, and the answer says that it did.
    """
    asked: list[str] = []

    async def answer(_: Any, params: Any) -> Any:
        asked.append(params.message)
        return types.ElicitResult(action=action, content={} if action == "accept" else None)

    async def talk() -> None:
        async with page(daemon), client_of(daemon, mode, elicitation_callback=answer) as client:
            call = {"action": "click", "ref": "e1", "sessionId": PAGE}
            result = await client.call_tool("reticle_act", call)
            if error is None:
                assert result.structured_content["confirmed"] == "by the person"
            else:
                assert (result.is_error, result.structured_content["error"]) == (True, error)
                assert result.structured_content["declined"] is True
            assert [DANGER["error"] in message for message in asked] == [True]

    run(talk)


@each_era
def test_the_person_says_which_page_is_meant(daemon: Daemon, mode: str) -> None:
    """
    Two pages that are equally likely: the person chooses one, and that one is read.
    """

    async def answer(_: Any, params: Any) -> Any:
        offered = params.requested_schema["properties"]["page"]["enum"]
        assert sorted(offered) == ["admin", PAGE]
        return types.ElicitResult(action="accept", content={"page": "admin"})

    async def talk() -> None:
        async with (
            page(daemon, projectId="shop"),
            page(daemon, "admin", projectId="admin"),
            client_of(daemon, mode, elicitation_callback=answer) as client,
        ):

            async def are_there() -> bool:
                fields = (await client.call_tool("reticle_sessions", {})).structured_content
                return len(fields["sessions"]) == 2

            await until(are_there, "both pages are connected")
            result = await client.call_tool("reticle_snapshot", {})
            assert result.structured_content["tree"] == 'button "Delete" e1 of admin'
            async with client_of(daemon, mode) as mute:
                refused = await mute.call_tool("reticle_snapshot", {})
                assert refused.structured_content["error"] == "multiple_sessions"

    run(talk)


def test_changes_are_told_to_a_listening_client(daemon: Daemon) -> None:
    """
    A client of 2026-07-28 hears the same changes on its listening stream, of the page that it named alone.
    """
    address = "reticle://session/stock/snapshot"
    heard: list[str] = []

    def note(event: Any) -> None:
        heard.append(f"{type(event).__name__} {getattr(event, 'uri', '')}".strip())

    async def listen(subscription: Any) -> None:
        async for event in subscription:
            note(event)

    async def talk() -> None:
        async with (
            client_of(daemon, "2026-07-28") as client,
            client.listen(
                tools_list_changed=True, resources_list_changed=True, resource_subscriptions=[address]
            ) as subscription,
        ):
            listening = asyncio.create_task(listen(subscription))
            async with page(daemon, "stock", hasCapabilities=True), page(daemon, "other"):
                await until(lambda: len(set(heard)) == 3, "the lists and the page are told")
            listening.cancel()

    run(talk)
    assert set(heard) == {"ToolsListChanged", "ResourcesListChanged", f"ResourceUpdated {address}"}
