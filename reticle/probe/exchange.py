"""
One request of the app and its answer, as every adapter sees them.

It says which request the running code belongs to, what the app must not see of the request, what the answer
gets beside its own, and tells the facts of the request. Nothing of it raises.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final, Self
from urllib.parse import urlsplit

from reticle.probe import emission, script, visitors
from reticle.probe.context import RequestContext, begin
from reticle.probe.harmless import harmless, note
from reticle.probe.insertion import candidates
from reticle.probe.insertion.candidates import (
    DOCUMENTS,
    OF_A_PAGE,
    OF_A_SCRIPT,
    Asked,
    Header,
    Lookup,
    asked,
)
from reticle.probe.insertion.headers import CONDITIONS, TIMING_HEADER
from reticle.probe.insertion.rewriting import Answer
from reticle.probe.insertion.tag import Offer
from reticle.probe.limits import PATH_CHARS
from reticle.probe.origins import place_of_page
from reticle.probe.our_marks import NAVIGATION_OVER, action_in, navigation, navigation_of, without_ours
from reticle.probe.redaction import path as redacted_path
from reticle.probe.redaction import query as redacted
from reticle.probe.redaction import short_path
from reticle.probe.small_facts import HEAD, INJECTION
from reticle.probe.words import (
    ACTION_HEADER,
    LANGUAGE_HEADER,
    NAVIGATION_COOKIE,
    TIMING_NAME,
    WORTH_TELLING,
    Injection,
    Link,
    Skip,
)

_ACTION: Final = ACTION_HEADER.lower()
_BY_HEADER: Final = Link.HEADER
_BY_COOKIE: Final = Link.COOKIE
_INSERTED: Final = Injection.INSERTED
_COOKIE_CHARS: Final = len("set-cookie")
_WRITES: Final = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_OF_A_SCRIPT: Final = OF_A_SCRIPT.skip
_TIMED: Final = f'{TIMING_NAME};desc="'
_NO_WAY: Final = None, "", "", ""
_new: Final = object.__new__

USUAL: Final = ("sec-fetch-dest", "sec-fetch-mode", "cookie", "accept", "host", _ACTION, "content-length")
"""Headers that every exchange may ask for."""

SELDOM_OF_A_PAGE: Final = (
    *candidates.PURPOSES, *visitors.FORWARDED, "x-forwarded-proto", LANGUAGE_HEADER,
)  # fmt: skip
"""Headers that it may ask for beside them where ``Sec-Fetch-Dest`` says that a page is asked for: nearly no
request has one."""

SELDOM: Final = (*candidates.SELDOM, *SELDOM_OF_A_PAGE)
"""The same of any request."""

_offer: Final = tuple.__new__
"""As ``Offer(…)`` does it, at a third of its cost."""

_NOTHING: Final = Asked(Skip.FAULT, is_navigation=False, is_head=False, is_prefetch=False)


class Exchange:
    """
    Args:
        method: As received.
        path: With the folder under which the app is mounted.
        query: Without its question mark.
        header: The request's headers.
        peer: Address of who asks.
        scheme: Of the URL as the server knows it.
        relay: What this kind of server offers to a page that cannot dial the daemon: ``ws`` or ``poll``.
        root: The folder under which the app is mounted.
        is_plain: The caller saw that the request has none of ``SELDOM_OF_A_PAGE``.

    It is entered when it is made (``RequestContext.enter``). ``skip`` is why no answer to it may get a tag
    (``Asked.skip``), and ``has_ours`` whether a header holds a word of ours (``without_ours``).
    """

    __slots__ = (
        "_answer", "_cookie", "_cookies", "_header", "_is_navigation", "_is_plain", "_language", "_length",
        "_reported", "_sent", "_told", "_way", "asked", "context", "has_ours", "skip", "status",
    )  # fmt: skip

    def __init__(  # noqa: PLR0917 - for each request Python would make a dictionary of keywords
        self,
        method: str,
        path: str,
        query: str,
        header: Lookup,
        peer: str | None,
        scheme: str,
        relay: str,
        root: str = "",
        is_plain: bool = False,  # noqa: FBT001, FBT002 - as above
    ) -> None:
        # Every request comes by here: what costs a call is asked for once, and only where it decides.
        self._header = header
        self._way = peer, scheme, relay, root
        self._is_plain = is_plain
        self._answer: Answer | None = None
        self._reported: BaseException | None = None
        self._sent = 0
        self._told = False
        self.status: int | None = None
        self._is_navigation = False
        """Whether a person (or a redirect) goes to this address, as far as can be told."""
        self._cookie: str | None = None
        self._cookies = cookies = header("cookie")
        self._length = header("content-length")
        self._language = language = None if is_plain else header(LANGUAGE_HEADER)
        self.has_ours = language is not None or (cookies is not None and NAVIGATION_COOKIE in cookies)
        action, link = (action_in(language) if language else None) or header(_ACTION), _BY_HEADER
        destination = header("sec-fetch-dest")
        if (
            destination is not None
            and destination not in DOCUMENTS
            and method != "HEAD"
            and header("sec-fetch-mode") != "navigate"  # else ``asked`` looks closer
        ):
            self.asked, self.skip = OF_A_SCRIPT, _OF_A_SCRIPT
        else:
            is_page = is_plain and destination == "document" and method == "GET"
            self.asked = read = OF_A_PAGE if is_page else asked(method, header)
            self.skip = read.skip
            if read.skip is None and (read.is_navigation or "text/html" in (header("accept") or "")):
                self._is_navigation = True
                if self.has_ours:
                    self._cookie = navigation_of(cookies)
                    if not action and self._cookie:
                        action, link = self._cookie, _BY_COOKIE
        path = short_path(path) if len(path) <= PATH_CHARS else redacted_path(path)
        self.context: RequestContext = begin(method, path, action, link, redacted(query) if query else None)

    @classmethod
    def of_a_script(  # noqa: PLR0917 - as above
        cls,
        method: str,
        path: str,
        query: str,
        cookies: str | None,
        language: str | None,
        action: str | None,
        length: str | None,
    ) -> Self:
        """
        The same where the caller saw that a script or an element asks, with all that is then asked for: what
        is no document and no navigation by its ``Sec-Fetch`` headers, and no HEAD. An empty header is None.
        """
        self = _new(cls)
        self._header = _nothing_asked
        self._way = _NO_WAY
        self._answer = self._reported = self.status = self._cookie = None
        self._sent = 0
        self._told = self._is_navigation = self._is_plain = False
        self._cookies, self._language, self._length = cookies, language, length
        self.asked, self.skip = OF_A_SCRIPT, _OF_A_SCRIPT
        if language is None:
            self.has_ours = cookies is not None and NAVIGATION_COOKIE in cookies
        else:
            self.has_ours = True
            action = action_in(language) or action
        path = short_path(path) if len(path) <= PATH_CHARS else redacted_path(path)
        self.context = begin(method, path, action, _BY_HEADER, redacted(query) if query else None)
        return self

    def hidden(self) -> Sequence[str]:
        """
        Lower-case names of request headers that the app does not get to see.
        """
        return CONDITIONS if self.skip is None else ()

    def without_ours(self) -> Sequence[Header]:
        """
        Headers of the request that hold a word of ours, by lower-case name, and what is left of each for the
        app; empty where nothing is.
        """
        return without_ours(self._cookies, self._language)

    def untouched(self, status: int) -> str:
        """
        The app's head is there, and gets no tag whatever it says (``skip``): the value of ``Server-Timing``,
        which is all that it gets. Of an action's write ``setting`` wants the headers too.
        """
        self.status = status
        context, sink = self.context, emission.sink
        if sink is not None:
            sink.mark((HEAD, 0.0, context))
        return _TIMED + context.rid + '"'

    def answer(self, status: int, headers: Sequence[Header]) -> Answer:
        """
        The app's head is there: what to send of it, and of the body behind it.
        """
        added = [*headers, (TIMING_HEADER, self.untouched(status))]
        if self.context.action:
            self.setting(headers)
        skip = self.skip
        try:
            if skip is not None:
                self._answer = Answer.untouched(status, added, skip)
                return self._answer
            if self._is_navigation and (self._cookie is not None or status in _REDIRECTS):
                added += self._navigation(status, headers)
            self._answer = Answer(self.asked, status, added, self._offer())
        except Exception as fault:  # noqa: BLE001 - the app's answer goes out without us
            note("Exchange.answer", fault)
            self._answer = Answer(_NOTHING, status, list(headers), Skip.FAULT)
        return self._answer

    def setting(self, headers: Sequence[Header]) -> None:
        """
        Keep the cookies that the answer to a write of an action sets.
        """
        context = self.context
        if context.action and context.method in _WRITES:
            context.cookies = [
                value
                for name, value in headers
                if len(name) == _COOKIE_CHARS and name.lower() == "set-cookie"
            ]

    def _offer(self) -> Offer | Skip:
        header = self._header
        peer, scheme, relay, root = self._way
        host, is_told = header("host") or "", False
        if not self._is_plain:
            is_told = any(map(header, visitors.FORWARDED))
            scheme = header("x-forwarded-proto") or scheme
        if is_told or not visitors.is_here(peer or "", host):
            refused = visitors.refused(peer, header)
            if refused is not None:
                return refused
        script_copy = script.copy.current()
        if script_copy is None:
            return Skip.NO_SCRIPT
        place = place_of_page(scheme, host, root)
        if place is None:
            return Skip.HOST
        origin, folder = place
        known = script_copy.version, script_copy.bridge, self.context.rid, relay, origin, folder
        return _offer(Offer, known)

    def _navigation(self, status: int, headers: Sequence[Header]) -> list[Header]:
        """
        The cookie that ties the request after a redirect to this one, and is taken back behind it.
        """
        if self.asked.is_prefetch:
            return []
        if status in _REDIRECTS and self._stays(headers):
            return [navigation(self.context.rid)]
        return [NAVIGATION_OVER] if self._cookie is not None else []

    def _stays(self, headers: Sequence[Header]) -> bool:
        """
        Whether a redirect leads to this app again.
        """
        location = next((value for name, value in headers if name.lower() == "location"), None)
        if location is None:
            return False
        place = urlsplit(location).netloc
        return not place or place.lower() == (self._header("host") or "").lower()

    def sent(self, count: int) -> None:
        """
        So many bytes of the app's body went out.
        """
        self._sent += count

    @property
    def has_sent(self) -> bool:
        """
        Whether anything of a body went out.
        """
        return self._sent > 0

    @harmless(None)
    def failed(self, error: BaseException) -> None:
        """
        The app raised, and nobody caught it; told once for each exception.
        """
        if error is self._reported:
            return
        self._reported = error
        from reticle.probe import exceptions  # noqa: PLC0415 - dear to load, and seldom needed

        exceptions.tell(error, handled="unhandled", within=self.context)

    @harmless(None)
    def routed(self, *, route: str | None = None, view: str | None = None, name: str | None = None) -> None:
        """
        The framework chose who answers; what is None stays as it was.
        """
        context = self.context
        context.route = route or context.route
        context.view = view or context.view
        context.view_name = name or context.view_name

    def finished(self, *, streamed: bool = False, working: bool = False, leaving: bool = True) -> None:
        """
        The last byte is out; again is no harm. With ``working`` the app goes on behind it, until ``done``.
        ``leaving`` as in ``RequestContext.end``.
        """
        try:
            answer = self._answer
            if answer is not None and (answer.skip is None or answer.skip in WORTH_TELLING):
                self._tell(answer)
            length = self._length
            self.context.end(
                self.status or 0,
                request_bytes=int(length) if length and length.isdecimal() else None,
                response_bytes=self._sent,
                streamed=streamed,
                working=working,
                leaving=leaving,
            )
            self._header = _nothing_asked
        except Exception as fault:  # noqa: BLE001 - as ``harmless``, at less cost
            note("Exchange.finished", fault)

    def whole(self, count: int, *, streamed: bool = False) -> None:
        """
        The body is out, with so many last bytes, and the app is done: as ``sent`` and ``finished``, at less
        cost.
        """
        try:
            answer = self._answer
            if answer is not None and (answer.skip is None or answer.skip in WORTH_TELLING):
                self._tell(answer)
            length = self._length
            asked_bytes = int(length) if length and length.isdecimal() else None
            self.context.whole(self.status or 0, asked_bytes, self._sent + count, streamed)
            self._header = _nothing_asked
        except Exception as fault:  # noqa: BLE001 - as ``harmless``, at less cost
            note("Exchange.whole", fault)

    @harmless(None)
    def done(self) -> None:
        """
        The app returned, some time after the last byte was out.
        """
        self.context.done()

    @harmless(None)
    def aborted(self, why: str) -> None:
        """
        The answer will never be whole: ``client`` went away, or the app raised (``exception``).
        """
        if self._answer is not None:
            self._tell(self._answer)
        self.context.abort(why, status=self.status, response_bytes=self._sent)
        self._header = _nothing_asked

    def _tell(self, answer: Answer) -> None:
        """
        Say what became of the tag, where it may interest somebody.
        """
        if self._told:
            return
        self._told = True
        sink = emission.sink
        if sink is None:
            return
        if answer.is_inserted:
            sink.note((INJECTION, time.monotonic(), self.context, _INSERTED, None, None))
        elif answer.skip in WORTH_TELLING:
            told = (Injection.SKIPPED, answer.skip, answer.directive)
            sink.note((INJECTION, time.monotonic(), self.context, *told))


def _nothing_asked(_name: str) -> None:
    """
    Stands for the request's headers once it is over: a request that holds us and is held by us would live on
    until the next collection of garbage, with all that the app keeps in it.
    """
