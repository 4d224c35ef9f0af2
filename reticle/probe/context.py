"""
Which request of the server the running code belongs to.

The id travels in a context variable: it is right in threads, asyncio, coroutines and ``inlineCallbacks``.
Threads that the app starts and plain Deferred callbacks do not carry it; what happens there is ambient,
unless its place knows the request and says so (``RequestContext.entered``).
"""

from __future__ import annotations

import itertools
import os
import re
import time
from collections.abc import Iterator, Sequence
from contextvars import Token
from typing import Final

from reticle.probe import at_work, calls, emission
from reticle.probe.emission import Request, running
from reticle.probe.limits import ACTION_CHARS, SMALL_CHARS
from reticle.probe.small_facts import HANDLED, STARTED
from reticle.probe.words import FactKind, Link, Outcome

_UNLINKED: Final = Link.NONE
_ACTION: Final = re.compile(rf"[A-Za-z0-9_.:-]{{1,{ACTION_CHARS}}}")


_LAST_DIGITS: Final = tuple(f"{number:02x}" for number in range(256))


class _Ids:
    """
    Ids tell requests apart and keep no secret: half of each is the process's, half a number. They are put
    together in C (``ready``), of all but the last two digits, which are written once for 256 requests.
    """

    __slots__ = ("_hundreds", "_process", "ready")

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """
        As of a new process.
        """
        self._process = os.urandom(8).hex()
        self._hundreds = itertools.count()
        self.ready: Iterator[str] = iter(())

    def more(self) -> str:
        """
        The next 256, of which this returns the first. Two threads that are here at once have some each.
        """
        first = f"{self._process}{next(self._hundreds):014x}"
        self.ready = ready = map(first.__add__, _LAST_DIGITS)
        return next(ready)


_ids: Final = _Ids()
os.register_at_fork(after_in_child=_ids.begin)


class RequestContext:
    """
    One request of the server, from its first byte to the end of its answer. It starts as it is made: it is
    entered, and said.

    Args:
        method: As received.
        path: Without the query.
        action: The value of the action header, or of the navigation cookie; a value that is none is dropped.
        link: How the action came.
        query: Redacted already (``reticle.probe.redaction.query``), or None.

    ``rid`` is 32 hex digits, ``action`` what the page named or None, ``started`` monotonic seconds.
    An adapter sets ``route``, ``view`` (``file:line``) and ``view_name`` when the framework tells them.
    ``head`` is the number of the newest fact as the head of the answer was given to the server: what was told
    up to it happened before anybody could see the answer.
    ``cookies`` are the values of ``Set-Cookie`` in the answer to a write of an action.
    ``notes`` belongs to collectors: what they count per request, once one does. ``uncommitted`` has the
    transactions in which it wrote and that nobody has ended, each with the line of the last write. ``whose``
    is how the lines of its facts end, once one was written.
    """

    __slots__ = (
        "_following", "_token", "action", "cookies", "head", "link", "method", "notes", "over", "path", "rid",
        "route", "started", "uncommitted", "view", "view_name", "whose",
    )  # fmt: skip

    def __init__(
        self,
        method: str,
        path: str,
        action: str | None = None,
        link: str = _UNLINKED,
        query: str | None = None,
    ) -> None:
        self.rid: str = next(_ids.ready, None) or _ids.more()
        if action:
            self.action = action if _ACTION.fullmatch(action) else None
            self.link = link
        else:
            self.action = None
            self.link = _UNLINKED
        self.method = method
        self.path = path
        self.started = started = time.monotonic()
        self.route: str | None = None
        self.view: str | None = None
        self.view_name: str | None = None
        self.notes: dict[object, int] | None = None
        self.uncommitted: dict[str, tuple[str | None, int | None]] = {}
        self.over = False
        self.head: int | None = None
        self.whose: str | None = None
        self._following: calls.Following | None = None
        self.cookies: Sequence[str] = ()
        self._token: Token[Request | None] | None = running.set(self)
        sink = emission.sink
        if sink is not None:
            fact = (STARTED, started, self)
            if query or len(path) > SMALL_CHARS:
                sink.put(STARTED.kind, {**STARTED.fields(fact), **({"query": query} if query else {})})
            else:
                sink.note(fact)
        if self.action or started >= calls.allowance.empty_until:
            self.follow()

    @property
    def milliseconds(self) -> float:
        """
        Since it started.
        """
        return round((time.monotonic() - self.started) * 1_000, 3)

    def follow(self) -> None:
        """
        Note which functions of the app run for it, where that may be.
        """
        allowed = calls.acting if self.action else calls.allowance
        following = calls.follow(self, self.path) if self.started >= allowed.empty_until else None
        self._following = following
        if self.action:
            at_work.watch(self, {} if following is None else following.found, self.started)

    def enter(self) -> None:
        """
        From here on the running code belongs to this request, until ``leave``.
        """
        self._token = running.set(self)

    def leave(self) -> None:
        """
        The running code no longer belongs to it; without effect where it did not.
        """
        token, self._token = self._token, None
        if running.get() is not self:
            return
        if token is None:
            running.set(None)
        else:
            left(token)

    def entered(self) -> _Entered:
        """
        Run a part of it again, as for a callback that knows its request.
        """
        return _Entered(self)

    def end(
        self,
        status: int,
        *,
        request_bytes: int | None = None,
        response_bytes: int | None = None,
        streamed: bool = False,
        working: bool = False,
        leaving: bool = True,
    ) -> None:
        """
        Its answer is out: say so, once, and leave it. With ``working`` the app has not returned yet, and
        ``done`` follows. A finaliser does not leave it (``leaving``): it sets no context variable.
        """
        if not self.over:
            self.over = True
            if self.action:
                at_work.forget(self)
            is_awaited = self._following is not None
            if is_awaited:
                self._tell_calls(status)
            if self.uncommitted and not working:
                self._tell_uncommitted()
            sink = emission.sink
            if sink is not None:
                now = time.monotonic()
                # with a long path too: its head is known only once the queue was read up to here
                sink.note((
                    HANDLED, now, self, status, request_bytes, response_bytes, streamed, working,
                    now - self.started,
                ))  # fmt: skip
                if is_awaited:
                    sink.hurry()
        if leaving:
            self.leave()

    def whole(
        self,
        status: int,
        request_bytes: int | None,
        response_bytes: int,
        streamed: bool = False,  # noqa: FBT001, FBT002 - to name it costs each request
    ) -> None:
        """
        Its answer is out, and the app is done: as ``end``, at less cost where nothing but that is to be said.
        """
        sink = emission.sink
        if self.over or self._following is not None or self.uncommitted or sink is None:
            self.end(status, request_bytes=request_bytes, response_bytes=response_bytes, streamed=streamed)
            return
        self.over = True
        if self.action:
            at_work.forget(self)
        now = time.monotonic()
        sink.note((
            HANDLED, now, self, status, request_bytes, response_bytes, streamed, False, now - self.started,
        ))  # fmt: skip
        if self._token is None or running.get() is not self:
            self.leave()
            return
        token, self._token = self._token, None
        try:
            running.reset(token)
        except ValueError:  # as ``left``
            running.set(None)

    def done(self) -> None:
        """
        What the app did behind the answer is over too.
        """
        self._tell_uncommitted()
        emission.emit(FactKind.REQUEST_DONE, within=self, ms=self.milliseconds)
        self.leave()

    def _tell_calls(self, status: int) -> None:
        following, self._following = self._following, None
        if following is not None:
            calls.tell(self, following, self.path, status, self.cookies)

    def _tell_uncommitted(self) -> None:
        """
        What it wrote and nobody committed or rolled back by now; who does so later says so then.
        """
        for tx, (file, line) in list(self.uncommitted.items()):
            emission.emit(
                FactKind.TRANSACTION, within=self, tx=tx, outcome=str(Outcome.OPEN), file=file, line=line
            )

    def abort(self, why: str, *, status: int | None = None, response_bytes: int | None = None) -> None:
        """
        It ended without a whole answer: say so, once, and leave it.
        """
        if not self.over:
            self.over = True
            at_work.forget(self)
            self._tell_calls(status or 0)
            self._tell_uncommitted()
            emission.emit(
                FactKind.REQUEST_ABORTED,
                within=self,
                method=self.method,
                path=self.path,
                route=self.route,
                view=self.view,
                view_name=self.view_name,
                ms=self.milliseconds,
                status=status,
                response_bytes=response_bytes,
                why=why,
            )
        self.leave()


class _Entered:
    """
    The running code belongs to the request inside of ``with``; no generator, which costs each chunk more.
    """

    __slots__ = ("_request", "_token")

    def __init__(self, request: RequestContext) -> None:
        self._request = request

    def __enter__(self) -> RequestContext:
        self._token = running.set(self._request)
        return self._request

    def __exit__(self, *_: object) -> None:
        left(self._token)


def left(token: Token[Request | None]) -> None:
    """
    The running code belongs to what it belonged to before ``running`` was set.
    """
    try:
        running.reset(token)
    except ValueError:  # set in another context, as in a generator of an answer
        running.set(None)


def current() -> RequestContext | None:
    """
    The request that the running code belongs to; None outside of any.
    """
    request = running.get()
    return request if isinstance(request, RequestContext) else None


begin: Final = RequestContext
"""
Start a request. Every request does so: a function around the class would cost each one more call.
"""
