"""
While one page does its worst, another page and an agent are served as ever (WS area, issue 6).

How long they wait is measured by ``bench/bridge``; here it matters that they are answered, and that what the
hostile page cost is known.
"""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection
from websockets.sync.client import connect as dial_page

from examples.journeys.children import Daemon
from reticle.client import Client, connect
from tests.system.pages import HELLO, page_names
from tests.system.wire import dialled, eventually, request, reset

pytestmark = pytest.mark.usefixtures("bystanders")

CALLS = 15
LARGE = 4_000_000


def _event(data: str) -> str:
    return f'{{"kind":"event","event":{{"type":"net.request","data":{data}}}}}'


def _events(member: str, first: str = "") -> str:
    many = ",".join([member] * ((LARGE // 2) // (len(member) + 1)))
    return f'{{"kind":"events","events":[{first}{many}]}}'


def _keys() -> str:
    return "{" + ",".join(f'"{number:x}":1' for number in range(350_000)) + "}"


MESSAGES: Mapping[str, Callable[[], str]] = {
    "small events": lambda: _event('{"id":"n1","url":"/"}'),
    "nothing": lambda: "",
    "garbage": lambda: "\x01" * LARGE,
    "deep JSON": lambda: "[" * LARGE,
    "deep JSON in an event": lambda: _event("[" * 1_000_000 + "]" * 1_000_000),
    "keys in an event": lambda: _event(_keys()),
    "keys in no message": _keys,
    "keys in a hello": lambda: (
        '{"kind":"hello","protocolVersion":1,"sessionId":"hostile","x":' + _keys() + "}"
    ),
    "keys in an answer": lambda: '{"kind":"command_result","id":"c","ok":true,"result":' + _keys() + "}",
    "empty events": lambda: _events("{}"),
    "a crowd of events": lambda: _events('{"type":"signal"}'),
    "a crowd and one that is none": lambda: _events('{"type":"signal"}', "0,"),
    "half characters": lambda: _event('"' + r"\ud800" * 600_000 + '"'),
    "backslashes": lambda: _event('"' + r"\\" * 1_900_000 + '"'),
    "long numbers": lambda: _event("[" + ",".join(["9" * 300] * 10_000) + "]"),
}


@contextmanager
def _sending(page: ClientConnection, message: str) -> Iterator[None]:
    """
    The page sends without a pause and reads nothing, until the block ends.
    """
    enough = threading.Event()

    def send() -> None:
        with suppress(ConnectionClosed):
            while not enough.is_set():
                page.send(message)

    sender = threading.Thread(target=send)
    sender.start()
    try:
        yield
    finally:
        enough.set()
        sender.join(30)
    assert not sender.is_alive()


@pytest.mark.parametrize("what", MESSAGES)
def test_a_page_that_floods_harms_nobody(daemon: Daemon, client: Client, what: str) -> None:
    """
    Beside a page that floods with one kind of message, calls and pings of others are answered, in order.
    """
    url = f"ws://127.0.0.1:{daemon.port}/reticle"
    with dial_page(url) as other, dial_page(url, max_size=None) as hostile:
        other.send(json.dumps({**HELLO, "sessionId": "other"}))
        hostile.send(json.dumps({**HELLO, "sessionId": "hostile"}))
        eventually(lambda: {"other", "hostile"} <= set(page_names(client)), "the pages are connected")
        since = client.call("reticle_observe", {"sessionId": "other"}).fields["until"]
        with _sending(hostile, MESSAGES[what]()):
            for number in range(CALLS):
                assert "other" in page_names(client)
                other.send(
                    json.dumps({"kind": "event", "event": {"type": "signal", "data": {"name": f"n{number}"}}})
                )
                assert other.ping().wait(10)
        asked = {"sessionId": "other", "filters": ["signal"], "since": since}
        seen = client.call("reticle_observe", asked)
    assert [f"n{number}" for number in range(CALLS) if f"n{number}" not in seen.text] == [], seen.text


@pytest.mark.parametrize(
    "what", ["garbage", "keys in an event", "a crowd of events", "half characters", None]
)
def test_what_a_hostile_message_cost_is_known(daemon: Daemon, client: Client, what: str | None) -> None:
    """
    A page that said something unreadable is not taken for one that was watched whole.
    """
    with dial_page(f"ws://127.0.0.1:{daemon.port}/reticle") as page:
        page.send(json.dumps({**HELLO, "sessionId": "unread"}))
        eventually(lambda: "unread" in page_names(client), "the page is connected")
        since = client.call("reticle_observe", {"sessionId": "unread"}).fields["until"]
        page.send("" if what is None else MESSAGES[what]())
        page.send(_event('{"id":"n1","method":"GET","url":"/","status":200}'))
        assert page.ping().wait(10)
        absent = {"not": {"kind": "net", "urlContains": "/api/orders"}}
        verdict = client.call("reticle_assert", {"sessionId": "unread", "until": absent, "since": since})
    assert ("capture not clean" in verdict.text) == (what is not None), verdict.text


def test_a_page_that_vanishes_ends_its_command_only(daemon: Daemon, client: Client) -> None:
    """
    A reset in the middle of a command is told to whoever waits, at once, and to nobody else.
    """
    with ExitStack() as cleanup:
        page = cleanup.enter_context(dial_page(f"ws://127.0.0.1:{daemon.port}/reticle"))
        page.send(json.dumps({**HELLO, "sessionId": "vanishing"}))
        eventually(lambda: "vanishing" in page_names(client), "the page is connected")

        def vanish() -> None:
            asked = json.loads(page.recv(10))
            assert asked["kind"] == "command"
            reset(page.socket)

        ends = threading.Thread(target=vanish)
        ends.start()
        answer = client.call("reticle_snapshot", {"sessionId": "vanishing"})
        ends.join(10)
    assert (answer.is_error, answer.error) == (True, "session_gone"), answer.text


def test_half_open_sockets_harm_nobody(daemon: Daemon, client: Client) -> None:
    """
    Two hundred connections that stop in the middle of the upgrade, or of a frame, take nothing from a page.
    """
    with ExitStack() as cleanup, connect(daemon.mcp_url) as agent:
        agent.initialize("beside", "1")
        halves: list[socket.socket] = []
        for _ in range(100):
            half = cleanup.enter_context(dialled(daemon.port))
            half.sendall(request("GET", "/reticle", "Upgrade: websocket")[:-2])
            halves.append(half)
        for _ in range(100):
            page = cleanup.enter_context(dial_page(f"ws://127.0.0.1:{daemon.port}/reticle"))
            page.send(json.dumps({**HELLO, "sessionId": "half"}))
            page.socket.sendall(b"\x81\xff\x00\x00\x00\x00\x00\x3f\xff\xff\x01\x02\x03\x04" + b"x" * 1_000)
        whole = cleanup.enter_context(dial_page(f"ws://127.0.0.1:{daemon.port}/reticle"))
        whole.send(json.dumps({**HELLO, "sessionId": "whole"}))
        eventually(lambda: "whole" in page_names(agent), "a page gets in")
        assert whole.ping().wait(10)
        assert client.call("reticle_sessions").ok
