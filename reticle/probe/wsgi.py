"""
The probe around any WSGI application: ``app = WSGIMiddleware(app)`` (PEP 3333).

What the server gets to see of the app is kept: ``close`` is called once, ``write`` and ``exc_info`` work,
files for ``wsgi.file_wrapper`` pass as they are, and an exception goes on to the server unchanged.
"""

from __future__ import annotations

from collections.abc import Iterable

from reticle.probe import emission, own_paths, probing, script
from reticle.probe.exchange import SELDOM, SELDOM_OF_A_PAGE, Exchange
from reticle.probe.harmless import note
from reticle.probe.insertion.candidates import DOCUMENTS, Lookup
from reticle.probe.insertion.headers import CONDITIONS
from reticle.probe.insertion.tag import PREFIX
from reticle.probe.own_paths import Served
from reticle.probe.relay_poll import BODY_BYTES, relay
from reticle.probe.views import place_of_app
from reticle.probe.words import ACTION_HEADER
from reticle.probe.wsgi_call import Application, Environ, PassedCall, StartResponse, WSGICall


class _Keys(dict[str, str]):
    """
    Keys of headers in a request's environment; grows by the few dozen names that the probe asks for.
    """

    def __missing__(self, name: str) -> str:
        key = self[name] = f"HTTP_{name.upper().replace('-', '_')}"
        return key


_KEYS = _Keys({"content-type": "CONTENT_TYPE", "content-length": "CONTENT_LENGTH"})


_CONDITIONS = tuple(_KEYS[name] for name in CONDITIONS)
_SELDOM = frozenset(_KEYS[name] for name in SELDOM)
_SELDOM_OF_A_PAGE = frozenset(_KEYS[name] for name in SELDOM_OF_A_PAGE)
_ACTION = ACTION_HEADER.lower()
_KEY = "reticle.exchange"


class WSGIMiddleware:
    """
    Args:
        app: The application.
        on: True asks for the probe, as ``RETICLE_PROBE=1`` does: WSGI has no debug switch.
    """

    def __init__(self, app: Application, *, on: bool | None = None) -> None:
        self._app = app
        self._place = place_of_app(app)
        if emission.sink is None and probing.start("wsgi", on=on).is_on:
            script.copy.watch()

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """
        One request.
        """
        if emission.sink is None or _KEY in environ:  # around us stands another of ours
            return self._app(environ, start_response)
        if environ.get("PATH_INFO", "").startswith(PREFIX):
            return _serve(environ, start_response, environ["PATH_INFO"][len(PREFIX) :])
        try:
            environ[_KEY] = exchange = exchange_of(environ)
        except Exception as fault:  # noqa: BLE001 - the app goes on without us
            note("WSGIMiddleware", fault)
            return self._app(environ, start_response)
        exchange.context.view = self._place  # until a framework tells better
        if exchange.skip is not None:
            if exchange.has_ours:
                adapt(environ, exchange)
            return PassedCall(exchange, start_response).run(self._app, environ)
        adapt(environ, exchange)
        return WSGICall(exchange, start_response).run(self._app, environ)


def lookup_in(environ: Environ) -> Lookup:
    """
    A request's headers by their lower-case names.
    """
    get = environ.get

    def header(name: str) -> str | None:
        value = get(_KEYS[name])
        return value if value and isinstance(value, str) else None

    return header


def asked_in(environ: Environ) -> tuple[Lookup, bool]:
    """
    Those that an exchange asks for. Of nearly every page they are six: to look these up by a function of C's
    costs a fifth of a call of ours for each. With it, whether there is none of those that few requests have.
    """
    get = environ.get
    destination = get("HTTP_SEC_FETCH_DEST")
    if destination and destination not in DOCUMENTS:
        return lookup_in(environ), False  # a HEAD, or a service worker
    if not environ.keys().isdisjoint(_SELDOM_OF_A_PAGE if destination else _SELDOM):
        return lookup_in(environ), False
    return {
        "sec-fetch-dest": destination or None,  # an empty one is none, and so is an empty ``Accept``
        "cookie": get("HTTP_COOKIE"),
        "accept": get("HTTP_ACCEPT") or None,
        "host": get("HTTP_HOST"),
        _ACTION: get("HTTP_X_RETICLE_ACTION"),
        "content-length": get("CONTENT_LENGTH"),
    }.get, True


def exchange_of(environ: Environ) -> Exchange:
    """
    The exchange of a WSGI request.
    """
    get = environ.get
    root = get("SCRIPT_NAME", "")
    path = root + get("PATH_INFO", "")
    if not path.isascii():
        path = _text(path)
    method = get("REQUEST_METHOD", "GET")
    destination = get("HTTP_SEC_FETCH_DEST")
    if (
        destination
        and destination not in DOCUMENTS
        and method != "HEAD"
        and get("HTTP_SEC_FETCH_MODE") != "navigate"  # else a service worker asks for a page
    ):
        return Exchange.of_a_script(
            method,
            path,
            get("QUERY_STRING", ""),
            get("HTTP_COOKIE") or None,
            get("HTTP_CONTENT_LANGUAGE") or None,
            get("HTTP_X_RETICLE_ACTION") or None,
            get("CONTENT_LENGTH"),
        )
    header, is_plain = asked_in(environ)
    return Exchange(
        method,
        path,
        get("QUERY_STRING", ""),
        header,
        get("REMOTE_ADDR"),
        get("wsgi.url_scheme", "http"),
        "poll",
        root,
        is_plain,
    )


def exchange_in(environ: Environ) -> Exchange | None:
    """
    The exchange that a request's environment belongs to.
    """
    exchange = environ.get(_KEY)
    return exchange if isinstance(exchange, Exchange) else None


def adapt(environ: Environ, exchange: Exchange) -> None:
    """
    Take from the request what the app must not see.
    """
    if exchange.skip is None:
        for key in _CONDITIONS:
            environ.pop(key, None)
        environ["HTTP_ACCEPT_ENCODING"] = "identity"
    if exchange.has_ours:
        for name, left in exchange.without_ours():
            key = _KEYS[name]
            environ.pop(key, None)
            if left:
                environ[key] = left


def _text(path: str) -> str:
    """
    WSGI's path is UTF-8 in Latin-1's clothes.
    """
    return path.encode("latin-1", "replace").decode("utf-8", "replace")


def _serve(environ: Environ, start_response: StartResponse, name: str) -> Iterable[bytes]:
    served = served_of(environ, name)
    start_response(f"{served.status} {own_paths.REASONS[served.status]}", list(served.headers))
    return [served.body]


def served_of(environ: Environ, name: str) -> Served:
    """
    The answer to a request for something of ours.
    """
    method = environ.get("REQUEST_METHOD", "GET")
    header, peer = lookup_in(environ), environ.get("REMOTE_ADDR")
    if name != own_paths.POLL:
        return own_paths.serve(method, name, header, peer)
    length = header("content-length") or ""
    body = environ["wsgi.input"].read(min(int(length), BODY_BYTES + 1)) if length.isdecimal() else b""
    return relay.answer(method, header, peer, body, can_wait=bool(environ.get("wsgi.multithread")))
