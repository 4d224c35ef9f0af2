"""
A GET on a session: the standalone stream, or the stream that ``Last-Event-ID`` names, from there on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from twisted.web.iweb import IRequest

from reticle.mcp.jsonrpc import notification_message
from reticle.model.codes import FaultCode
from reticle.transport.http_answer import HttpAnswer, fault_answer
from reticle.transport.streamable_session import EventPlace, StreamableSession, read_event_id

_CHANGED: Final = notification_message("notifications/tools/list_changed", {})
"""Told to who resumes after an event of an earlier life: whatever was missed, look again."""


class Resumption:
    """
    Args:
        session: Of the principal that asks.
        event_ids: Every ``Last-Event-ID`` that came.
    """

    def __init__(self, session: StreamableSession, event_ids: Sequence[str]) -> None:
        self._session = session
        self._event_ids = event_ids

    def begin(self, request: IRequest) -> HttpAnswer | None:
        """
        Make ``request`` a stream, or say why not; then nothing was written to it.
        """
        if not self._event_ids:
            return self._listen(request)
        place = read_event_id(self._event_ids[0]) if len(self._event_ids) == 1 else None
        if place is None:
            return fault_answer(400, FaultCode.EVENT_UNKNOWN, "Last-Event-ID is no event id of ours")
        if place.life != self._session.life:
            self._afresh(request)
            return None
        return self._resume(request, place)

    def _listen(self, request: IRequest) -> HttpAnswer | None:
        if self._session.is_listening:
            message = "this session's stream is open; close it, or resume it by Last-Event-ID"
            return fault_answer(409, FaultCode.STREAM_TAKEN, message)
        self._session.listen(request)
        return None

    def _afresh(self, request: IRequest) -> None:
        """
        The daemon was restarted, or the session was out of memory: what was kept is gone.
        """
        self._session.listen(request)
        self._session.send(_CHANGED)

    def _resume(self, request: IRequest, place: EventPlace) -> HttpAnswer | None:
        if not self._session.knows(place):
            return fault_answer(404, FaultCode.EVENT_UNKNOWN, "no stream with that event can be resumed")
        if not self._session.listen(request, place):
            return fault_answer(
                404, FaultCode.EVENT_UNKNOWN, "events behind that one are no longer kept; begin again"
            )
        return None
