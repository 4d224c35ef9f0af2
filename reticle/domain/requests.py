"""
A window's network events as requests: each one begun, ended, ended unseen, or still open.

Documents. ``net.pending`` and ``net.request`` of one document are paired by their id.
When a document ends, a request of it that has not answered will never be seen to answer.
A *document* request (a form post, a link) ends its own document: it is answered by the arrival of the
next one, whose first ``net.request`` with initiator ``document`` carries the status. Redirects between
them are followed by the browser, so the status is that of the last answer, exactly as with ``fetch``,
and a 3xx itself can never be seen.
Events of an ended document stay evidence: they happened after the window opened, so they tell what the
action did (DESIGN §6); only what a document *is* (readings) is taken from the newest.
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs
import msgspec

from reticle.domain.channels import of_types
from reticle.domain.facts import flag_of, text_of, whole_of
from reticle.domain.memo import once_per_window
from reticle.errors import LocalMisuse
from reticle.model.codes import EventType
from reticle.model.ids import Cursor, DocumentId
from reticle.model.page import PageEvent
from reticle.model.window import Window

MUTATING = frozenset({"POST", "PUT", "PATCH", "DELETE"})
"""Methods that are meant to change something (RFC 9110 §9.2.1: the ones that are not safe)."""

_FAILURES = 400
"""The first status that is a failure (RFC 9110 §15.5)."""

_ABORT_WORDS = ("aborterror", "aborted", "the user aborted")


class Request(msgspec.Struct, frozen=True, gc=False):
    """
    One HTTP request as far as the page saw it.

    ``status`` None means that it could not be read (opaque, beacon, aborted, ended with its document).
    ``ok`` follows it; a redirect is not a failure. ``before`` is set when it began before the window.
    ``seq`` and ``t_ms`` are those of its beginning, or of its end where only that was seen.
    """

    method: str
    url: str
    initiator: str
    seq: int
    t_ms: int
    document_id: DocumentId | None = None
    begun: PageEvent | None = None
    ended: PageEvent | None = None
    status: int | None = None
    ok: bool | None = None
    before: bool = False
    unseen: bool = False

    @property
    def mutating(self) -> bool:
        """
        Whether it is meant to change something.
        """
        return self.method in MUTATING

    @property
    def open(self) -> bool:
        """
        Whether an answer can still be seen.
        """
        return self.ended is None and not self.unseen

    @property
    def failed(self) -> bool:
        """
        Whether it is known to have failed; an abort by the page itself is none.
        """
        return self.ok is False

    @property
    def answer(self) -> Mapping[str, object]:
        """
        The fields of its end; empty while there is none.
        """
        return self.ended.data if self.ended is not None else {}

    def __str__(self) -> str:
        if self.open:
            return f"{self.method} {self.url} still in flight"
        if self.status:
            cut = ", whose body broke off" if self.failed and self.status < _FAILURES else ""
            return f"{self.method} {self.url} {self.status}{cut}"
        if self.failed:
            return f"{self.method} {self.url} failed ({text_of(self.answer, 'error') or 'no answer'})"
        if self.unseen:
            return f"{self.method} {self.url} whose page ended before the answer"
        return f"{self.method} {self.url} with an answer that could not be read"


@once_per_window
def requests(window: Window) -> tuple[Request, ...]:
    """
    Every request that was open at the window's start or has an event in it, in order of beginning.
    """
    return requests_since(window, window.since)


def requests_since(window: Window, since: Cursor) -> tuple[Request, ...]:
    """
    As ``requests``, without the events at or before a cursor inside the window.
    """
    book = _Book()
    for pending in window.open_requests_before:
        book.begin(pending, before=True)
    for event in of_types(window, EventType.NET_PENDING, EventType.NET_REQUEST):
        if event.seq <= since:
            continue
        if event.type == EventType.NET_PENDING:
            book.begin(event)
        else:
            book.end(event)
    return tuple(_request(entry, window) for entry in book.entries)


@once_per_window
def ended_requests(window: Window) -> tuple[Request, ...]:
    """
    The requests that ended in the window and are a consequence of its action, where it has one.

    A request that was under way before the action cannot be its doing.
    """
    return tuple(
        one
        for one in requests(window)
        if one.ended is not None and not (one.before and window.action is not None)
    )


def answered_request(event: PageEvent) -> Request:
    """
    The request of which only this answer is known.
    """
    status, ok = answer_of(event)
    return Request(
        method=_method(event),
        url=text_of(event.data, "url") or "",
        initiator=text_of(event.data, "initiator") or "",
        seq=event.seq,
        t_ms=event.t_ms,
        document_id=event.document_id,
        ended=event,
        status=status,
        ok=ok,
    )


@attrs.define
class _Entry:
    """
    The two events of one request, as far as they came.
    """

    begun: PageEvent | None
    ended: PageEvent | None
    before: bool = False


class _Book:
    """
    Requests in order of beginning, and which of them are still open, by document and wire id.
    """

    def __init__(self) -> None:
        self.entries: list[_Entry] = []
        self._open: dict[tuple[DocumentId | None, str], _Entry] = {}
        self._leaving: list[tuple[_Entry, PageEvent]] = []

    def begin(self, event: PageEvent, *, before: bool = False) -> None:
        entry = _Entry(event, None, before)
        self.entries.append(entry)
        self._open[event.document_id, _name(event)] = entry
        if event.data.get("initiator") == "document":
            self._leaving.append((entry, event))

    def end(self, event: PageEvent) -> None:
        entry = self._open.pop((event.document_id, _name(event)), None)
        if entry is not None:
            entry.ended = event
        elif not (event.data.get("initiator") == "document" and self._arrive(event)):
            self.entries.append(_Entry(None, event))

    def _arrive(self, event: PageEvent) -> bool:
        """
        Let a new document answer the request by which the last one was left.

        False where it arrived elsewhere than was asked for, by a redirect: then it is also a request of
        its own.
        """
        for entry, begun in reversed(self._leaving):
            if entry.ended is None and begun.document_id != event.document_id:
                entry.ended = event
                return _method(begun) == _method(event) and begun.data.get("url") == event.data.get("url")
        return False


def _request(entry: _Entry, window: Window) -> Request:
    """
    A request from its events; one of an ended document without an end is never seen to answer.
    """
    first = entry.begun or entry.ended
    if first is None:
        raise LocalMisuse("a request without any event")
    status, ok = answer_of(entry.ended) if entry.ended is not None else (None, None)
    gone = first.document_id is not None and first.document_id != window.document_id
    method = _method(first)
    if ok and method not in MUTATING and flag_of(entry.ended.data if entry.ended else {}, "bodyBroken"):
        ok = False  # a write may have been done all the same: that is asked where outcomes are read
    return Request(
        method=method,
        url=text_of(first.data, "url") or "",
        initiator=text_of(first.data, "initiator") or "",
        seq=first.seq,
        t_ms=first.t_ms,
        document_id=first.document_id,
        begun=entry.begun,
        ended=entry.ended,
        status=status,
        ok=ok,
        before=entry.before,
        unseen=entry.ended is None and gone and window.document_id is not None,
    )


def _name(event: PageEvent) -> str:
    """
    The wire id, or the call itself where a page sends none.
    """
    wire_id = event.data.get("id")
    return f"{_method(event)} {event.data.get('url')}" if wire_id is None else f"#{wire_id}"


def _method(event: PageEvent) -> str:
    return (text_of(event.data, "method") or "GET").upper()


def answer_of(event: PageEvent) -> tuple[int | None, bool | None]:
    """
    The status and ok of an end; a redirect or a 304 is "not ok" to fetch, and no failure.
    """
    status = whole_of(event.data, "status")
    error = text_of(event.data, "error")
    if status is None or _aborted(event, error):
        return None, None
    if status == 0:
        return 0, False if error else None
    ok = flag_of(event.data, "ok")
    return status, status < _FAILURES if ok is None or status < _FAILURES else ok


def _aborted(event: PageEvent, error: str | None) -> bool:
    if flag_of(event.data, "aborted"):
        return True
    return error is not None and any(word in error.lower() for word in _ABORT_WORDS)
