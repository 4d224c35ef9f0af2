"""
The relay on ASGI servers: ``/__reticle__/ws`` as a WebSocket, and the long polls on a thread.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from reticle.probe import own_paths, script, visitors
from reticle.probe.insertion.candidates import Lookup
from reticle.probe.limits import ANSWER_SECONDS, CONNECT_SECONDS, RELAY_MESSAGE_BYTES, RELAY_PAGES
from reticle.probe.own_paths import Served
from reticle.probe.relay_frames import Closed, RelayFrames, Text
from reticle.probe.relay_poll import BODY_BYTES, refused, relay

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

_open: set[asyncio.Task[None]] = set()


async def relay_poll(scope: Message, receive: Receive, header: Lookup, peer: str | None) -> Served:
    """
    Answer one post of a page, on a thread. None is held: it would be one of the app's few, and be waited for
    at the app's end; this is only for servers whose WebSockets do not work.
    """
    refusal = refused(scope["method"], header, peer)
    if refusal is not None:
        return refusal
    body = b""
    while True:
        message = await receive()
        body += message.get("body", b"")
        if len(body) > BODY_BYTES:
            return Served.plain(413, "a message beyond the limit")
        if message["type"] != "http.request" or not message.get("more_body"):
            break
    return await asyncio.get_running_loop().run_in_executor(
        None, lambda: relay.answer(scope["method"], header, peer, body, can_wait=False)
    )


async def relay_socket(receive: Receive, send: Send, name: str, header: Lookup, peer: str | None) -> None:
    """
    Join a page's WebSocket to the daemon's.
    """
    await receive()  # websocket.connect
    known = script.copy.current()
    allowed = (
        name == own_paths.SOCKET
        and own_paths.refused(peer, header) is None
        and visitors.is_same_origin(header)
        and known is not None
        and len(_open) < RELAY_PAGES
    )
    if not allowed or known is None:
        await send({"type": "websocket.close", "code": 1013})
        return
    url = urlsplit(known.bridge)
    try:
        reader, writer = await asyncio.wait_for(
            asyncio.open_connection(url.hostname, url.port, limit=RELAY_MESSAGE_BYTES), CONNECT_SECONDS
        )
    except OSError:
        await send({"type": "websocket.close", "code": 1013})
        return
    frames = RelayFrames(url.netloc, url.path or "/")
    try:
        events = await asyncio.wait_for(_shake_hands(reader, writer, frames), ANSWER_SECONDS)
    except OSError:
        writer.close()
        await send({"type": "websocket.close", "code": 1013})
        return
    await send({"type": "websocket.accept"})
    task = asyncio.ensure_future(_down(reader, writer, frames, send, events))
    task.add_done_callback(_heard)
    _open.add(task)
    try:
        await _up(receive, writer, frames, task)
    finally:
        _open.discard(task)
        task.cancel()
        with contextlib.suppress(OSError):
            writer.close()


def _heard(task: asyncio.Task[None]) -> None:
    """
    A page that went away in the midst of a message is no fault for the app's log.
    """
    if not task.cancelled():
        task.exception()


async def _shake_hands(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, frames: RelayFrames
) -> list[Text | Closed]:
    """
    Be accepted by the daemon; returns what it said right behind.

    Raises:
        ConnectionRefusedError: It did not accept.
    """
    writer.write(frames.opening)
    while True:
        data = await reader.read(65_536)
        events = frames.feed(data)
        if not data or any(isinstance(event, Closed) for event in events):
            raise ConnectionRefusedError("the daemon refused the page")
        if frames.is_open:
            return events


async def _up(
    receive: Receive, writer: asyncio.StreamWriter, frames: RelayFrames, down: asyncio.Task[None]
) -> None:
    """
    From the page to the daemon, until either is gone.
    """
    while not down.done():
        asking = asyncio.ensure_future(receive())
        try:
            await asyncio.wait({asking, down}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            if not asking.done():
                asking.cancel()
        if not asking.done() or asking.cancelled():
            return
        message = asking.result()
        if message["type"] == "websocket.disconnect":
            code = message.get("code") or 1001
            frames.close(code if code not in {1005, 1006} else 1001)
            writer.write(frames.outgoing())
            return
        text = message.get("text")
        if text is not None:
            frames.say(text)
        writer.write(frames.outgoing())
        with contextlib.suppress(OSError):
            await writer.drain()


async def _down(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    frames: RelayFrames,
    send: Send,
    events: list[Text | Closed],
) -> None:
    """
    From the daemon to the page, beginning with what it said already.
    """
    closed: Closed | None = None
    while True:
        for event in events:
            if isinstance(event, Closed):
                closed = event
            else:
                await send({"type": "websocket.send", "text": event.text})
        if closed is not None:
            break
        try:
            data = await reader.read(65_536)
        except OSError:
            data = b""
        events = frames.feed(data) if data else [Closed(1006, "")]
        writer.write(frames.outgoing())
    code = closed.code if closed.code not in {1005, 1006} else 1011
    await send({"type": "websocket.close", "code": code, "reason": closed.reason})
