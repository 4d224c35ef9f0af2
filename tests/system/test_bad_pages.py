"""
Whatever a page's socket sends, the daemon stays the same process and other pages do not notice (WS area).
"""

from __future__ import annotations

import base64
import json
import os
from contextlib import ExitStack, suppress

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection
from websockets.sync.client import connect as dial_page
from websockets.typing import Origin

from examples.journeys.children import Daemon
from reticle.client import Client, connect
from tests.system.pages import HELLO, page_names
from tests.system.wire import (
    dialled,
    eventually,
    read_to_end,
    read_until,
    request,
    status_of,
)

pytestmark = pytest.mark.usefixtures("bystanders")

PAGE_MESSAGE_BYTES = 4 * 1024 * 1024
SILENT_SOCKETS = 128


def _close_code(page: ClientConnection) -> int:
    """
    Read on until the daemon closes; gives the code it closed with.
    """
    with pytest.raises(ConnectionClosed) as closed:
        page.recv(timeout=5)
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code


def test_first_frame_in_the_upgrade_segment(daemon: Daemon) -> None:
    """
    A page whose hello comes with the upgrade request is connected, also after a keep-alive GET (WS-01).
    """
    for first in (b"", request("GET", "/healthz")):
        with dialled(daemon.port) as page, connect(daemon.mcp_url) as agent:
            if first:
                page.sendall(first)
                read_until(page, b"\r\n\r\n")
            hello = json.dumps({**HELLO, "sessionId": "hasty"}).encode()
            page.sendall(_upgrade() + _frame(1, hello))
            assert status_of(read_until(page, b"\r\n\r\n")) == 101
            eventually(lambda: "hasty" in page_names(agent), "the page is connected")


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        (b"\x81\x05hello", 1002),
        (b"\xf1\x80\x00\x00\x00\x00", 1002),
        (b"\x83\x80\x00\x00\x00\x00", 1002),
        (b"\x89\xfe\x00\x7e" + bytes(4 + 126), 1002),
        (b"\x81\xff\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00", 1009),
        (b"\x81\x82\x00\x00\x00\x00\xff\xfe", 1007),
    ],
    ids=["unmasked", "reserved bits", "opcode", "long ping", "too big", "not UTF-8"],
)
def test_broken_frames_close_with_their_code(daemon: Daemon, frame: bytes, code: int) -> None:
    """
    A frame against the standard ends that page's socket with the right code and nobody else's (WS-06).
    """
    with dialled(daemon.port) as page:
        page.sendall(_upgrade() + frame)
        answer = read_until(page, b"\r\n\r\n").split(b"\r\n\r\n", 1)[1]
        answer += read_to_end(page)
    assert answer[:1] == b"\x88", answer
    assert int.from_bytes(answer[2:4], "big") == code


@pytest.mark.parametrize(
    "text", ["{", "[]", "null", '{"kind":"nonsense"}', '{"kind":"event"}', "x" * 100_000]
)
def test_senseless_messages_do_not_end_a_page(daemon: Daemon, client: Client, text: str) -> None:
    """
    A page that talks nonsense beside its hello stays connected.
    """
    with dial_page(f"ws://127.0.0.1:{daemon.port}/reticle") as page:
        page.send(json.dumps({**HELLO, "sessionId": "odd"}))
        page.send(text)
        page.send(b"\x00\xffbinary")
        eventually(lambda: "odd" in page_names(client), "the page is connected")
        page.ping().wait(5)


def test_oversized_page_message_closes_with_1009(daemon: Daemon) -> None:
    """
    A message over 4 MiB is refused with the code that tells the page to send less (WS-06).
    """
    with dial_page(f"ws://127.0.0.1:{daemon.port}/reticle") as page:
        page.send(json.dumps({**HELLO, "sessionId": "big"}))
        with suppress(ConnectionClosed):
            page.send("x" * (PAGE_MESSAGE_BYTES + 1))
        assert _close_code(page) == 1009


@pytest.mark.parametrize(
    "hello", [{**HELLO, "protocolVersion": 2}, {**HELLO, "protocolVersion": "1"}], ids=["newer", "text"]
)
def test_unknown_page_protocol_is_told_to_stay_away(daemon: Daemon, hello: dict[str, object]) -> None:
    """
    A page script of another protocol is closed with 1008, the code it must not retry.
    """
    with dial_page(f"ws://127.0.0.1:{daemon.port}/reticle") as page:
        page.send(json.dumps(hello))
        assert _close_code(page) == 1008


def test_strange_text_of_a_page_reaches_the_agent(daemon: Daemon, client: Client) -> None:
    """
    A title with line breaks, U+2028, NUL and half an emoji comes to the agent as text, in one frame (TR-12).
    """
    with dial_page(f"ws://127.0.0.1:{daemon.port}/reticle") as page:
        page.send(json.dumps({**HELLO, "sessionId": "strange", "title": "a\r\nb\u2028c\0d\ud83de"}))
        eventually(lambda: "strange" in page_names(client), "the page is connected")
        assert client.call("reticle_sessions").text.count("strange") == 1


def test_foreign_page_is_refused_and_named(daemon: Daemon, client: Client) -> None:
    """
    A page of another origin is refused at the upgrade, and ``reticle_sessions`` says that it tried (AU-07).
    """
    with (
        pytest.raises(InvalidStatus) as refused,
        dial_page(f"ws://127.0.0.1:{daemon.port}/reticle", origin=Origin("http://evil.example")),
    ):
        pass
    assert refused.value.response.status_code == 403
    dials = client.call("reticle_sessions").fields["refusedDials"]
    assert isinstance(dials, list)
    assert dials[0]["origin"] == "http://evil.example"


def test_many_silent_sockets_do_not_lock_pages_out(daemon: Daemon, client: Client) -> None:
    """
    Sockets that never say hello are limited, with the code for "later"; a page gets in once they left.
    """
    url = f"ws://127.0.0.1:{daemon.port}/reticle"
    with ExitStack() as cleanup:
        for _ in range(20):
            cleanup.enter_context(dial_page(url))
        early = cleanup.enter_context(dial_page(url))
        early.send(json.dumps({**HELLO, "sessionId": "early"}))
        eventually(lambda: "early" in page_names(client), "a page gets in beside twenty silent sockets")
        silent = [cleanup.enter_context(dial_page(url)) for _ in range(SILENT_SOCKETS)]
        assert _close_code(silent[-1]) == 1013
    with dial_page(url) as page:
        page.send(json.dumps({**HELLO, "sessionId": "patient"}))
        eventually(lambda: "patient" in page_names(client), "the page is connected")


def test_page_dialling_again_replaces_itself(daemon: Daemon, client: Client) -> None:
    """
    The newest socket of a tab is the tab; the late end of the old one takes nothing away (WS-03).
    """
    url = f"ws://127.0.0.1:{daemon.port}/reticle"
    hello = json.dumps({**HELLO, "sessionId": "tab"})
    with dial_page(url) as newest:
        with dial_page(url) as old:
            old.send(hello)
            eventually(lambda: "tab" in page_names(client), "the page is connected")
            newest.send(json.dumps({**json.loads(hello), "documentId": "zzzzzzzz"}))
            newest.ping().wait(5)
        eventually(lambda: page_names(client).count("tab") == 1, "one page of that name")
        newest.ping().wait(5)
        assert "tab" in page_names(client)


def _upgrade() -> bytes:
    key = base64.b64encode(os.urandom(16)).decode()
    return request(
        "GET",
        "/reticle",
        "Upgrade: websocket",
        "Connection: Upgrade",
        f"Sec-WebSocket-Key: {key}",
        "Sec-WebSocket-Version: 13",
    )


def _frame(opcode: int, payload: bytes) -> bytes:
    """
    One masked frame with a mask of zeros.
    """
    length = len(payload)
    size = bytes([0x80 | length]) if length < 126 else bytes([0xFE]) + length.to_bytes(2, "big")
    return bytes([0x80 | opcode]) + size + b"\0\0\0\0" + payload
