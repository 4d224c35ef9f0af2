"""
A daemon's HTTP face on a real port, with scripted conversations: the other side of the contract tests.

Prints its port, then obeys lines on standard input: ``attach``, ``drain``. Exits when drained.
Methods that its conversations take: ``initialize`` agrees to what is asked, ``big N`` answers N bytes,
``tell N`` says N things before the answer, ``late S`` answers after S seconds, ``beside`` says something
that belongs to no request, ``dropped`` is never answered, ``hang`` only when drained;
anything else is echoed.
"""

from __future__ import annotations

import json
import os
import secrets
import sys
from functools import partial
from typing import Any

from twisted.internet import reactor as installed  # noqa: TID251 - an entry point of its own
from twisted.internet.defer import Deferred, DeferredList
from twisted.internet.protocol import connectionDone
from twisted.internet.stdio import StandardIO
from twisted.logger import globalLogBeginner, textFileLogObserver
from twisted.protocols.basic import LineReceiver
from twisted.python.failure import Failure

from reticle.domain.daemon_life import DaemonLife
from reticle.domain.trust import TrustPolicy
from reticle.errors import PeerFault
from reticle.model.codes import Carrier
from reticle.model.mcp import Agreed, ClientCapabilities, RoutingHeaders
from reticle.model.trust import Principal, Secret
from reticle.ports import ReplySink
from reticle.service.clock import ReactorClock
from reticle.testing.conversations import FakeConversation, FakeConversations, FakeExchange
from reticle.testing.mcp_sessions import FakeMcpSessions
from reticle.transport.checker import Checker
from reticle.transport.fast_lane import choose_channel
from reticle.transport.metrics import Metrics
from reticle.transport.site import build_root, build_site
from reticle.transport.status import DaemonStatus
from reticle.transport.streamable_http import StreamableHttp
from reticle.transport.streams import StreamSet

reactor: Any = installed  # its type depends on the platform


def answer(conversation: FakeConversation, body: bytes) -> None:
    """
    Follow the instructions in the messages' ``method``.
    """
    try:
        parsed = json.loads(body)
    except ValueError:
        raise PeerFault("malformed_body", "The body is not JSON.", -32700) from None
    replies = conversation.replies or OnSink(conversation)
    waiting = [follow(conversation, replies, each) for each in (parsed if type(parsed) is list else [parsed])]
    if not any(waiting):
        replies.done()


def follow(conversation: FakeConversation, replies: ReplySink, message: Any) -> bool:
    """
    Follow one message; True when its answer comes later, with the end of the body's answers.
    """
    request_id, params = message.get("id"), message.get("params")
    if request_id is None or "method" not in message:
        return False
    say = partial(reply, replies, request_id)
    match message["method"].split():
        case ["initialize"]:
            conversation.agreed = Agreed(params["protocolVersion"], ClientCapabilities())
            say({"protocolVersion": params["protocolVersion"]})
        case ["big", size]:
            say("x" * int(size))
        case ["tell", times]:
            for number in range(int(times)):
                replies.tell(encoded({"jsonrpc": "2.0", "method": "told", "params": {"number": number}}))
            say(params)
        case ["late", seconds]:
            reactor.callLater(float(seconds), finish, replies, request_id, params)
            return True
        case ["beside"]:
            conversation.sink.send(encoded({"jsonrpc": "2.0", "method": "beside", "params": params}))
            say({})
        case ["dropped"]:
            pass
        case ["hang"]:
            conversation.unanswered = Deferred()
            reactor.callLater(0.1, hung_up, conversation, replies, request_id)
            return True
        case _:
            say(params)
    return False


class OnSink:
    """
    Replies on a carrier that has one stream for all.
    """

    def __init__(self, conversation: FakeConversation) -> None:
        self.tell = conversation.sink.send
        self._sink = conversation.sink

    def answer(self, message: bytes, fault: PeerFault | None = None) -> None:
        """
        As any message.
        """
        del fault
        self._sink.send(message)

    def done(self) -> None:
        """
        The stream goes on.
        """


def exchange(one: FakeExchange) -> None:
    """
    Follow one message of 2026-07-28.
    """
    message = json.loads(one.body)
    say = partial(reply, one.replies, message["id"])
    match message["method"].split():
        case ["fault", number]:
            error = {"code": int(number), "message": "as told"}
            fault = PeerFault("bad_params", "as told", int(number))
            one.replies.answer(encoded({"jsonrpc": "2.0", "id": message["id"], "error": error}), fault)
        case ["subscriptions/listen"]:
            one.replies.tell(
                encoded({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged"})
            )
            one.on_drain = partial(finish, one.replies, message["id"], {"resultType": "complete"})
            return
        case ["hang"]:
            return
        case ["cancelled"]:
            say({"cancelled": CANCELLED[0]})
        case ["tell", _]:
            one.replies.tell(encoded({"jsonrpc": "2.0", "method": "told"}))
            say(message.get("params"))
        case _:
            say(message.get("params"))
    one.replies.done()


CANCELLED = [0]
"""How many exchanges were cancelled."""


class CountedExchanges(FakeConversations):
    """
    Conversations whose cancelled exchanges are counted.
    """

    def exchange(
        self,
        principal: Principal,
        carrier: Carrier,
        body: bytes,
        headers: RoutingHeaders | None,
        replies: ReplySink,
    ) -> FakeExchange:
        """
        As the fake does.
        """
        made = super().exchange(principal, carrier, body, headers, replies)
        made.on_cancel = count_cancelled
        return made


def count_cancelled() -> None:
    """
    One more.
    """
    CANCELLED[0] += 1


def encoded(message: object) -> bytes:
    """
    One message's text.
    """
    return json.dumps(message, ensure_ascii=False).encode()


def reply(replies: ReplySink, request_id: object, result: object) -> None:
    """
    Answer a request.
    """
    replies.answer(encoded({"jsonrpc": "2.0", "id": request_id, "result": result}))


def finish(replies: ReplySink, request_id: object, result: object) -> None:
    """
    Answer the last request of a body.
    """
    reply(replies, request_id, result)
    replies.done()


def hung_up(conversation: FakeConversation, replies: ReplySink, request_id: object) -> None:
    """
    Answer a hanging call once its conversation is being drained.
    """
    if not conversation.drained:
        reactor.callLater(0.1, hung_up, conversation, replies, request_id)
    elif conversation.unanswered is not None:
        replies.answer(encoded({"id": request_id, "error": "shutting_down"}))
        replies.done()
        conversation.unanswered.callback(None)


class Orders(LineReceiver):
    """
    Obeys the test.
    """

    delimiter = b"\n"

    def __init__(self, life: DaemonLife, streams: StreamSet, streamable: StreamableHttp) -> None:
        self._life = life
        self._streams = streams
        self._streamable = streamable

    def lineReceived(self, line: bytes) -> None:
        """
        One order; answered by one line when it is carried out.
        """
        if line == b"attach":
            conversations = CountedExchanges(answer, exchange)
            self._streams.attach(conversations)
            self._streamable.attach(conversations, FakeMcpSessions(os.environ.get("KEY", "k").encode() * 32))
            self._life.attached()
            self._tell(b"attached")
        elif line == b"drain":
            self._life.drain()
            drained = DeferredList([self._streams.drain("test"), self._streamable.drain("test")])
            drained.addCallback(lambda _: reactor.stop())
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
    streamable = StreamableHttp(
        reactor,
        streams,
        life,
        boot=secrets.token_hex(4),
        now=ReactorClock(reactor).now,
        random=secrets.token_bytes,
    )
    metrics = Metrics(mcp_sessions=lambda: streams.session_count, pages=lambda: 0)
    root = build_root(
        checker=Checker(
            TrustPolicy(pairing_token=Secret(os.environ.get("PAIRING_TOKEN", ""))), seconds=reactor.seconds
        ),
        life=life,
        streams=streams,
        streamable=streamable,
        metrics=metrics,
        status=lambda _: DaemonStatus(
            version="0", pid=os.getpid(), started_at=0.0, uptime_seconds=0.0, port=port,
            state=life.state, mcp_sessions=streams.session_count + streamable.session_count,
        ),
        page_script=b"/* script */",
        page_script_sha256="00",
    )  # fmt: skip
    channel = choose_channel(fast_lane=os.environ.get("FAST_LANE") != "off")
    site = build_site(root, reactor=reactor, observers=[metrics.request_ended], channel=channel)
    port = reactor.listenTCP(0, site, backlog=1024, interface="127.0.0.1").getHost().port
    StandardIO(Orders(life, streams, streamable))
    reactor.callWhenRunning(print, port, flush=True)
    reactor.run()


if __name__ == "__main__":
    main()
