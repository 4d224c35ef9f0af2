"""
What a request costs inside the daemon: no socket, no disk, one thread, CPU time of the quickest of many runs.

    python bench/mcp/inside.py [--profile]

Steadier than a clock on a busy machine, so that a change of a few microseconds can be seen. Everything is as
``reticle serve`` makes it, but that bytes go nowhere and no row is written; "unaudited" makes none either.
``--profile`` says what the last row of each kind spends its time in.
"""

from __future__ import annotations

import cProfile
import gc
import pstats
import re
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from twisted.internet import (
    reactor,  # noqa: TID251 - a program of its own
    task,
)
from twisted.internet.address import IPv4Address
from twisted.internet.defer import Deferred, succeed
from twisted.logger import globalLogBeginner

from reticle.logs import make_observer
from reticle.model.audit import AuditDraft
from reticle.model.ids import AuditId
from reticle.service import composition, surface
from reticle.settings import Settings
from reticle.storage.audit import StoredAudit, new_audit_id
from reticle.testing.mcp_sessions import FakeMcpSessions
from reticle.transport import fast_lane
from reticle.transport.site import build_site

TURNS, RUNS = 2_000, 15
CLIENT = IPv4Address("TCP", "127.0.0.1", 5)
INITIALIZE = (
    b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",'
    b'"capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}'
)
INITIALIZED = b'{"jsonrpc":"2.0","method":"notifications/initialized"}'
PING = b'{"jsonrpc":"2.0","id":2,"method":"ping"}'
CALL = b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"noop","arguments":{"text":"a"}}}'


class Nowhere:
    """
    A transport without a socket.
    """

    disconnecting = False

    def getPeer(self) -> IPv4Address:
        """
        This machine.
        """
        return CLIENT

    getHost = getPeer

    def setTcpNoDelay(self, enabled: bool) -> None:  # noqa: FBT001 - the interface's
        """
        Nothing to set.
        """

    def registerProducer(self, producer: object, streaming: bool) -> None:  # noqa: FBT001 - as above
        """
        Nothing ever waits.
        """

    writeSequence = unregisterProducer = loseConnection = lambda *_: None


class Rows:
    """
    Audit rows that are made and not written: those of a turn get their ids when it is over, as in a daemon.
    """

    def __init__(self) -> None:
        self.made = True
        self._waiting: list[tuple[AuditId, Deferred[AuditId]]] = []

    def record(self, audit: StoredAudit, draft: AuditDraft) -> Deferred[AuditId]:
        """
        In the place of ``StoredAudit.record``.
        """
        if not self.made:
            return succeed(new_audit_id())
        recorded: Deferred[AuditId] = Deferred()
        self._waiting.append((AuditId(audit.unchained(draft)[0]), recorded))
        return recorded

    def commit(self) -> None:
        """
        The turn is over.
        """
        waiting, self._waiting = self._waiting, []
        for audit_id, recorded in waiting:
            recorded.callback(audit_id)


def post(body: bytes, session: bytes = b"", path: bytes = b"/mcp") -> bytes:
    """
    One request as clients send it.
    """
    named = b"Mcp-Session-Id: %b\r\n" % session if session else b""
    return (
        b"POST %b HTTP/1.1\r\nHost: 127.0.0.1:4400\r\nAccept: application/json, text/event-stream\r\n"
        b"Content-Type: application/json\r\nMCP-Protocol-Version: 2025-11-25\r\n"
        b"%bContent-Length: %d\r\n\r\n%b"
    ) % (path, named, len(body), body)


def least_us(act: Callable[[], object]) -> float:
    """
    Microseconds of CPU of one turn.
    """
    least = float("inf")
    for _ in range(RUNS):
        began = time.thread_time()
        for _ in range(TURNS):
            act()
        least = min(least, (time.thread_time() - began) / TURNS)
    return least * 1e6


def main(folder: Path, *, profiled: bool) -> None:
    """
    Measure and print.
    """
    surface.FAMILIES = (*surface.FAMILIES, "noop")
    rows = Rows()

    def record(audit: StoredAudit, draft: AuditDraft) -> Deferred[AuditId]:
        return rows.record(audit, draft)

    StoredAudit.record = record  # type: ignore[method-assign]  # no disk
    sent: list[bytes] = []
    vars(fast_lane)["send_now"] = lambda _transport, data: sent.append(data)
    # Lines are made as they are elsewhere, and go nowhere.
    log = make_observer(Settings(log_file=folder / "log"), {}, sys.stderr)
    globalLogBeginner.beginLoggingTo([log], redirectStandardIO=False)
    log.hold(lambda _write: None)
    parts = composition.compose(
        Settings(), state_dir=folder, reactor=reactor, keepalive_seconds=15.0, started_at=0.0
    )
    parts.streams.attach(parts.conversations)
    parts.streamable.attach(parts.conversations, FakeMcpSessions())
    parts.life.attached()
    site = build_site(
        parts.root,
        reactor=task.Clock(),
        observers=[parts.metrics.request_ended],
        channel=fast_lane.FastLaneChannel,
    )
    factory: Any = site
    channel, stream = factory.buildProtocol(CLIENT), factory.buildProtocol(CLIENT)
    channel.makeConnection(Nowhere())
    stream.makeConnection(Nowhere())
    channel.dataReceived(post(INITIALIZE))
    named = re.search(rb"Mcp-Session-Id: (\S+)", b"".join(sent))
    assert named is not None
    channel.dataReceived(post(INITIALIZED, named[1]))
    stream.dataReceived(b"GET /mcp/sse HTTP/1.1\r\nHost: 127.0.0.1:4400\r\n\r\n")
    announced = re.search(rb"data: (/mcp/\S+)", b"".join(sent))
    assert announced is not None
    gc.collect()
    gc.freeze()
    # As the daemon has it.
    gc.set_threshold(20_000)
    for carrier, session, path in (("Streamable", named[1], b"/mcp"), ("old SSE", b"", announced[1])):
        for name, body, answer in (("ping", PING, b'"result":{}'), ("tools/call", CALL, b'"ok"')):
            for rows.made in (True, False) if body is CALL else (False,):
                request = post(body, session, path)
                sent.clear()

                def turn(request: bytes = request) -> None:
                    channel.dataReceived(request)
                    rows.commit()

                turn()
                assert answer in b"".join(sent), sent
                words = f"{carrier} {name}{', unaudited' if body is CALL and not rows.made else ''}"
                print(f"{words:<34}{least_us(turn):6.1f} us")
        if profiled:
            profile = cProfile.Profile()
            profile.runcall(lambda turn=turn: [turn() for _ in range(TURNS)])
            pstats.Stats(profile).sort_stats("tottime").print_stats(60)
    log.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        main(Path(name), profiled="--profile" in sys.argv)
