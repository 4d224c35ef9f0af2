"""
Headers are read from Twisted's own table as they would be by asking for each.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from twisted.internet.interfaces import ISSLTransport
from twisted.internet.testing import StringTransport
from twisted.web.http import HTTPChannel
from twisted.web.http_headers import Headers
from twisted.web.server import Request
from zope.interface import directlyProvides

from reticle.probe.exchange import SELDOM, USUAL
from reticle.probe.insertion.headers import CONDITIONS
from reticle.probe.twisted_headers import (
    add_to_head,
    ask_for_a_document,
    asked_in,
    head_of,
    is_secure,
    lookup_in,
    set_head,
    set_timing,
)

GIVEN: Any = {
    "Host": ["localhost:8000"],
    "Cookie": ["a=1", "b=2"],
    "Accept": ["text/html", "*/*"],
    "Content-Length": [""],
    "x-REAL-ip": ["10.0.0.1"],
    "X-Reticle-Action": ["p1.a1"],
    "Content-Language": ["\xe9"],
}


class Own(Headers):
    """
    Keeps them in a way that we do not know.
    """


def asking(headers: Any) -> Any:
    """
    A request with these.
    """
    return SimpleNamespace(requestHeaders=headers, responseHeaders=headers)


@pytest.mark.parametrize("kind", [Headers, Own])
def test_every_header_that_is_asked_for(kind: Any) -> None:
    """
    Values of one name are joined as a browser's, an empty one is none, and what is not asked for is not read.
    """
    request = asking(kind(GIVEN))
    (header, is_plain), slow = asked_in(request), lookup_in(request)
    assert {name: header(name) for name in (*USUAL, *SELDOM)} == {
        name: slow(name) for name in (*USUAL, *SELDOM)
    }
    assert header("cookie") == "a=1; b=2"
    assert header("accept") == "text/html, */*"
    assert header("x-real-ip") == "10.0.0.1"
    assert header("content-length") is None
    assert not is_plain
    assert asked_in(asking(Headers({"Cookie": ["a=1"]})))[1]


@pytest.mark.parametrize("kind", [Headers, Own])
def test_an_apps_own_timing_stays(kind: Any) -> None:
    """
    The request's name stands beside what the app measured itself.
    """
    own, none = kind({"Server-Timing": ["db;dur=5"]}), kind()
    set_timing(asking(own), 'reticle;desc="1"')
    set_timing(asking(none), 'reticle;desc="1"')
    assert own.getRawHeaders("server-timing") == ["db;dur=5", 'reticle;desc="1"']
    assert none.getRawHeaders("server-timing") == ['reticle;desc="1"']


@pytest.mark.parametrize("kind", [Headers, Own])
def test_a_head_is_changed(kind: Any) -> None:
    """
    What was taken from it is gone, and the rest stands as it did.
    """
    headers = kind({"Vary": ["a", "b"], "ETag": ["1"], "Content-Length": ["5"]})
    request = asking(headers)
    before = [("Vary", "a"), ("Vary", "b"), ("ETag", "1"), ("Content-Length", "5")]
    after = [("Vary", "a"), ("Vary", "b"), ("Content-Length", "9")]
    set_head(request, before, after)
    add_to_head(request, [("Vary", "c")])
    assert {name: list(values) for name, values in headers.getAllRawHeaders()} == {
        b"Vary": [b"a", b"b", b"c"],
        b"Content-Length": [b"9"],
    }


@pytest.mark.parametrize("kind", [Headers, Own])
def test_what_a_document_is_asked_with(kind: Any) -> None:
    """
    The app makes a whole and plain one, and sees the rest.
    """
    headers = kind({"If-None-Match": ["1"], "Accept-Encoding": ["gzip"], "Accept": ["*/*"]})
    ask_for_a_document(asking(headers), CONDITIONS)
    assert {name: list(values) for name, values in headers.getAllRawHeaders()} == {
        b"Accept-Encoding": [b"identity"],
        b"Accept": [b"*/*"],
    }


@pytest.mark.parametrize("kind", [Headers, Own])
def test_only_a_documents_head_is_read_whole(kind: Any) -> None:
    """
    Of another answer its type and where it leads decide.
    """
    told = {"Content-Type": ["text/html"], "Vary": ["a"]}
    assert head_of(asking(kind(told))) == [("Content-Type", "text/html"), ("Vary", "a")]
    other = {"Location": ["/a"], "Vary": ["a"]}
    assert head_of(asking(kind(other))) == [("Location", "/a")]


@pytest.mark.parametrize(("forced", "tls"), [(0, 0), (0, 1), (1, 0)])
def test_a_secure_request(forced: int, tls: int) -> None:
    """
    The scheme is Twisted's own answer, by the transport or by what a proxy in the app said.
    """
    channel = HTTPChannel()
    channel.transport = StringTransport()
    if tls:
        directlyProvides(channel.transport, ISSLTransport)
    request = Request(channel, parsePOSTFormSubmission=False)
    request._forceSSL = forced
    assert is_secure(request) is request.isSecure() is bool(tls or forced)
