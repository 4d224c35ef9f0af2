"""
The answer to one Streamable POST while it comes about.

It begins without a request: what is answered before the POST's rendering is over becomes one whole
response. Else a request is attached, and the answer is written when it is there: as one JSON body, or as a
stream once something is told before the answer or it takes long (``Patience``).
"""

from __future__ import annotations

from typing import Final, Protocol

import msgspec
from twisted.web.iweb import IRequest

from reticle.errors import PeerFault
from reticle.mcp.jsonrpc import error_message
from reticle.model.codes import FaultCode, JsonRpcCode
from reticle.transport.accept import EVENT_STREAM, Form
from reticle.transport.frame import message_frame
from reticle.transport.http_answer import ACCEPTED, HttpAnswer, modern_status, readable_id
from reticle.transport.owed import is_batch, owed_ids
from reticle.transport.patience import Patience

_CANCELLED: Final = PeerFault(FaultCode.CANCELLED, "cancelled by the client", JsonRpcCode.REQUEST_CANCELLED)
"""
The end of a request that its client cancelled. It waits for nothing, but a stream that ends without an answer
makes clients come back for one (mcp.md §5), and a response owes one to each request of its POST (MCP
2025-03-26 "Transports"); who cancelled ignores what still comes ("Cancellation").
"""


class ReplyStream(Protocol):
    """
    Where messages go once the answer is a stream.
    """

    def send(self, message: bytes) -> None:
        """
        One JSON-RPC message.
        """

    def end(self) -> None:
        """
        Nothing follows.
        """


class ReplyCarrier(Protocol):
    """
    Whose POST it is: a session, nobody's, or a request of 2026-07-28.
    """

    shows_faults: bool
    """Whether a fault shows in the status."""

    patience: Patience
    """When an answer has taken long enough to become a stream."""

    def open_stream(self, request: IRequest) -> ReplyStream:
        """
        Make the response a stream.
        """

    def told_beside(self, message: bytes) -> None:
        """
        A message that belongs to a POST whose client reads one JSON body.
        """

    def hung_up(self, reply: PostReply) -> None:
        """
        The client of that answer is gone and it is not there.
        """

    def waits(self, reply: PostReply) -> None:
        """
        The answer is not there when the POST's rendering is over.
        """

    def over(self, reply: PostReply) -> None:
        """
        The answer is complete.
        """


class PostReply(msgspec.Struct, eq=False):
    """
    Provides ``ports.ReplySink``.

    Args:
        carrier: Whose it is.
        form: In which form the client takes it.
        body: What was posted. An array is answered by an array, but where the revision has none.
    """

    _carrier: ReplyCarrier
    _form: Form
    _body: bytes
    is_done: bool = False
    headers: tuple[tuple[bytes, bytes], ...] = ()
    _is_batch: bool = False
    _given: list[bytes] = []
    _waited: bool = False
    _answered: bool = False
    _answers: list[bytes] = []
    _told: list[bytes] = []
    _fault: PeerFault | None = None
    _request: IRequest | None = None
    _stream: ReplyStream | None = None

    def __post_init__(self) -> None:
        self._is_batch = not self._carrier.shows_faults and is_batch(self._body)

    def tell(self, message: bytes) -> None:
        """
        See ``ports.ReplySink``.
        """
        if self._form is Form.JSON:
            self._carrier.told_beside(message)
        elif self._stream is not None:
            self._stream.send(message)
        elif self._request is not None:
            self._begin_stream().send(message)
        elif not self._waited:
            self._told.append(message)

    def answer(self, message: bytes, fault: PeerFault | None = None) -> None:
        """
        See ``ports.ReplySink``.
        """
        self._answered = True
        if self._is_batch:
            self._given.append(message)
        if self._stream is not None:
            self._stream.send(message)
        else:
            self._answers.append(message)
            self._fault = fault

    def done(self) -> None:
        """
        See ``ports.ReplySink``. What has no answer by now was cancelled.
        """
        if self.is_done:
            return  # given up before
        if self._is_batch or (self._waited and not self._answered):
            self._end_with(_CANCELLED)
        self.is_done = True
        if self._stream is not None:
            self._stream.end()
        elif self._request is not None:
            self._carrier.patience.discard(self)
            request, self._request = self._request, None
            self.whole().write(request)
        self._carrier.over(self)

    def whole(self) -> HttpAnswer:
        """
        The whole response; only once it ``is_done``.
        """
        if not self._answers and not self._told:
            return ACCEPTED
        status = modern_status(self._fault) if self._carrier.shows_faults else 200
        if self._told or (status == 200 and self._form is Form.STREAM):
            frames = b"".join(map(message_frame, [*self._told, *self._answers]))
            return HttpAnswer(200, frames, EVENT_STREAM.encode("ascii"), self.headers)
        if self._is_batch:
            return HttpAnswer(status, b"[%b]" % b",".join(self._answers), headers=self.headers)
        return HttpAnswer(status, self._answers[0], headers=self.headers)

    def attach(self, request: IRequest) -> None:
        """
        Answer on this request, which has had its rendering and to which nothing has been written; only
        while it is not ``is_done``. Say so when the request is ``lost``.
        """
        for name, value in self.headers:
            request.setHeader(name, value)
        self._request = request
        self._waited = True
        self._carrier.waits(self)
        if self._told:
            told, self._told = self._told, []
            stream = self._begin_stream()
            for message in told:
                stream.send(message)
        elif self._form is not Form.JSON:
            self._carrier.patience.add(self)

    def abandon(self, fault: PeerFault) -> None:
        """
        Nobody will answer: end the response with this fault. Does nothing once it ``is_done``.
        """
        if not self.is_done:
            self._end_with(fault)
            self.done()

    def overdue(self) -> None:
        """
        See ``Patience``: go on as a stream.
        """
        if self._request is not None and self._stream is None:
            self._begin_stream()

    def lost(self) -> None:
        """
        The connection of the attached request is gone before the response was complete.
        """
        self._carrier.patience.discard(self)
        self._request = None
        if not self.is_done:
            self._carrier.hung_up(self)

    def _begin_stream(self) -> ReplyStream:
        assert self._request is not None
        self._carrier.patience.discard(self)
        request, self._request = self._request, None
        self._stream = self._carrier.open_stream(request)
        for message in self._answers:
            self._stream.send(message)
        self._answers.clear()
        return self._stream

    def _end_with(self, fault: PeerFault) -> None:
        """
        Answer every request of the body that has no answer by this fault.
        """
        owed = owed_ids(self._body, self._given) if self._is_batch else [readable_id(self._body)]
        for request_id in owed:
            self.answer(error_message(request_id, fault), fault)
