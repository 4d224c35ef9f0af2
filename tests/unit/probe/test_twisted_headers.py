"""
Headers are read from Twisted's own table as they would be by asking for each.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from twisted.web.http_headers import Headers

from reticle.probe.exchange import SELDOM, USUAL
from reticle.probe.twisted_headers import asked_in, lookup_in, set_head, set_timing

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
    header, slow = asked_in(request), lookup_in(request)
    assert {name: header(name) for name in (*USUAL, *SELDOM)} == {
        name: slow(name) for name in (*USUAL, *SELDOM)
    }
    assert header("cookie") == "a=1; b=2"
    assert header("accept") == "text/html, */*"
    assert header("x-real-ip") == "10.0.0.1"
    assert header("content-length") is None


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


def test_a_head_is_changed_in_what_differs() -> None:
    """
    Headers that we did not touch stay as they are, one by one.
    """
    headers = Headers({"Vary": ["a", "b"], "ETag": ["1"], "Content-Length": ["5"]})
    before = [("Vary", "a"), ("Vary", "b"), ("ETag", "1"), ("Content-Length", "5")]
    after = [("Vary", "a"), ("Vary", "b"), ("Content-Length", "9"), ("Cache-Control", "no-store")]
    set_head(asking(headers), before, after)
    assert {name: list(values) for name, values in headers.getAllRawHeaders()} == {
        b"Vary": [b"a", b"b"],
        b"Content-Length": [b"9"],
        b"Cache-Control": [b"no-store"],
    }
