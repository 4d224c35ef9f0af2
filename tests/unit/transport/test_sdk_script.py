"""
How the page script is served.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Serve = Callable[..., Any]

ETAG = '"' + "ab" * 32 + '"'


def test_the_script_and_its_headers(serve: Serve) -> None:
    """
    A page gets the script as JavaScript, never from a cache, also when it isolates itself.
    """
    response = serve().ask("GET", "/sdk.js", "Referer: http://localhost:8000/").response()
    assert (response.status, response.body) == (200, b"/* the page script */")
    assert {name: response.headers[name] for name in response.headers if name not in ("date", "server")} == {
        "content-type": "text/javascript; charset=utf-8",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "cross-origin-resource-policy": "cross-origin",
        "etag": ETAG,
        "content-length": "21",
    }


def test_a_known_script_is_not_sent_again(serve: Serve) -> None:
    """
    A tool that has this very script gets 304.
    """
    served = serve()
    known = served.ask("GET", "/sdk.js", f"If-None-Match: {ETAG}").response()
    assert (known.status, known.body) == (304, b"")
    assert served.ask("GET", "/sdk.js", 'If-None-Match: "other"').response().status == 200


def test_a_foreign_page_does_not_get_the_script(serve: Serve) -> None:
    """
    A page from elsewhere is refused by its Referer.
    """
    response = serve().ask("GET", "/sdk.js", "Referer: https://evil.example/").response()
    assert response.status == 403


def test_the_script_is_there_while_the_daemon_starts(serve: Serve) -> None:
    """
    Pages load early; the script does not wait for the store.
    """
    assert serve(serving=False).ask("GET", "/sdk.js").response().status == 200
