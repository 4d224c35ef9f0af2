"""
A daemon's whole resource tree on strings instead of sockets, and time that a test moves.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterator
from typing import cast

import attrs
import pytest
from twisted.internet.address import IPv4Address
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport
from twisted.logger import ILogObserver, globalLogPublisher
from twisted.web.resource import IResource, Resource
from twisted.web.server import Site

from reticle.bridge.server_facts import ServerFacts
from reticle.domain.daemon_life import DaemonLife
from reticle.domain.trust import Judge, TrustPolicy, no_tokens
from reticle.model.trust import Principal, Secret
from reticle.testing.conversations import (
    ExchangeScript,
    FakeConversations,
    Script,
    leave_open,
    stay_silent,
)
from reticle.testing.mcp_sessions import FakeMcpSessions
from reticle.testing.stores import MemoryAudit
from reticle.transport.checker import Checker
from reticle.transport.ingest import Intake, ingest_leaf, logs_leaf, traces_leaf
from reticle.transport.metrics import Metrics
from reticle.transport.resource import Leaf
from reticle.transport.site import build_mcp_root, build_root, build_site
from reticle.transport.status import DaemonStatus
from reticle.transport.streamable_http import StreamableHttp
from reticle.transport.streams import StreamSet
from reticle.transport.trace import RequestRecord

SCRIPT = b"/* the page script */"
SCRIPT_SHA256 = "ab" * 32
INGEST_TOKEN = "right-ingest-token"


@attrs.frozen
class Response:
    """
    One HTTP response as it came off the wire; a chunked body is joined.
    """

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        """
        The body as text.
        """
        return self.body.decode()


def parse_response(raw: bytes) -> Response:
    """
    Read one response; a chunked one may be unfinished.
    """
    head, _, rest = raw.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    if headers.get("transfer-encoding") == "chunked":
        rest = b"".join(chunks(rest))
    return Response(int(first.split()[1]), headers, rest)


def chunks(raw: bytes) -> Iterator[bytes]:
    """
    The chunks of a chunked body, as far as they are there.
    """
    while match := re.match(rb"([0-9a-fA-F]+)\r\n", raw):
        size = int(match[1], 16)
        yield raw[match.end() : match.end() + size]
        raw = raw[match.end() + size + 2 :]


class Wire:
    """
    One client connection to the daemon.
    """

    def __init__(self, site: Site, peer: str) -> None:
        self.transport = StringTransport(peerAddress=IPv4Address("TCP", peer, 50000))
        self.protocol = site.buildProtocol(self.transport.getPeer())
        self.protocol.makeConnection(self.transport)

    def send(self, raw: bytes) -> None:
        """
        Bytes from the client.
        """
        self.protocol.dataReceived(raw)

    def received(self) -> bytes:
        """
        Everything the client got so far.
        """
        return bytes(self.transport.value())

    def response(self) -> Response:
        """
        The first response, as far as it is there.
        """
        return parse_response(self.received())

    def hang_up(self) -> None:
        """
        The connection is gone.
        """
        from twisted.internet.error import ConnectionDone
        from twisted.python.failure import Failure

        self.protocol.connectionLost(Failure(ConnectionDone()))


class Served:
    """
    One daemon's HTTP face with everything around it faked.
    """

    def __init__(
        self,
        *,
        token: str | None,
        script: Script,
        exchange_script: ExchangeScript,
        mount: bytes,
        strict: bool = False,
        judge: Judge = no_tokens,
        ingest_needs_token: bool = False,
    ) -> None:
        self.clock = Clock()
        self.life = DaemonLife()
        self.conversations = FakeConversations(script, exchange_script)
        self.streams = StreamSet(self.clock)
        self.streams.attach(self.conversations)
        self.kept = FakeMcpSessions()
        self.streamable = StreamableHttp(
            self.clock, self.streams, self.life, boot="b00t", random=secrets.token_bytes,
            now=lambda: 1_750_000_000.0 + self.clock.seconds(),
        )  # fmt: skip
        self.streamable.attach(self.conversations, self.kept)
        self.records: list[RequestRecord] = []
        self.told_status: list[Principal] = []
        self.metrics = Metrics(mcp_sessions=lambda: self.streams.session_count, pages=lambda: 3)
        self.policy = TrustPolicy(pairing_token=None if token is None else Secret(token), strict=strict)
        self.checker = Checker(self.policy, seconds=self.clock.seconds, judge=judge)
        self.facts = ServerFacts(self.clock.seconds)
        self.audit = MemoryAudit()
        intake = Intake(
            self.facts, self.audit, self.life, Secret(INGEST_TOKEN), needs_token=ingest_needs_token,
            seconds=self.clock.seconds, wall=lambda: 1_750_000_000.0 + self.clock.seconds(),
        )  # fmt: skip
        self.root: IResource = build_root(
            checker=self.checker,
            life=self.life,
            streams=self.streams,
            streamable=self.streamable,
            metrics=self.metrics,
            status=self.status,
            page_script=SCRIPT,
            page_script_sha256=SCRIPT_SHA256,
            unguarded_page_socket=Leaf("reticle", {b"GET": lambda _request: b"upgrade"}),
            ingest=ingest_leaf(intake),
            otlp_traces=traces_leaf(intake),
            otlp_logs=logs_leaf(intake),
        )
        if strict:
            self.root = build_mcp_root(
                checker=self.checker, life=self.life, streams=self.streams, streamable=self.streamable,
                metrics=self.metrics,
            )  # fmt: skip
        self.site = build_site(
            mounted(self.root, mount),
            reactor=self.clock,
            observers=[self.records.append, self.metrics.request_ended],
        )

    def status(self, principal: Principal) -> DaemonStatus:
        """
        What the composition root would say.
        """
        self.told_status.append(principal)
        return DaemonStatus(
            version="0.0.1", pid=42, started_at=1_750_000_000.0, uptime_seconds=self.clock.seconds(),
            port=4400, state=self.life.state, mcp_sessions=self.streams.session_count,
        )  # fmt: skip

    def connect(self, peer: str = "127.0.0.1") -> Wire:
        """
        A new client connection.
        """
        return Wire(self.site, peer)

    def ask(
        self, method: str, target: str, *headers: str, body: bytes = b"", peer: str = "127.0.0.1",
        host: str | None = "localhost:4400",
    ) -> Wire:  # fmt: skip
        """
        One request on a connection of its own.
        """
        lines = [f"{method} {target} HTTP/1.1", *([] if host is None else [f"Host: {host}"]), *headers]
        if body or method == "POST":
            lines.append(f"Content-Length: {len(body)}")
        wire = self.connect(peer)
        wire.send("\r\n".join([*lines, "", ""]).encode("latin-1") + body)
        return wire

    def open_stream(self) -> tuple[Wire, str]:
        """
        A stream of a serving daemon, and the path it announced.
        """
        wire = self.ask("GET", "/mcp/sse")
        return wire, announced(wire)

    def post(self, path: str, body: bytes = b"{}", *headers: str) -> Response:
        """
        One message to an announced path.
        """
        wire = self.ask("POST", path, "Content-Type: application/json", *headers, body=body)
        wire.hang_up()
        return wire.response()


def announced(wire: Wire) -> str:
    """
    The path in a stream's first frame.
    """
    match = re.fullmatch(
        r"event: endpoint\ndata: (\S+)\n\n", wire.response().text.partition("\n\n")[0] + "\n\n"
    )
    assert match is not None, wire.received()
    return match[1]


def mounted(root: IResource, mount: bytes) -> IResource:
    """
    ``root`` below the path ``mount`` of an application's own tree.
    """
    for segment in reversed(mount.split(b"/") if mount else []):
        above = Resource()
        above.putChild(segment, root)
        root = above
    return root


@pytest.fixture
def serve() -> Callable[..., Served]:
    """
    Make a daemon; it serves unless ``serving=False``.
    """

    def make(
        *,
        token: str | None = None,
        script: Script = stay_silent,
        mount: bytes = b"",
        serving: bool = True,
        exchange_script: ExchangeScript = leave_open,
        strict: bool = False,
        judge: Judge = no_tokens,
        ingest_needs_token: bool = False,
    ) -> Served:
        served = Served(
            token=token, script=script, exchange_script=exchange_script, mount=mount,
            strict=strict, judge=judge, ingest_needs_token=ingest_needs_token,
        )  # fmt: skip
        if serving:
            served.life.attached()
        return served

    return make


@pytest.fixture
def log_events() -> Iterator[list[dict[str, object]]]:
    """
    What was logged while the test ran.
    """
    events: list[dict[str, object]] = []
    observer = cast("ILogObserver", events.append)  # any callable will do; the interface cannot say so
    globalLogPublisher.addObserver(observer)
    yield events
    globalLogPublisher.removeObserver(observer)
