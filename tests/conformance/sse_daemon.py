"""
A daemon's HTTP face on a real port, with scripted conversations: the other side of the contract tests.

Prints its port, then obeys lines on standard input: ``attach``, ``drain``. Exits when drained.
Bodies that its conversations take: ``echo`` anything, ``big N`` answers N bytes, ``hang`` answers only
when drained, ``bad`` is no message.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from twisted.internet import reactor as installed  # noqa: TID251 - an entry point of its own
from twisted.internet.defer import Deferred
from twisted.internet.protocol import connectionDone
from twisted.internet.stdio import StandardIO
from twisted.logger import globalLogBeginner, textFileLogObserver
from twisted.protocols.basic import LineReceiver
from twisted.python.failure import Failure

from reticle.domain.daemon_life import DaemonLife
from reticle.domain.trust import TrustPolicy
from reticle.errors import PeerFault
from reticle.model.trust import Secret
from reticle.testing.conversations import FakeConversation, FakeConversations
from reticle.transport.metrics import Metrics
from reticle.transport.site import build_root, build_site
from reticle.transport.status import DaemonStatus
from reticle.transport.streams import StreamSet

reactor: Any = installed  # its type depends on the platform


def answer(conversation: FakeConversation, body: bytes) -> None:
    """
    Follow the instruction in a message's ``method``.
    """
    try:
        message = json.loads(body)
    except ValueError:
        raise PeerFault("malformed_body", "The body is not JSON.", -32700) from None
    match message["method"].split():
        case ["big", size]:
            result: object = "x" * int(size)
        case ["hang"]:
            conversation.unanswered = Deferred()
            reactor.callLater(0.1, hung_up, conversation, message["id"])
            return
        case _:
            result = message.get("params")
    reply = {"jsonrpc": "2.0", "id": message["id"], "result": result}
    conversation.sink.send(json.dumps(reply, ensure_ascii=False).encode())


def hung_up(conversation: FakeConversation, request_id: object) -> None:
    """
    Answer a hanging call once its conversation is being drained.
    """
    if not conversation.drained:
        reactor.callLater(0.1, hung_up, conversation, request_id)
    elif conversation.unanswered is not None:
        conversation.sink.send(json.dumps({"id": request_id, "error": "shutting_down"}).encode())
        conversation.unanswered.callback(None)


class Orders(LineReceiver):
    """
    Obeys the test.
    """

    delimiter = b"\n"

    def __init__(self, life: DaemonLife, streams: StreamSet) -> None:
        self._life = life
        self._streams = streams

    def lineReceived(self, line: bytes) -> None:
        """
        One order; answered by one line when it is carried out.
        """
        if line == b"attach":
            self._streams.attach(FakeConversations(answer))
            self._life.attached()
            self._tell(b"attached")
        elif line == b"drain":
            self._life.drain()
            self._streams.drain("test").addCallback(lambda _: reactor.stop())
            self._tell(b"draining")

    def _tell(self, line: bytes) -> None:
        LineReceiver.sendLine(self, line)

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        """
        The test is gone.
        """
        del reason
        if reactor.running:
            reactor.stop()


def main() -> None:
    """
    Serve until told to stop.
    """
    globalLogBeginner.beginLoggingTo([textFileLogObserver(sys.stderr)], redirectStandardIO=False)
    life = DaemonLife()
    streams = StreamSet(reactor, keepalive_seconds=float(os.environ.get("KEEPALIVE_SECONDS", "15")))
    streams.startService()
    metrics = Metrics(mcp_sessions=lambda: streams.session_count, pages=lambda: 0)
    root = build_root(
        policy=TrustPolicy(pairing_token=Secret(os.environ.get("PAIRING_TOKEN", ""))),
        life=life,
        streams=streams,
        metrics=metrics,
        status=lambda: DaemonStatus(
            version="0", pid=os.getpid(), started_at=0.0, uptime_seconds=0.0, port=port,
            state=life.state, mcp_sessions=streams.session_count,
        ),
        page_script=b"/* script */",
        page_script_sha256="00",
    )  # fmt: skip
    site = build_site(root, reactor=reactor, observers=[metrics.request_ended])
    port = reactor.listenTCP(0, site, backlog=1024, interface="127.0.0.1").getHost().port
    StandardIO(Orders(life, streams))
    reactor.callWhenRunning(print, port, flush=True)
    reactor.run()


if __name__ == "__main__":
    main()
