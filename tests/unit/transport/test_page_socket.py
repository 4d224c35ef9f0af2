"""
The upgrade at ``/reticle``, in bytes.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial

import pytest
from twisted.internet.address import IPv4Address
from twisted.internet.error import ConnectionDone
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure
from twisted.web.resource import Resource
from twisted.web.server import Site

from reticle.bridge.directory import Directory
from reticle.domain.trust import TrustPolicy, decide, is_pairing_token
from reticle.model.codes import CommandName
from reticle.model.limits import CLOSE_SECONDS
from reticle.model.trust import Secret
from reticle.testing.browser_socket import BrowserSocket
from reticle.transport.page_socket import PageSocketLeaf
from reticle.transport.resource import Branch, Leaf
from reticle.transport.site import build_site
from reticle.transport.trace import RequestRecord

KEY = "dGhlIHNhbXBsZSBub25jZQ=="
ACCEPT = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
UPGRADE = (
    "Connection: keep-alive, Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
    f"Sec-WebSocket-Key: {KEY}", "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits",
)  # fmt: skip
HELLO = json.dumps(
    {"kind": "hello", "protocolVersion": 1, "script": "reticle", "sessionId": "s1", "documentId": "doc00001",
     "url": "http://localhost:8000/", "title": "Shop"}
).encode()  # fmt: skip


def head(
    *headers: str, target: str = "/reticle", host: str = "localhost:4400", version: str = "1.1"
) -> bytes:
    """
    A request head.
    """
    return "\r\n".join([f"GET {target} HTTP/{version}", f"Host: {host}", *headers, "", ""]).encode()


class Scene:
    """
    A daemon's page socket below a site, ours or an application's.
    """

    def __init__(self, *, token: str | None = None, embedded: bool = False) -> None:
        self.clock = Clock()
        policy = TrustPolicy(pairing_token=None if token is None else Secret(token))
        self.directory = Directory(
            self.clock,
            now=self.clock.seconds,
            boot="1",
            check_token=lambda presented: is_pairing_token(policy, presented),
            daemon_url=lambda: "http://127.0.0.1:4400",
        )
        self.refusals: list[str] = []
        self.records: list[RequestRecord] = []
        self.leaf = PageSocketLeaf(
            self.directory, partial(decide, policy), self.clock, on_refused=self.refusals.append
        )
        tree = Branch({b"reticle": self.leaf, b"hi": Leaf("hi", {b"GET": lambda _: b"hi"})})
        self.site: Site = build_site(tree, reactor=self.clock, observers=[self.records.append])
        if embedded:
            root = Resource()
            root.putChild(b"tools", tree)
            self.site = Site(root, reactor=self.clock)
            self.site.log = self._log  # type: ignore[method-assign]  # the real one opens no file here
        self.transport = StringTransport()
        self.protocol = self.connect()

    def _log(self, request: object) -> None:
        """
        An application's own access log.
        """

    def connect(self, peer: str = "127.0.0.1") -> object:
        """
        A new client connection.
        """
        self.transport = StringTransport(peerAddress=IPv4Address("TCP", peer, 50_000))
        protocol = self.site.buildProtocol(self.transport.getPeer())
        assert protocol is not None
        protocol.makeConnection(self.transport)
        self.protocol = protocol
        return protocol

    def receive(self, raw: bytes) -> None:
        """
        Bytes from the client.
        """
        self.protocol.dataReceived(raw)  # type: ignore[attr-defined]  # an IProtocol

    def hang_up(self) -> None:
        """
        The connection is gone.
        """
        self.protocol.connectionLost(Failure(ConnectionDone()))  # type: ignore[attr-defined]  # an IProtocol

    def upgraded(self, *headers: str, raw: bytes = b"") -> BrowserSocket:
        """
        A browser that got its 101.
        """
        self.receive(head(*UPGRADE, *headers) + raw)
        assert self.transport.value().startswith(b"HTTP/1.1 101 ")
        return BrowserSocket(self.transport)

    def status(self) -> int:
        """
        The status of the answer.
        """
        return int(self.transport.value().split()[1])

    def body(self) -> bytes:
        """
        The body of the answer.
        """
        return bytes(self.transport.value()).partition(b"\r\n\r\n")[2]


def first_frame() -> bytes:
    """
    A browser's hello.
    """
    return BrowserSocket(StringTransport()).text(HELLO)


def test_the_handshake_is_the_standards_own() -> None:
    """
    101 with the accept key of RFC 6455 §1.3, without compression and subprotocols.
    """
    scene = Scene()
    scene.upgraded("Origin: http://localhost:8000")
    lines = scene.transport.value().decode().split("\r\n")
    assert lines[0] == "HTTP/1.1 101 Switching Protocols"
    assert f"Sec-WebSocket-Accept: {ACCEPT}" in lines
    assert not [
        line for line in lines if line.startswith(("Sec-WebSocket-Extensions", "Sec-WebSocket-Protocol"))
    ]
    assert lines[-2:] == ["", ""]
    assert len(scene.leaf) == 1


@pytest.mark.parametrize("embedded", [False, True], ids=["ours", "embedded"])
def test_the_first_frame_in_the_same_segment_is_read(*, embedded: bool) -> None:
    """
    A hello that shares a segment with the upgrade is not lost (WS-01), also below an application's Site.
    """
    scene = Scene(embedded=embedded)
    target = "/tools/reticle" if embedded else "/reticle"
    scene.receive(head(*UPGRADE, target=target) + first_frame())
    assert [page.identity.page_id for page in scene.directory.all()] == ["s1"]
    scene.receive(first_frame())
    assert scene.transport.value().count(b"HTTP/1.1") == 1


@pytest.mark.parametrize("size", [1, 7, 100])
def test_any_segmentation_works(size: int) -> None:
    """
    Byte by byte or in one piece, the page is connected.
    """
    scene = Scene()
    raw = head(*UPGRADE) + first_frame()
    for at in range(0, len(raw), size):
        scene.receive(raw[at : at + size])
    assert len(scene.directory.all()) == 1


def test_an_upgrade_after_a_keep_alive_request_works() -> None:
    """
    A connection that served a GET can become a WebSocket, also pipelined (WS-01, crossbar#852).
    """
    scene = Scene()
    scene.receive(head(target="/hi") + head(*UPGRADE) + first_frame())
    assert scene.transport.value().count(b"HTTP/1.1 200 ") == 1
    assert scene.transport.value().count(b"HTTP/1.1 101 ") == 1
    assert len(scene.directory.all()) == 1


def test_the_http_timeout_is_off_after_the_upgrade() -> None:
    """
    A page that says nothing for an hour stays connected as long as its browser lives.
    """
    scene = Scene()
    browser = scene.upgraded(raw=first_frame())
    for _ in range(180):
        scene.clock.advance(20)
        scene.receive(browser.look())
    assert not scene.transport.disconnecting
    assert scene.directory.all()[0].health().connected


def test_a_page_and_the_daemon_talk() -> None:
    """
    A hello, a command and its answer over one socket; the end is noticed and leaves no timer.
    """
    scene = Scene()
    browser = scene.upgraded()
    scene.receive(browser.text(HELLO))
    [page] = scene.directory.all()
    answers: list[object] = []
    page.ask(CommandName.QUERY, {"role": "link"}).addCallback(answers.append)
    scene.receive(browser.look())
    command = json.loads(browser.texts[0])
    answer = {"kind": "command_result", "id": command["id"], "ok": True, "result": {"count": 0}}
    scene.receive(browser.text(json.dumps(answer).encode()))
    assert answers == [{"count": 0}]
    scene.hang_up()
    assert (list(scene.directory.all()), len(scene.leaf), scene.clock.getDelayedCalls()) == ([], 0, [])


def test_the_upgrade_is_one_log_line() -> None:
    """
    It is recorded as 101 when it happens, and not again as aborted when the page leaves.
    """
    scene = Scene()
    scene.upgraded()
    scene.hang_up()
    assert [(record.route, record.status, record.principal, record.aborted) for record in scene.records] == [
        ("reticle", 101, "local", False)
    ]


@pytest.mark.parametrize(
    ("change", "status"),
    [
        (lambda lines: [line for line in lines if "Upgrade" not in line], 426),
        (lambda lines: [line.replace("websocket", "h2c") for line in lines], 426),
        (lambda lines: [line.replace("13", "8") for line in lines], 400),
        (lambda lines: [line for line in lines if "Key" not in line], 400),
        (lambda lines: [line.replace(KEY, "short") for line in lines], 400),
    ],
)
def test_what_is_no_handshake_is_answered(change: Callable[[list[str]], list[str]], status: int) -> None:
    """
    Never silence: a plain GET and a broken handshake get an HTTP answer.
    """
    scene = Scene()
    scene.receive(head(*change(list(UPGRADE))))
    assert scene.status() == status
    assert scene.body()
    assert len(scene.leaf) == 0


def test_a_plain_get_is_told_what_is_missing() -> None:
    """
    Whoever opens the address in a browser reads what it is for, under a status with its name.
    """
    scene = Scene()
    scene.receive(head())
    assert scene.transport.value().startswith(b"HTTP/1.1 426 Upgrade Required\r\n")
    assert b"\r\nUpgrade: websocket\r\n" in scene.transport.value()


@pytest.mark.parametrize(
    ("field", "body"),
    [("Content-Length: 5", b"hello"), ("Transfer-Encoding: chunked", b"0\r\n\r\n")],
)
def test_an_upgrade_has_no_body(field: str, body: bytes) -> None:
    """
    Frames behind a body would wait unseen for ever, so such an upgrade is refused instead.
    """
    scene = Scene()
    scene.receive(head(*UPGRADE, field) + body)
    assert (scene.status(), scene.body()) == (400, b"the GET of a WebSocket has no body")
    assert len(scene.leaf) == 0


def test_other_methods_are_refused() -> None:
    """
    Only GET upgrades.
    """
    scene = Scene()
    scene.receive(head(*UPGRADE).replace(b"GET", b"POST", 1))
    assert scene.status() == 405


def test_http_1_0_cannot_upgrade() -> None:
    """
    RFC 6455 needs HTTP/1.1.
    """
    scene = Scene()
    scene.receive(head(*UPGRADE, version="1.0"))
    assert scene.status() == 505


@pytest.mark.parametrize(
    ("headers", "host", "peer", "code"),
    [
        (("Origin: http://evil.test",), "localhost:4400", "127.0.0.1", "bad_origin"),
        ((), "evil.test:4400", "127.0.0.1", "bad_host"),
        (("Origin: null",), "localhost:4400", "127.0.0.1", "bad_origin"),
        ((), "localhost:4400", "10.0.0.9", "bad_peer"),
    ],
)
def test_a_foreign_page_is_refused_and_remembered(
    headers: tuple[str, ...], host: str, peer: str, code: str
) -> None:
    """
    403 where nothing could help, and ``reticle_sessions`` can say who dialled.
    """
    scene = Scene()
    scene.connect(peer)
    scene.receive(head(*UPGRADE, *headers, host=host))
    assert scene.status() == 403
    assert json.loads(scene.body())["error"]["data"] == {"code": code}
    [dial] = scene.directory.refused_dials()
    assert dial.origin == (headers[0].partition(" ")[2] if headers else "")
    assert "RETICLE_TOKEN" in dial.next_step
    assert scene.refusals == [code]


def test_a_refused_dial_is_remembered_without_user_and_query() -> None:
    """
    What a made-up Origin carries beyond its origin is not shown to agents or in the status.
    """
    scene = Scene()
    scene.receive(head(*UPGRADE, "Origin: http://user:secret@evil.test:81/path?token=secret"))
    assert [dial.origin for dial in scene.directory.refused_dials()] == ["http://evil.test:81"]
    assert b"secret" not in scene.transport.value()


def test_two_hosts_are_malformed() -> None:
    """
    An ambiguous request is 400, whoever sends it.
    """
    scene = Scene(token="pairing-token")
    scene.receive(head(*UPGRADE, "Host: other"))
    assert scene.status() == 400


def test_a_foreign_page_may_bring_the_token_in_its_hello() -> None:
    """
    With a pairing token set, a page of another origin is let in to say hello and nothing else.
    """
    scene = Scene(token="pairing-token")
    browser = scene.upgraded("Origin: http://shop.test")
    scene.receive(browser.text(HELLO[:-1] + b',"token":"pairing-token"}'))
    assert len(scene.directory.all()) == 1


def test_a_wrong_token_in_the_hello_is_1008() -> None:
    """
    It is told to stay away, and why is known here.
    """
    scene = Scene(token="pairing-token")
    browser = scene.upgraded("Origin: http://shop.test")
    scene.receive(browser.text(HELLO))
    browser.look()
    assert browser.closed == (1008, "authentication failed: no pairing token")
    assert scene.directory.refused_dials()[0].origin == "http://shop.test"


@pytest.mark.parametrize("credential", ["header", "query"])
@pytest.mark.parametrize(("token", "status"), [("pairing-token", 101), ("wrong", 401)])
def test_a_token_at_the_upgrade_decides_alone(credential: str, token: str, status: int) -> None:
    """
    A right one lets any origin in without a token in the hello; a wrong one never falls back to trust.
    """
    scene = Scene(token="pairing-token")
    if credential == "header":
        scene.receive(head(*UPGRADE, "Origin: http://shop.test", f"Authorization: Bearer {token}"))
    else:
        scene.receive(head(*UPGRADE, "Origin: http://shop.test", target=f"/reticle?token={token}"))
    assert scene.status() == status
    if status == 101:
        scene.receive(first_frame())
        assert len(scene.directory.all()) == 1


def test_a_stop_says_goodbye_and_waits() -> None:
    """
    Pages get 1001; the stop is over when the last socket is gone, at the latest at its deadline.
    """
    scene = Scene()
    browser = scene.upgraded(raw=first_frame())
    stopped: list[object] = []
    scene.leaf.stop().addCallback(stopped.append)
    scene.directory.close_all()
    scene.leaf.stop().addCallback(stopped.append)
    browser.look()
    assert (browser.closed, stopped) == ((1001, "the daemon is stopping"), [])
    scene.clock.advance(CLOSE_SECONDS)
    assert scene.transport.disconnected
    scene.hang_up()
    assert stopped == [None, None]
    scene.leaf.stop().addCallback(stopped.append)
    assert len(stopped) == 3
    scene.connect()
    scene.receive(head(*UPGRADE))
    assert scene.status() == 503


def test_garbage_behind_the_upgrade_ends_the_connection() -> None:
    """
    Bytes that are no frames are a protocol error, not a hang.
    """
    scene = Scene()
    browser = scene.upgraded(raw=b"GET /hi HTTP/1.1\r\n\r\n")
    browser.look()
    assert browser.closed is not None
    assert browser.closed[0] == 1002
    scene.clock.advance(CLOSE_SECONDS)
    assert scene.transport.disconnected
