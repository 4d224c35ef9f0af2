"""
One Streamable HTTP session in memory: its conversation, its streams, and whether anybody uses it.

It is its conversation's ``MessageSink`` (what belongs to no POST goes to the standalone stream) and the
carrier of its POSTs' replies. A client that hangs up cancels nothing here: it may come back and resume.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import attrs
from twisted.web.iweb import IRequest

from reticle.errors import PeerFault
from reticle.model.codes import FaultCode, JsonRpcCode
from reticle.model.ids import McpSessionId
from reticle.model.limits import EVENT_ID_CHARS
from reticle.model.trust import Principal
from reticle.ports import Conversation
from reticle.transport.keepalive import KeepaliveSweep
from reticle.transport.numbered_stream import NumberedStream
from reticle.transport.patience import Patience
from reticle.transport.post_reply import PostReply
from reticle.transport.replay import Replay
from reticle.transport.sse_response import SseResponse

STANDALONE: Final = 0
_ENDED: Final = PeerFault(FaultCode.SESSION_UNKNOWN, "the session was ended", JsonRpcCode.INVALID_REQUEST)
_EVENT_ID: Final = re.compile(r"([0-9a-z]{1,40})-([0-9]{1,9})-([0-9]{1,9})")


@attrs.frozen
class EventPlace:
    """
    What a ``Last-Event-ID`` says.
    """

    life: str
    stream: int
    number: int


def read_event_id(text: str) -> EventPlace | None:
    """
    The place that an event id names, or None when it has not our form.
    """
    match = _EVENT_ID.fullmatch(text) if len(text) <= EVENT_ID_CHARS else None
    return None if match is None else EventPlace(match[1], int(match[2]), int(match[3]))


@attrs.frozen
class SessionMeans:
    """
    What all sessions of a daemon share.

    ``patience`` is for clients that cannot resume a stream, ``short_patience`` for those that can: they
    lose no answer when their connection breaks, once the answer comes on a stream.
    """

    sweep: KeepaliveSweep
    patience: Patience
    short_patience: Patience
    new_replay: Callable[[], Replay]


class StreamableSession:
    """
    Made in two steps, since the conversation needs its sink: construct, then ``begin``.

    Args:
        principal: Who opened it.
        life: What its event ids begin with; no other stay of any session in memory has the same.
        means: What sessions share.
    """

    __slots__ = (
        "_calls", "_means", "_primes", "_replay", "_streams", "_streams_made",
        "_waiting", "conversation",
        "last_used", "life", "patience", "principal", "session_id",
    )  # fmt: skip

    shows_faults = False

    def __init__(self, principal: Principal, life: str, means: SessionMeans) -> None:
        self.principal = principal
        self.life = life
        self.last_used = 0.0
        self.patience = means.patience
        self._means = means
        self._primes = False
        self._calls = 0
        self._waiting: dict[PostReply, None] | None = None  # made when first needed: most sessions are idle
        self._replay: Replay | None = None
        self._streams: dict[int, NumberedStream] = {}
        self._streams_made = STANDALONE

    def begin(self, session_id: McpSessionId, conversation: Conversation, *, primes: bool) -> None:
        """
        The handshake is through, in this life or an earlier one.

        Args:
            session_id: Its name.
            conversation: Its other end, whose sink this is.
            primes: Whether the revision has events without data.
        """
        self.session_id = session_id
        self.conversation = conversation
        self._primes = primes
        if primes:
            self.patience = self._means.short_patience

    @property
    def is_busy(self) -> bool:
        """
        Whether a call runs or a stream is open; else it is only remembered.
        """
        if self._calls > 0:
            return True
        # Asked of every session in each sweep, and most have no stream.
        return bool(self._streams) and any(stream.is_connected for stream in self._streams.values())

    @property
    def has_calls(self) -> bool:
        """
        Whether a call runs.
        """
        return self._calls > 0

    @property
    def is_listening(self) -> bool:
        """
        Whether the standalone stream is open.
        """
        return STANDALONE in self._streams and self._streams[STANDALONE].is_connected

    def send(self, message: bytes) -> None:
        """
        A message that belongs to no POST: to the standalone stream, or kept for it.
        """
        self._standalone().send(message)

    def knows(self, place: EventPlace) -> bool:
        """
        Whether that event of this stay was given out and its stream can still be resumed.
        """
        stream = self._streams.get(place.stream)
        if stream is None or place.number > stream.last:
            return False
        return not stream.ended or self._events().keeps(place.stream)

    def listen(self, request: IRequest, after: EventPlace | None = None) -> bool:
        """
        Make ``request`` the reader of a stream: of the standalone one, or of the one that ``after`` names.

        Returns:
            False when events behind ``after`` had to go; nothing was written then.
        """
        stream = self._standalone() if after is None else self._streams[after.stream]
        number = None if after is None else after.number
        if number is not None and not self._events().has_all_after(stream.number, number):
            return False
        stream.connect(self._response(request, stream, endless=True), after=number)
        return True

    def open_stream(self, request: IRequest) -> NumberedStream:
        """
        See ``ReplyCarrier``: a stream of its own for one POST.
        """
        self._streams_made += 1
        stream = self._new_stream(self._streams_made)
        stream.connect(self._response(request, stream))
        return stream

    def told_beside(self, message: bytes) -> None:
        """
        See ``ReplyCarrier``.
        """
        self.send(message)

    def hung_up(self, reply: PostReply) -> None:
        """
        See ``ReplyCarrier``. In these revisions a lost connection cancels nothing; what waits for its client
        alone is stopped all the same.
        """
        self.conversation.hung_up(reply)

    def call_begins(self) -> None:
        """
        A POST has come; ``over`` follows.
        """
        self._calls += 1

    def call_refused(self) -> None:
        """
        Nothing was done about it, and ``over`` does not follow.
        """
        self._calls -= 1

    def waits(self, reply: PostReply) -> None:
        """
        See ``ReplyCarrier``.
        """
        if self._waiting is None:
            self._waiting = {}
        self._waiting[reply] = None

    def over(self, reply: PostReply) -> None:
        """
        See ``ReplyCarrier``.
        """
        self._calls -= 1
        if self._waiting:
            self._waiting.pop(reply, None)

    def tidy(self) -> None:
        """
        Forget events that are too old, and ended streams of which nothing is kept.
        """
        if self._replay is not None:
            self._replay.expire()
        for number, stream in tuple(self._streams.items()):
            if stream.ended and not self._events().keeps(number):
                del self._streams[number]

    def end_streams(self) -> None:
        """
        End every open stream.
        """
        for stream in tuple(self._streams.values()):  # the connection's next request may open another
            stream.release()

    def close(self) -> None:
        """
        It is over or put out of memory: stop its calls, tell who waits for them, free everything.
        """
        for reply in tuple(self._waiting or ()):
            reply.abandon(_ENDED)
        self.end_streams()
        self._streams.clear()
        if self._replay is not None:
            self._replay.forget()
        self.conversation.close()

    def _standalone(self) -> NumberedStream:
        return self._streams.get(STANDALONE) or self._new_stream(STANDALONE)

    def _new_stream(self, number: int) -> NumberedStream:
        stream = NumberedStream(number, self.life, primes=self._primes, replay=self._events)
        self._streams[number] = stream
        return stream

    def _response(self, request: IRequest, stream: NumberedStream, *, endless: bool = False) -> SseResponse:
        def lost() -> None:
            stream.disconnected(response)

        response = SseResponse(request, self._means.sweep, lost, endless=endless)
        return response

    def _events(self) -> Replay:
        if self._replay is None:
            self._replay = self._means.new_replay()
        return self._replay
