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

from collections.abc import Iterable, Mapping

import attrs

from reticle.domain.facts import flag_of, text_of, whole_of
from reticle.model.codes import EventType
from reticle.model.ids import Cursor, DocumentId
from reticle.model.page import PageEvent
from reticle.model.window import Window

MUTATING = frozenset({"POST", "PUT", "PATCH", "DELETE"})
"""Methods that are meant to change something (RFC 9110 §9.2.1: the ones that are not safe)."""

_ABORT_WORDS = ("aborterror", "aborted", "the user aborted")


@attrs.frozen
class Request:
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
            return f"{self.method} {self.url} {self.status}"
        if self.failed:
            return f"{self.method} {self.url} failed ({text_of(self.answer, 'error') or 'no answer'})"
        return f"{self.method} {self.url} with an answer that could not be read"


def requests(window: Window, since: Cursor | None = None) -> tuple[Request, ...]:
    """
    Every request that was open at the window's start or has an event in it, in order of beginning.

    Args:
        window: The recorded window.
        since: Leave out what ended, or began and never ended, at or before this cursor.
    """
    found = [attrs.evolve(_begin(pending), before=True) for pending in window.open_requests_before]
    for event in window.events:
        if since is not None and event.seq <= since:
            continue
        if event.type == EventType.NET_PENDING:
            found.append(_begin(event))
        elif event.type == EventType.NET_REQUEST:
            _end(found, event)
    return tuple(_unseen(found, window))


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


def _begin(event: PageEvent) -> Request:
    return Request(
        method=(text_of(event.data, "method") or "GET").upper(),
        url=text_of(event.data, "url") or "",
        initiator=text_of(event.data, "initiator") or "",
        seq=event.seq,
        t_ms=event.t_ms,
        document_id=event.document_id,
        begun=event,
    )


def _end(found: list[Request], event: PageEvent) -> None:
    place = _place_of_begin(found, event)
    if place is None:
        found.append(_answered(attrs.evolve(_begin(event), begun=None), event))
    else:
        found[place] = _answered(found[place], event)


def _place_of_begin(found: list[Request], event: PageEvent) -> int | None:
    """
    Where the request that ``event`` ends stands, or None when its beginning was not seen.
    """
    wire_id = event.data.get("id")
    document = text_of(event.data, "initiator") == "document"
    for place, one in enumerate(found):
        if one.ended is not None or one.begun is None:
            continue
        same_document = one.document_id == event.document_id
        if same_document and wire_id is not None and one.begun.data.get("id") == wire_id:
            return place
        if document and one.initiator == "document" and not same_document:
            return place
        if same_document and wire_id is None and _same_call(one, event):
            return place
    return None


def _same_call(one: Request, event: PageEvent) -> bool:
    method = (text_of(event.data, "method") or "GET").upper()
    return one.method == method and one.url == text_of(event.data, "url")


def _answered(one: Request, event: PageEvent) -> Request:
    status = whole_of(event.data, "status")
    error = text_of(event.data, "error")
    if _aborted(event, error) or status is None:
        return attrs.evolve(one, ended=event, status=None, ok=None)
    if status == 0:
        return attrs.evolve(one, ended=event, status=0, ok=False if error else None)
    ok = flag_of(event.data, "ok")
    if ok is None or status < 400:  # a redirect or a 304 is "not ok" to fetch, and no failure
        ok = status < 400
    return attrs.evolve(one, ended=event, status=status, ok=ok)


def _aborted(event: PageEvent, error: str | None) -> bool:
    if flag_of(event.data, "aborted"):
        return True
    return error is not None and any(word in error.lower() for word in _ABORT_WORDS)


def _unseen(found: Iterable[Request], window: Window) -> Iterable[Request]:
    """
    Mark open requests of ended documents: nobody will see them answer.
    """
    for one in found:
        gone = (
            one.ended is None
            and one.document_id is not None
            and window.document_id is not None
            and one.document_id != window.document_id
        )
        yield attrs.evolve(one, unseen=True) if gone else one
