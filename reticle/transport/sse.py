"""
The old HTTP+SSE transport: a GET that stays open, and the POST whose answers come on it.

Contract: ``docs/protocol/http-sse.md``. The short words (``missing sessionId``, ``session not found``,
``MCP server not ready``, ``Accepted``) are exactly what existing clients compare.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from urllib.parse import quote_from_bytes

from twisted.web.iweb import IRequest
from twisted.web.server import NOT_DONE_YET

from reticle.domain.daemon_life import DaemonLife
from reticle.domain.trust import may_use_stream
from reticle.errors import PeerFault
from reticle.mcp.stray_token import has_stray_token
from reticle.model.codes import Carrier, RefusalCode
from reticle.model.ids import McpSessionId
from reticle.model.limits import MCP_SESSIONS, RETRY_AFTER_SECONDS
from reticle.model.relay_codes import CARRIER_HEADER, STDIO
from reticle.transport.accept import EVENT_STREAM, Wish, event_stream_wish
from reticle.transport.credential import STRAY
from reticle.transport.head_memo import of_head
from reticle.transport.http_answer import HttpAnswer
from reticle.transport.request import has_body, read_body
from reticle.transport.resource import TEXT, Leaf, answer_not_allowed, answer_text
from reticle.transport.sse_response import set_stream_headers
from reticle.transport.stream import Stream
from reticle.transport.streams import StreamSet
from reticle.transport.trace import principal_of, trace_of

MODERN_REVISION = "2026-07-28"
"""The revision that knows no stream without a session (DESIGN §2, what ``GET /mcp`` is)."""

_ONLY_POST = (b"POST",)

_SSE = Carrier.SSE
_ACCEPTED = HttpAnswer(202, b"Accepted", TEXT)

SESSION_PARAMETERS = (b"sessionId", b"session_id")
"""Both spellings, taken by both message paths."""


def answer_unready(request: IRequest, text: str = "MCP server not ready") -> bytes:
    """
    503: the endpoint is real and coming; unlike after a 404 the client only has to wait.
    """
    request.setHeader(b"Retry-After", b"%d" % RETRY_AFTER_SECONDS)
    return answer_text(request, 503, text)


class OldStreams:
    """
    What a GET without ``Mcp-Session-Id`` is for: the old stream.

    Args:
        streams: Where streams are opened.
        life: Whether the daemon accepts.
        announces: The message path below the mount point and the parameter, such as
            ``mcp/message?sessionId=``.
        depth: How many path segments this resource stands below the mount point.
    """

    def __init__(self, streams: StreamSet, life: DaemonLife, *, announces: str, depth: int) -> None:
        self._streams = streams
        self._life = life
        self._announces = announces
        self._depth = depth

    def open(self, request: IRequest) -> bytes | int:
        """
        Open a stream, whatever the other headers say: ``GET /mcp/sse``.
        """
        carrier = Carrier.STDIO if request.getHeader(CARRIER_HEADER) == STDIO else Carrier.SSE
        trace_of(request).carrier = carrier
        if not self._life.accepting:
            return answer_unready(request)
        if has_body(request):
            return answer_text(request, 400, "the GET of a stream has no body")
        if self._streams.connection_count >= MCP_SESSIONS:
            return answer_unready(request, "too many sessions")
        set_stream_headers(request)
        # One connection per stream: what a client sends behind it could never be answered (TR-11).
        request.setHeader(b"Connection", b"close")
        self._streams.open(request, principal_of(request), self._message_path(request), carrier)
        return NOT_DONE_YET

    def open_if_meant(self, request: IRequest) -> bytes | int:
        """
        Open a stream for clients that mean it, and answer fast for those that probe: ``GET /mcp``.
        """
        headers = request.requestHeaders
        version = request.getHeader("MCP-Protocol-Version")
        if version == MODERN_REVISION:
            return answer_not_allowed(request, _ONLY_POST)
        wish = event_stream_wish(headers.getRawHeaders("Accept", []))
        if wish is Wish.REFUSED or (version is not None and wish is not Wish.NAMED):
            return answer_text(request, 406, f"this is an event stream; name {EVENT_STREAM} in Accept")
        return self.open(request)

    def _message_path(self, request: IRequest) -> Callable[[McpSessionId], str]:
        # From the path the request took, so that it resolves wherever an application mounted us (TR-05).
        segments = list(request.prepath)
        while segments and not segments[-1]:
            segments.pop()
        mount = [quote_from_bytes(segment, safe="") for segment in segments[: -self._depth]]
        path = "/".join(["", *mount, self._announces])
        return lambda session_id: f"{path}{session_id}"


class MessageLeaf(Leaf):
    """
    ``POST /mcp/message`` and ``/mcp/messages``: takes one JSON-RPC message into an open session.

    The answer comes on the stream; here is only 202 or the reason why not, in plain text. What a
    client can mend by reconnecting (404) is told before what it cannot (415, 400).
    """

    def __init__(self, streams: StreamSet, life: DaemonLife) -> None:
        super().__init__("mcp_message", {b"POST": self._receive})
        self._streams = streams
        self._life = life

    def _receive(self, request: IRequest) -> bytes | int:
        trace_of(request).carrier = _SSE
        if not self._life.accepting:
            return answer_unready(request)
        found = self._find(request)
        if isinstance(found, bytes):
            return found
        body = _body(request)
        if isinstance(body, HttpAnswer):
            return body.render(request)
        try:
            found.receive(body)
        except PeerFault as fault:
            return answer_text(request, 400, f"{fault.code}: {fault.message}")
        return _ACCEPTED.render(request)

    def _find(self, request: IRequest) -> Stream | bytes:
        """
        The stream that the request names, or the answer when it names none.
        """
        named = of_head(request, _named_sessions)
        if not named:
            return answer_text(request, 400, "missing sessionId")
        if len(named) > 1:
            return answer_text(request, 400, "conflicting sessionId")
        stream = self._streams.find(named[0])
        if stream is None or not may_use_stream(stream.principal, principal_of(request)):
            return answer_text(request, 404, "session not found")
        return stream


def _named_sessions(request: IRequest) -> Sequence[str]:
    """
    The different sessions that a request names.
    """
    values = [value for name in SESSION_PARAMETERS for value in request.args.get(name, []) if value]
    return [value.decode("latin-1") for value in dict.fromkeys(values)]


def _is_json(request: IRequest) -> bool:
    values = request.requestHeaders.getRawHeaders("Content-Type", [])
    return len(values) == 1 and values[0].partition(";")[0].strip().lower() == "application/json"


def _body(request: IRequest) -> bytes | HttpAnswer:
    """
    What was posted, or why nobody looks at it.
    """
    if not of_head(request, _is_json):
        return HttpAnswer(415, b"Content-Type must be application/json", TEXT)
    body = read_body(request)
    if body is None:
        return HttpAnswer(413, b"request body too large", TEXT)
    if has_stray_token(body):
        return HttpAnswer(401, f"{RefusalCode.TOKEN_MALFORMED}: {STRAY}".encode(), TEXT)
    return body
