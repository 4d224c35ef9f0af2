"""
Streamable HTTP: ``POST``, ``GET`` and ``DELETE`` on ``/mcp``, and on its alias ``/mcp/sse``.

Contract: ``docs/protocol/streamable-http.md``. A GET without ``Mcp-Session-Id`` is the old transport's
(``reticle.transport.sse``); this leaf only decides which of the two is meant.
"""

from __future__ import annotations

from twisted.internet.defer import Deferred
from twisted.logger import Logger
from twisted.python.failure import Failure
from twisted.web.iweb import IRequest
from twisted.web.server import NOT_DONE_YET

from reticle.errors import Refusal
from reticle.mcp.versions import BY_HANDSHAKE
from reticle.model.codes import Carrier, FaultCode, JsonRpcCode
from reticle.transport.accept import Wish, event_stream_wish
from reticle.transport.head_memo import of_head
from reticle.transport.http_answer import (
    RETRY_AFTER,
    HttpAnswer,
    fault_answer,
    not_ready,
    session_unknown,
)
from reticle.transport.post_head import PostHead, header_values, read_head
from reticle.transport.request import has_body, read_body
from reticle.transport.resource import Leaf, Render
from reticle.transport.resumption import Resumption
from reticle.transport.streamable_http import StreamableHttp
from reticle.transport.streamable_session import StreamableSession
from reticle.transport.trace import principal_of, trace_of

_log = Logger()

_HTTP = Carrier.HTTP
_ONLY_POST = ((b"Allow", b"POST"),)


class StreamableLeaf(Leaf):
    """
    One of the two paths.

    Args:
        route: Its name in logs and metrics.
        streamable: The part of the daemon that it is a face of.
        old_stream: What a GET without a session is for.
    """

    def __init__(self, route: str, streamable: StreamableHttp, old_stream: Render) -> None:
        super().__init__(route, {b"GET": self._get, b"POST": self._post, b"DELETE": self._delete})
        self._posts = streamable.posts
        self._life = streamable.life
        self._responses = streamable.responses
        self._old_stream = old_stream

    def _post(self, request: IRequest) -> bytes | int:
        trace = trace_of(request)
        trace.carrier = _HTTP
        body = read_body(request)
        if body is None:
            answer = fault_answer(413, FaultCode.BODY_TOO_LARGE, "request body too large")
            return answer.render(request)
        principal = trace.principal or principal_of(request)
        reply = self._posts.receive(of_head(request, _post_head), body, principal)
        if isinstance(reply, HttpAnswer):
            return reply.render(request)
        if reply.is_done:
            return reply.whole().render(request)
        self._responses.add(request, reply.lost)
        reply.attach(request)
        return NOT_DONE_YET

    def _get(self, request: IRequest) -> bytes | int:
        headers = request.requestHeaders
        if not headers.hasHeader(b"Mcp-Session-Id"):
            return self._old_stream(request)
        trace_of(request).carrier = Carrier.HTTP
        found = self._session_of(request)
        if isinstance(found, HttpAnswer):
            return found.write_head(request)
        if event_stream_wish(headers.getRawHeaders("Accept", [])) is Wish.REFUSED:
            answer = fault_answer(406, FaultCode.NOT_ACCEPTABLE, "name text/event-stream in Accept")
            return answer.write_head(request)
        if has_body(request):
            answer = fault_answer(400, FaultCode.INVALID_REQUEST, "the GET of a stream has no body")
            return answer.write_head(request)
        refused = Resumption(found, header_values(headers, b"Last-Event-ID")).begin(request)
        if refused is not None:
            return refused.write_head(request)
        self._responses.add(request)
        return NOT_DONE_YET

    def _delete(self, request: IRequest) -> bytes | int:
        trace_of(request).carrier = Carrier.HTTP
        found = self._session_of(request)
        if isinstance(found, HttpAnswer):
            return found.write_head(request)
        self._responses.add(request)
        ending = Deferred.fromCoroutine(self._end(found, request))
        ending.addErrback(self._failed, request)
        return NOT_DONE_YET

    async def _end(self, session: StreamableSession, request: IRequest) -> None:
        answer = HttpAnswer(204, content_type=None)
        try:
            await self._posts.sessions.end(session)
        except Refusal as refusal:
            message = f"the session is ended, but that could not be written: {refusal.message}"
            answer = fault_answer(
                503, FaultCode.STORAGE_FAILED, message,
                number=JsonRpcCode.INTERNAL_ERROR, headers=RETRY_AFTER,
            )  # fmt: skip
        self._responses.finish(request, answer)

    def _failed(self, failure: Failure, request: IRequest) -> None:
        _log.failure("a session could not be ended", failure)
        answer = fault_answer(
            500, FaultCode.INTERNAL_ERROR, "reticle failed to answer", number=JsonRpcCode.INTERNAL_ERROR
        )
        self._responses.finish(request, answer)

    def _session_of(self, request: IRequest) -> StreamableSession | HttpAnswer:
        """
        The session that a GET or DELETE names, or why there is none.
        """
        headers = request.requestHeaders
        if not self._life.accepting:
            return not_ready(draining=self._life.draining)
        versions = header_values(headers, b"MCP-Protocol-Version")
        if any(version not in BY_HANDSHAKE for version in versions):
            return _other_revision(versions)
        session_ids = header_values(headers, b"Mcp-Session-Id")
        if not session_ids:
            return fault_answer(400, FaultCode.SESSION_MISSING, "missing Mcp-Session-Id")
        session = None
        if len(session_ids) == 1:
            session = self._posts.sessions.find(session_ids[0], principal_of(request))
        return session_unknown() if session is None else session


def _post_head(request: IRequest) -> PostHead:
    return read_head(request.requestHeaders)


def _other_revision(versions: tuple[str, ...]) -> HttpAnswer:
    """
    The newest revision knows nothing but POST; a name that is none of ours is a fault of its own.
    """
    if all(version == "2026-07-28" or version in BY_HANDSHAKE for version in versions):
        return fault_answer(405, FaultCode.METHOD_UNKNOWN, "2026-07-28 has only POST", headers=_ONLY_POST)
    message = f"Unsupported protocol version; supported: {', '.join(BY_HANDSHAKE)}"
    return fault_answer(
        400, FaultCode.VERSION_UNSUPPORTED, message, number=JsonRpcCode.UNSUPPORTED_PROTOCOL_VERSION
    )
