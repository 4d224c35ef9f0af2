"""
The probe around a tree of Twisted resources: ``Site(wrap_resource(root))``.

Every request that comes by is seen through by functions put on that one request object; its class, the site
and the app's resources stay as they are.
"""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable
from typing import Any

from twisted.python.failure import Failure
from twisted.web.http import datetimeToString
from twisted.web.resource import IResource
from zope.interface import implementer

from reticle.probe import emission, probing, script
from reticle.probe.exchange import Exchange
from reticle.probe.harmless import harmless, note
from reticle.probe.insertion.candidates import Header, Lookup
from reticle.probe.insertion.rewriting import Answer
from reticle.probe.twisted_relay import OwnPaths
from reticle.probe.views import name_of, place_of

Router = Callable[[Any, Any], "tuple[str | None, Any, str | None] | None"]
"""For a resource and a request: route, what answers, its name; None for what is not the framework's."""

_MARK = "_reticle_exchange"


class _Names(dict[str, bytes]):
    """
    Names of headers as Twisted keeps them; grows by the few dozen that the probe asks for.
    """

    def __missing__(self, name: str) -> bytes:
        key = self[name] = name.encode("latin-1")
        return key


_NAMES = _Names()


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
                exchange = exchange_of(request)
            except Exception as fault:  # noqa: BLE001 - the app goes on without us
                note("ProbedResource", fault)
            else:
                _Seeing(request, exchange, self._router).begin()
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


def lookup_in(request: Any) -> Lookup:
    """
    A request's headers by their lower-case names; only those that are asked for are decoded.
    """
    # now, because a proxy in the app names another host in the same headers
    kept = {name.lower(): values for name, values in request.requestHeaders.getAllRawHeaders()}

    def header(name: str) -> str | None:
        values = kept.get(_NAMES[name])
        if not values:
            return None
        if len(values) == 1:
            return values[0].decode("latin-1") or None
        mark = b"; " if name == "cookie" else b", "
        return mark.join(values).decode("latin-1") or None

    return header


def peer_of(request: Any) -> str | None:
    """
    The address of who asks.
    """
    return getattr(request.getClientAddress(), "host", None)


def exchange_of(request: Any) -> Exchange:
    """
    The exchange of a request of twisted.web.
    """
    path, _, query = request.uri.partition(b"?")
    return Exchange(
        request.method.decode("latin-1"),
        path.decode("utf-8", "replace"),
        query.decode("latin-1"),
        lookup_in(request),
        peer_of(request),
        scheme="https" if request.isSecure() else "http",
        relay="ws",
        root=f"/{b'/'.join(request.prepath[:-1]).decode('latin-1')}" if len(request.prepath) > 1 else "",
    )


def exchange_in(request: Any) -> Exchange | None:
    """
    The exchange that a request belongs to; for callbacks, which do not carry the context.
    """
    found: Exchange | None = getattr(request, _MARK, None)
    return found


def _head_of(request: Any) -> list[Header]:
    """
    The answer's headers; of one that is no document only those that are looked at.
    """
    kept = request.responseHeaders
    kinds = kept.getRawHeaders(b"content-type")
    listed = (
        [(b"content-type", kinds or ()), (b"location", kept.getRawHeaders(b"location") or ())]
        if not kinds or b"html" not in kinds[-1].lower()
        else kept.getAllRawHeaders()
    )
    return [(name.decode("latin-1"), value.decode("latin-1")) for name, values in listed for value in values]


def _by_name(headers: list[Header]) -> dict[str, list[str]]:
    told: dict[str, list[str]] = {}
    for name, value in headers:
        told.setdefault(name.lower(), []).append(value)
    return told


class _Seeing:
    """
    What stands on one request object in front of its own methods.
    """

    def __init__(self, request: Any, exchange: Exchange, router: Router | None) -> None:
        self._request = request
        self._exchange = exchange
        self._router = router
        self._answer: Answer | None = None
        self._write, self._finish = request.write, request.finish
        self._render, self._failed = request.render, request.processingFailed
        self._lost = getattr(request, "connectionLost", None)
        self._had: list[Header] = []
        self._writes = 0
        self._told = False
        self._is_rendered = self._is_finished = False

    def begin(self) -> None:
        """
        Take the request in hand.
        """
        request = self._request
        setattr(request, _MARK, self._exchange)
        request.write, request.finish = self.write, self.finish
        request.render, request.processingFailed = self.render, self.processing_failed
        headers = request.requestHeaders
        for name in self._exchange.hidden():
            headers.removeHeader(name)
        if self._exchange.is_unconditional:
            headers.setRawHeaders("accept-encoding", ["identity"])
        for name, left in self._exchange.without_ours():
            headers.removeHeader(name)  # an empty list would stay, and break whoever asks for all headers
            if left:
                headers.addRawHeader(name, left)
            if name == "cookie":
                request.received_cookies.pop(b"__reticle_nav", None)
        if self._lost is None:
            request.notifyFinish().addErrback(self._gone)  # what only plays a request
        else:
            request.connectionLost = self.connection_lost

    def render(self, resource: Any) -> Any:
        """
        A resource was found; what it does at once, and in coroutines it starts, belongs to the request.
        """
        self._name_route(resource)
        try:
            if emission.running.get() is self._exchange.context:
                found = self._render(resource)
            else:  # after a while, as a resource may be looked for by a Deferred
                with self._exchange.context.entered():
                    found = self._render(resource)
            self._is_rendered = True
            if self._is_finished:
                self._let_go()
            return found
        finally:
            self._exchange.context.leave()

    def processing_failed(self, reason: Failure) -> Any:
        """
        Something raised; Twisted answers with a 500.
        """
        self._exchange.failed(reason.value)
        if self._answer is not None and self._answer.holds_bytes:
            # without us they would be out by now, and what comes now stands behind them
            held = self._answer.give_up()
            self._set_headers(self._answer)
            self._exchange.sent(len(held))
            self._write(held)
        try:
            return self._failed(reason)
        finally:
            self._exchange.context.leave()

    def write(self, data: bytes) -> None:
        """
        The app's next bytes.
        """
        answer = self._answer or self._began()
        self._writes += 1
        out = answer.feed(data)
        if answer.is_held:
            return
        if not self._told:
            self._set_headers(answer)
        self._exchange.sent(len(out))
        self._write(out)

    def finish(self) -> None:
        """
        The app is done.
        """
        answer = self._answer or self._began()
        out = answer.end()
        if not self._told:
            self._set_headers(answer)
        if out:
            self._exchange.sent(len(out))
            self._write(out)
        self._exchange.finished(streamed=self._writes > 1)
        self._finish()
        self._is_finished = True
        if self._is_rendered:
            self._let_go()

    def _let_go(self) -> None:
        """
        Where nothing more can come we stand aside: it holds us and we hold it, until garbage is collected.
        """
        for name in ("write", "finish", "render", "processingFailed", "connectionLost"):
            self._request.__dict__.pop(name, None)

    def _began(self) -> Answer:
        request = self._request
        self._complete_head()
        self._had = headers = _head_of(request)
        self._answer = answer = self._exchange.answer(request.code, headers)
        return answer

    def _complete_head(self) -> None:
        """
        Put into the head now what Twisted would add with the first byte that it gets.
        """
        request, headers = self._request, self._request.responseHeaders
        if request.lastModified is not None:
            if not headers.hasHeader(b"last-modified"):
                headers.setRawHeaders(b"last-modified", [datetimeToString(request.lastModified)])
            request.lastModified = None
        if request.etag is not None:
            headers.setRawHeaders(b"etag", [request.etag])
            request.etag = None
        if request.code in {204, 304} or headers.hasHeader(b"content-type"):
            return
        if request.defaultContentType is not None and headers.getRawHeaders(b"content-length") != [b"0"]:
            headers.setRawHeaders(b"content-type", [request.defaultContentType])

    def _set_headers(self, answer: Answer) -> None:
        self._told = True
        headers = self._request.responseHeaders
        if not answer.is_changed:  # what we add stands behind what the app set
            for name, value in answer.headers[len(self._had) :]:
                headers.addRawHeader(name.encode("latin-1"), value.encode("latin-1"))
            return
        before, after = _by_name(self._had), _by_name(answer.headers)
        for name in before:
            if name not in after:
                headers.removeHeader(name.encode("latin-1"))
        for name, values in after.items():
            if before.get(name) != values:
                headers.setRawHeaders(name.encode("latin-1"), [value.encode("latin-1") for value in values])

    def connection_lost(self, reason: Failure) -> Any:
        """
        The client went away before the end.
        """
        self._exchange.aborted("client")
        assert self._lost is not None
        return self._lost(reason)

    def _gone(self, reason: Failure) -> None:
        del reason
        self._exchange.aborted("client")

    @harmless(None)
    def _name_route(self, resource: Any) -> None:
        if self._router is not None:
            found = self._router(resource, self._request)
            if found is not None:
                route, view, name = found
                if view is not None:
                    self._exchange.routed(route=route, view=place_of(view), name=name)
                return
        method = self._request.method.decode("latin-1")
        function = getattr(resource, f"render_{method}", None) or getattr(resource, "render", None)
        path = b"/".join(self._request.prepath).decode("utf-8", "replace")
        self._exchange.routed(route=f"/{path}", view=place_of(function), name=name_of(type(resource)))
