"""
The headers of requests and answers of twisted.web.

To ask Twisted itself for each header would cost about as much as all else that the probe does for a request,
so the table that it keeps them in is looked at where it is as known.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from twisted.internet.interfaces import ISSLTransport
from twisted.web.http import HTTPChannel, datetimeToString
from twisted.web.http_headers import Headers

from reticle.probe.exchange import SELDOM, SELDOM_OF_A_PAGE, USUAL
from reticle.probe.insertion.candidates import Header, Lookup
from reticle.probe.insertion.headers import CONDITIONS, TIMING_HEADER
from reticle.probe.our_marks import is_navigation
from reticle.probe.words import NAVIGATION_COOKIE


class _Names(dict[str, bytes]):
    """
    Names of headers in bytes; grows by the few dozen that the probe asks for.
    """

    def __missing__(self, name: str) -> bytes:
        key = self[name] = name.encode("latin-1")
        return key


_NAMES: Final = _Names()


def _as_kept(name: str) -> bytes:
    """
    A name as Twisted writes it, but for the few of which it makes an exception.
    """
    return b"-".join(part.capitalize() for part in name.encode("ascii").split(b"-"))


_KEPT: Final = {name: _as_kept(name) for name in CONDITIONS}
_ASKED: Final = {_as_kept(name): name for name in (*USUAL, *SELDOM)}
_ASKED_NAMES: Final = frozenset(_ASKED)
_SELDOM: Final = frozenset(SELDOM_OF_A_PAGE)
_TIMING: Final = _as_kept(TIMING_HEADER)
_NAVIGATION: Final = NAVIGATION_COOKIE.encode("ascii")
_IS_KNOWN: Final = _TIMING in getattr(Headers({TIMING_HEADER.lower(): [""]}), "_rawHeaders", ())
"""Whether this Twisted keeps them so."""


def _table(headers: Any) -> dict[bytes, list[bytes]] | None:
    """
    The table itself; None where they are kept in another way.
    """
    if _IS_KNOWN and type(headers) is Headers:
        return headers._rawHeaders  # noqa: SLF001 - see above
    return None


def lookup_in(request: Any) -> Lookup:
    """
    A request's headers by their lower-case names; only those that are asked for are decoded.
    """
    # now, because a proxy in the app names another host in the same headers
    kept = {name.lower(): values for name, values in request.requestHeaders.getAllRawHeaders()}

    def header(name: str) -> str | None:
        values = kept.get(_NAMES[name])
        return (_joined(name, values) or None) if values else None

    return header


def asked_in(request: Any) -> tuple[Lookup, bool]:
    """
    Those that an exchange asks for. Of most it asks in vain: to find in one look which are there, and to let
    these be looked up by a function of C's, costs a fifth of a call of ours for each. With it, whether there
    is none of those that few requests have.
    """
    headers = request.requestHeaders
    if type(headers) is not Headers or not _IS_KNOWN:
        return lookup_in(request), False
    kept = headers._rawHeaders  # noqa: SLF001 - see above
    found: dict[str, str] = {}
    for key in _ASKED_NAMES.intersection(kept):
        values = kept[key]
        text = values[0].decode("latin-1") if len(values) == 1 else _joined(_ASKED[key], values)
        if text:
            found[_ASKED[key]] = text
    return found.get, _SELDOM.isdisjoint(found)


def _joined(name: str, values: Sequence[bytes]) -> str:
    if len(values) == 1:
        return values[0].decode("latin-1")
    return (b"; " if name == "cookie" else b", ").join(values).decode("latin-1")


def set_timing(request: Any, value: str) -> None:
    """
    Name the request in the head of its answer.
    """
    headers = request.responseHeaders
    if type(headers) is Headers and _IS_KNOWN and _TIMING not in (kept := headers._rawHeaders):  # noqa: SLF001 - see above
        kept[_TIMING] = [value.encode()]
    else:
        headers.addRawHeader(_TIMING, value.encode())


def cookies_of(request: Any) -> list[Header]:
    """
    Those that an answer sets. What Twisted keeps apart it writes over those of the head.
    """
    given = request.cookies or request.responseHeaders.getRawHeaders(b"set-cookie") or ()
    return [("set-cookie", value.decode("latin-1")) for value in given]


def ask_for_a_document(request: Any, hidden: Sequence[str]) -> None:
    """
    Let the app make a whole, plain answer: it does not get to see these, nor that one may be compressed.
    """
    headers = request.requestHeaders
    kept = _table(headers)
    if kept is None:
        for name in hidden:
            headers.removeHeader(name)
        headers.setRawHeaders("accept-encoding", ["identity"])
        return
    for name in hidden:
        kept.pop(_KEPT[name], None)
    kept[b"Accept-Encoding"] = [b"identity"]


def take_ours(request: Any, lefts: Sequence[Header]) -> None:
    """
    Take from the request our own words, which the app must not see, and leave of these headers what is left.
    """
    headers = request.requestHeaders
    for name, left in lefts:
        headers.removeHeader(name)  # an empty list would stay, and break whoever asks for all headers
        if left:
            headers.addRawHeader(name, left)
        if name == "cookie":
            request.received_cookies.pop(_NAVIGATION, None)


def is_secure(request: Any) -> bool:
    """
    Whether the request came by https. To ask Twisted itself is as dear as half a page: it looks for an
    adapter of the transport.
    """
    channel = getattr(request, "channel", None)
    if type(channel) is HTTPChannel and request._forceSSL == 0:  # noqa: SLF001 - as ``setHost`` left it
        return bool(ISSLTransport.providedBy(channel.transport))
    return bool(request.isSecure())


def head_of(request: Any) -> list[Header]:
    """
    The answer's headers; of one that is no document only those that are looked at.
    """
    headers = request.responseHeaders
    kept = _table(headers)
    if kept is None:
        kept = dict(headers.getAllRawHeaders())
    kinds, places = (kept.get(name) or kept.get(name.lower()) for name in (b"Content-Type", b"Location"))
    if not kinds or b"html" not in kinds[-1].lower():
        kept = {b"Content-Type": kinds or [], b"Location": places or []}
    return [
        (name.decode("latin-1"), value.decode("latin-1")) for name, values in kept.items() for value in values
    ]


def complete_head(request: Any) -> None:
    """
    Put into the head now what Twisted would add with the first byte that it gets.
    """
    headers = request.responseHeaders
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


def add_to_head(request: Any, added: Sequence[Header]) -> None:
    """
    Put these behind what the app set.
    """
    for name, value in added:
        request.responseHeaders.addRawHeader(name.encode("latin-1"), value.encode("latin-1"))


def add_to_cookies(request: Any, headers: Sequence[Header]) -> None:
    """
    Put our own cookie among those that the app gave to Twisted, which writes these in the place of all that
    the head has.
    """
    request.cookies += [
        value.encode("latin-1") for name, value in headers if name == "Set-Cookie" and is_navigation(value)
    ]


def set_head(request: Any, before: Sequence[Header], after: Sequence[Header]) -> None:
    """
    Put a head in the place of the app's, which was all of ``before``.
    """
    headers = request.responseHeaders
    told: dict[bytes, list[bytes]] = {}
    for name, value in after:
        told.setdefault(name.encode("latin-1"), []).append(value.encode("latin-1"))
    kept = _table(headers)
    if kept is not None:
        kept.clear()
        kept.update(told)
        return
    for name, _ in before:
        headers.removeHeader(name.encode("latin-1"))
    for key, values in told.items():
        headers.setRawHeaders(key, values)
