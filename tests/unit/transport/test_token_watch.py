"""
What happens to what is open when its token ends.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from typing import Any

import pytest
from twisted.internet.defer import Deferred

from reticle.domain.tokens import Minted, judge, mint
from reticle.errors import Refusal
from reticle.model.audit import AuditDraft
from reticle.model.codes import AuditTransport, Capability, Carrier
from reticle.testing.conversations import follow_handshake
from reticle.testing.grants import MemoryTokens
from reticle.transport.token_watch import TokenWatch

Serve = Callable[..., Any]

JSON = "Content-Type: application/json"
BOTH = "Accept: application/json, text/event-stream"
LIFE = 60.0
DRAFT = AuditDraft(
    principal="local", transport=AuditTransport.MCP, carrier=Carrier.HTTP, tool="", repository_id=None,
    decision="allowed", reason="", arguments_sha256="", duration_ms=0.0,
)  # fmt: skip


class Bench:
    """
    A strict listener with two tokens, the first of which lives for a minute, and its watch.
    """

    def __init__(self, serve: Serve, **how: Any) -> None:
        self.tokens = MemoryTokens()
        numbers = itertools.count(1)
        self.minted = [
            mint(
                [(Capability.OBSERVE, None)], display_name="", kind="cli", now=0.0, expires_at=end,
                random=lambda size: next(numbers).to_bytes(size, "big"),
            )
            for end in (LIFE, None)
        ]  # fmt: skip
        self.tokens.keep(*(each.sealed for each in self.minted))
        served: list[Any] = []
        self.served = serve(
            strict=True, judge=lambda text: judge(text, self.tokens.find, served[0].clock.seconds()), **how
        )
        served.append(self.served)
        self.watch = TokenWatch(
            self.served.clock, self.served.clock.seconds, self.tokens,
            [self.served.streams, self.served.streamable],
        )  # fmt: skip
        self.watch.start()

    @property
    def first(self) -> Minted:
        """
        The token that ends.
        """
        return self.minted[0]

    def bearer(self, which: int = 0) -> str:
        """
        The header of a token.
        """
        return f"Authorization: Bearer {self.minted[which].text.reveal()}"

    def revoke(self) -> None:
        """
        Somebody ends the first token.
        """
        now = self.served.clock.seconds()
        ended: Deferred[Any] = self.tokens.revoke(self.first.sealed.token.token_id, now, "", DRAFT)
        assert ended.called

    def expire(self) -> None:
        """
        Its time is over.
        """
        self.served.clock.advance(LIFE)

    def post(self, method: str, *headers: str, which: int = 0, **params: object) -> Any:
        """
        One POST; gives the connection.
        """
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
        return self.served.ask("POST", "/mcp", JSON, BOTH, self.bearer(which), *headers, body=body)


@pytest.fixture(params=["revoke", "expire"])
def end(request: pytest.FixtureRequest) -> Callable[[Bench], None]:
    """
    Either way in which a token ends.
    """
    return {"revoke": Bench.revoke, "expire": Bench.expire}[request.param]


def test_an_old_stream_ends_with_its_token(serve: Serve, end: Callable[[Bench], None]) -> None:
    """
    Its reader is told why, its id is nobody's, and everybody else's stream goes on.
    """
    bench = Bench(serve)
    wire, other = (bench.served.ask("GET", "/mcp", bench.bearer(which)) for which in (0, 1))
    end(bench)
    code = "token_revoked" if end is Bench.revoke else "token_expired"
    assert wire.response().text.endswith(f'event: reticle-stream-ended\ndata: {{"reason":"{code}"}}\n\n')
    [own, others] = bench.served.conversations.opened
    assert (own.dismissed.code, own.closed, others.closed) == (code, 1, 0)
    assert bench.served.streams.session_count == 1
    assert "ended" not in other.response().text


def test_a_session_ends_with_its_token(serve: Serve, end: Callable[[Bench], None]) -> None:
    """
    It is over for good: its stream ends, and not even another life of the daemon brings it back.
    """
    bench = Bench(serve, script=follow_handshake)
    opened = bench.post("initialize", protocolVersion="2025-11-25").response()
    session_id = opened.headers["mcp-session-id"]
    bench.post("initialize", which=1, protocolVersion="2025-11-25")
    listening = bench.served.ask("GET", "/mcp", bench.bearer(), f"Mcp-Session-Id: {session_id}", BOTH)
    end(bench)
    assert listening.received().endswith(b"0\r\n\r\n")
    assert bench.served.streamable.session_count == 1
    assert bench.served.kept.is_ended(session_id, 0)


def test_calls_that_run_are_answered_first(serve: Serve) -> None:
    """
    Whoever waits for an answer learns why there is none, and the stream ends behind that.
    """
    bench = Bench(serve)
    wire = bench.served.ask("GET", "/mcp", bench.bearer())
    [own] = bench.served.conversations.opened
    own.unanswered = Deferred()
    bench.revoke()
    assert own.dismissed.code == "token_revoked"
    assert "ended" not in wire.response().text
    own.unanswered.callback(None)
    assert "token_revoked" in wire.response().text


def test_a_request_without_a_session_ends_with_its_token(serve: Serve) -> None:
    """
    A listening 2026-07-28 client gets its final result when its token ends; another's listens on.
    """
    bench = Bench(serve)
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}
    for which in (0, 1):
        bench.post(
            "subscriptions/listen", "MCP-Protocol-Version: 2026-07-28", "Mcp-Method: subscriptions/listen",
            which=which, _meta=meta,
        )  # fmt: skip
    own, others = bench.served.conversations.exchanges
    bench.revoke()
    assert (own.drained, others.drained) == (["token_revoked"], [])


def test_the_watch_ends_with_the_daemon(serve: Serve) -> None:
    """
    A stop leaves no timer, and what changes afterwards ends nothing twice.
    """
    bench = Bench(serve)
    bench.served.ask("GET", "/mcp", bench.bearer())
    bench.watch.stop()
    bench.watch.stop()
    bench.revoke()
    assert bench.served.streams.session_count == 1


def test_an_end_that_cannot_be_written_is_only_logged(serve: Serve) -> None:
    """
    The session is over for its holder all the same.
    """
    bench = Bench(serve, script=follow_handshake)
    bench.post("initialize", protocolVersion="2025-11-25")
    bench.served.kept.broken = Refusal("storage_failed", "no disk")
    bench.revoke()
    assert bench.served.streamable.session_count == 0
