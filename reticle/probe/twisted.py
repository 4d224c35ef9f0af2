"""
The probe around a tree of Twisted resources: ``Site(wrap_resource(root))``.

A request that comes by is marked, by one attribute; the methods of its class by which it is answered are
wrapped, and do something only where the mark is. The site and the app's resources stay as they are. Functions
put on the request object itself would cost every access to any of its attributes: Python keeps up to 30 of
them in a table that the objects of a class share, and Twisted's requests have 27.
"""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from twisted.python.failure import Failure
from twisted.web.resource import IResource
from twisted.web.server import Request
from zope.interface import implementer

from reticle.probe import emission, probing, script
from reticle.probe.emission import running
from reticle.probe.exchange import Exchange
from reticle.probe.harmless import note
from reticle.probe.insertion.candidates import DOCUMENTS, Header, is_passed_on
from reticle.probe.insertion.rewriting import Answer
from reticle.probe.patching import Patches
from reticle.probe.twisted_headers import (
    add_to_cookies,
    add_to_head,
    ask_for_a_document,
    asked_in,
    complete_head,
    cookies_of,
    head_of,
    is_secure,
    lookup_in,
    set_head,
    set_timing,
    take_ours,
)
from reticle.probe.twisted_relay import OwnPaths
from reticle.probe.views import name_of, place_of
from reticle.probe.words import ACTION_HEADER, LANGUAGE_HEADER

Router = Callable[[Any, Any], "tuple[str | None, Any, str | None] | None"]
"""For a resource and a request: route, what answers, its name; None for what is not the framework's."""

_MARK: Final = "_reticle_exchange"
_ACTION: Final = ACTION_HEADER.lower()


def wrap_resource(resource: Any, *, on: bool | None = None, router: Router | None = None) -> Any:
    """
    The same resource with the probe around it, or itself where the probe stays off.

    Args:
        resource: The root of a site, or of a part of it.
        on: True asks for the probe, as ``RETICLE_PROBE=1`` does: Twisted has no debug switch.
        router: How a framework in the tree names routes.
    """
    probe = probing.start(f"twisted {importlib.metadata.version('twisted')}", on=on)
    if not probe.is_on:
        return resource
    script.copy.watch()
    if Request not in _wrapped:
        _wrap(Request)  # now, so that whoever puts functions on a request calls ours
    return ProbedResource(resource, router)


@implementer(IResource)
class ProbedResource:
    """
    Args:
        resource: What answers.
        router: As for ``wrap_resource``.
    """

    isLeaf = False

    def __init__(self, resource: Any, router: Router | None = None) -> None:
        self._resource = resource
        self._router = router

    def getChildWithDefault(self, name: bytes, request: Any) -> Any:
        """
        Twisted looks for the next part of the path.
        """
        if emission.sink is not None and getattr(request, _MARK, None) is None:
            if name == b"__reticle__":
                return OwnPaths(lookup_in(request), peer_of(request))
            try:
                _see(request, self._router)
            except Exception as fault:  # noqa: BLE001 - the app goes on without us
                note("ProbedResource", fault)
        if self._resource.isLeaf:
            # as the traversal would have left it, had the leaf been the root
            request.postpath.insert(0, request.prepath.pop())
            return self._resource
        return self._resource.getChildWithDefault(name, request)

    def putChild(self, path: bytes, child: Any) -> None:
        """
        As of the resource inside.
        """
        self._resource.putChild(path, child)

    def render(self, request: Any) -> Any:
        """
        As of the resource inside.
        """
        return self._resource.render(request)


class Seen(Exchange):
    """
    The exchange of a request of twisted.web, with how far its answer is: ``head`` as the app made it and what
    is ``given`` for it, of one that may get the tag; whether the final head ``is_told`` to Twisted.
    """

    __slots__ = ("given", "head", "is_told", "router", "writes")

    given: Answer | None
    head: Sequence[Header]
    is_told: bool
    router: Router | None
    writes: int


def peer_of(request: Any) -> str | None:
    """
    The address of who asks.
    """
    return getattr(request.getClientAddress(), "host", None)


def exchange_of(request: Any) -> Seen:
    """
    The exchange of a request of twisted.web.
    """
    uri, query, prepath = request.uri, "", request.prepath
    if b"?" in uri:
        uri, _, asked = uri.partition(b"?")
        query = asked.decode("latin-1")
    method, path = request.method.decode("latin-1"), uri.decode("utf-8", "replace")
    header, is_plain = asked_in(request)
    kind = header("sec-fetch-dest")
    may_be_shown = kind is None or kind in DOCUMENTS or is_passed_on(kind, header)
    if not may_be_shown and method != "HEAD" and header("sec-fetch-mode") != "navigate":
        seen = Seen.of_a_script(
            method,
            path,
            query,
            header("cookie"),
            header(LANGUAGE_HEADER),
            header(_ACTION),
            header("content-length"),
        )
    else:
        seen = Seen(
            method,
            path,
            query,
            header,
            peer_of(request),
            # only of a document somebody asks
            "https" if may_be_shown and is_secure(request) else "http",
            "ws",
            f"/{b'/'.join(prepath[:-1]).decode('latin-1')}" if len(prepath) > 1 else "",
            is_plain,
        )
    seen.given, seen.is_told, seen.writes = None, False, 0
    return seen


def exchange_in(request: Any) -> Exchange | None:
    """
    The exchange that a request belongs to; for callbacks, which do not carry the context.
    """
    found: Exchange | None = getattr(request, _MARK, None)
    return found


def _see(request: Any, router: Router | None) -> None:
    """
    Take the request in hand.
    """
    own = type(request)
    if own not in _wrapped:
        _wrap(own)
    request._reticle_exchange = seen = exchange_of(request)  # noqa: SLF001 - a mark of ours on their object
    seen.router = router
    if not hasattr(own, "connectionLost"):  # what only plays a request
        request.notifyFinish().addErrback(lambda _: seen.aborted("client"))
    if seen.skip is None:
        ask_for_a_document(request, seen.hidden())
    if seen.has_ours:
        take_ours(request, seen.without_ours())


def _began(request: Any, seen: Seen) -> Answer:
    """
    The head of an answer that may get the tag is there.
    """
    complete_head(request)
    seen.head = head = head_of(request)
    seen.given = answer = seen.answer(request.code, head)
    if seen.context.action:
        seen.setting(cookies_of(request))  # which are not in the head yet
    return answer


def _pass(request: Any, seen: Seen) -> None:
    """
    The head of an answer is there that gets no tag whatever it says.
    """
    seen.is_told = True
    set_timing(request, seen.untouched(request.code))
    if seen.context.action:
        seen.setting(cookies_of(request))


def _tell_head(request: Any, seen: Seen, answer: Answer) -> None:
    """
    The head is final: change in Twisted's what we changed.
    """
    seen.is_told = True
    if answer.is_changed:
        set_head(request, seen.head, answer.headers)
    else:
        add_to_head(request, answer.headers[len(seen.head) :])
    if request.cookies:
        add_to_cookies(request, answer.headers)


def _name_route(request: Any, seen: Seen, resource: Any) -> None:
    """
    A resource was found.
    """
    if seen.router is not None:
        found = seen.router(resource, request)
        if found is not None:
            route, view, name = found
            if view is not None:
                seen.routed(route=route, view=place_of(view), name=name)
            return
    method = request.method.decode("latin-1")
    function = getattr(resource, f"render_{method}", None) or getattr(resource, "render", None)
    path = b"/".join(request.prepath).decode("utf-8", "replace")
    seen.routed(route=f"/{path}", view=place_of(function), name=name_of(type(resource)))


# What stands in front of the methods ``theirs`` of a class of requests, ``own``. A class below it has some of
# its own, which may call these.


def _writing(own: Any, theirs: Any) -> Any:
    """
    The app's next bytes.
    """

    def write(self: Any, data: bytes) -> None:
        seen = self._reticle_exchange
        if seen is None or type(self) is not own:
            theirs(self, data)
            return
        seen.writes += 1
        if not seen.is_told:
            if seen.skip is None:
                answer = seen.given or _began(self, seen)
                data = answer.feed(data)
                if answer.is_held:
                    return
                _tell_head(self, seen, answer)
            else:
                _pass(self, seen)
        seen._sent += len(data)  # noqa: SLF001 - its own; as ``sent``, at less cost
        theirs(self, data)

    return write


def _finishing(own: Any, theirs: Any) -> Any:
    """
    The app is done.
    """

    def finish(self: Any) -> None:
        seen = self._reticle_exchange
        if seen is None or type(self) is not own:
            theirs(self)
            return
        writes = seen.writes
        if not seen.is_told:
            if seen.skip is None:
                answer = seen.given or _began(self, seen)
                held = answer.end()
                _tell_head(self, seen, answer)
                if held:
                    own.write(self, held)  # what the app put on the object had these bytes already
            else:
                _pass(self, seen)
        if writes > 1:
            seen.finished(streamed=True)
        else:
            seen.whole(0)
        theirs(self)

    return finish


def _rendering(own: Any, theirs: Any) -> Any:
    """
    What a resource does at once, and in coroutines that it starts, belongs to the request.
    """

    def render(self: Any, resource: Any) -> Any:
        seen = self._reticle_exchange
        if seen is None or type(self) is not own:
            return theirs(self, resource)
        try:
            _name_route(self, seen, resource)
        except Exception as fault:  # noqa: BLE001 - the app goes on without us
            note("twisted", fault)
        context = seen.context
        try:
            if running.get() is context:
                return theirs(self, resource)
            with context.entered():  # after a while, as a resource may be looked for by a Deferred
                return theirs(self, resource)
        finally:
            context.leave()

    return render


def _failing(own: Any, theirs: Any) -> Any:
    """
    Something raised; Twisted answers with a 500.
    """

    def processingFailed(self: Any, reason: Failure) -> Any:
        seen = self._reticle_exchange
        if seen is None or type(self) is not own:
            return theirs(self, reason)
        seen.failed(reason.value)
        if seen.given is not None and seen.given.holds_bytes:
            # without us they would be out by now, and what comes now stands behind them
            held = seen.given.give_up()
            _tell_head(self, seen, seen.given)
            own.write(self, held)  # as in ``finish``
        try:
            return theirs(self, reason)
        finally:
            seen.context.leave()

    return processingFailed


def _losing(own: Any, theirs: Any) -> Any:
    """
    The client went away before the end.
    """

    def connectionLost(self: Any, reason: Failure) -> Any:
        seen = self._reticle_exchange
        if seen is not None and type(self) is own:
            seen.aborted("client")
        return theirs(self, reason)

    return connectionLost


_OURS: Final = {
    "write": _writing, "finish": _finishing, "render": _rendering, "processingFailed": _failing,
    "connectionLost": _losing,
}  # fmt: skip

_wrapped: Final[set[type]] = set()
_patches: Final = Patches()


def _wrap(own: type) -> None:
    """
    Wrap the methods of a class of requests.
    """
    setattr(own, _MARK, None)
    for name, make in _OURS.items():
        _patches.replace(own, name, partial(make, own))
    _wrapped.add(own)
