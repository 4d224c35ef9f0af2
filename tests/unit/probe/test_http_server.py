"""
The probe in a class of ``http.server``.
"""

from __future__ import annotations

import io
import types
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any, cast

import pytest

from reticle.probe import calls, http_server, probing
from reticle.testing.kept_facts import KeptFacts, keeping_facts


class _Switched:
    is_on = True


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Iterator[KeptFacts]:
    """
    The probe is on, and facts stay here.
    """
    monkeypatch.setattr(probing, "start", lambda *_, **__: _Switched())
    with keeping_facts() as sink:
        yield sink
    http_server.patches.remove()


def _handler() -> type[BaseHTTPRequestHandler]:
    class Shop(BaseHTTPRequestHandler):
        def log_message(self, *args: object) -> None:
            pass

        def do_POST(self) -> None:
            if self.path.startswith("/broken"):
                raise ValueError("no such product")
            self.send_response(201)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"ok")

    return Shop


def _answer(kind: type[BaseHTTPRequestHandler], request: bytes) -> bytes:
    handler = cast("Any", kind.__new__(kind))
    handler.rfile, handler.wfile = io.BytesIO(request), io.BytesIO()
    handler.client_address, handler.server, handler.close_connection = ("127.0.0.1", 1), None, True
    handler.handle_one_request()
    answer: bytes = handler.wfile.getvalue()
    return answer


def _post(path: str) -> bytes:
    return f"POST {path} HTTP/1.1\r\nHost: shop.test\r\nContent-Length: 0\r\n\r\n".encode()


def test_a_request_is_told_and_named_to_its_page(kept: KeptFacts) -> None:
    """
    The page learns which request of the server its own was, and the daemon which method answered it.
    """
    kind = _handler()
    http_server.install(kind)
    http_server.install(kind)
    answer = _answer(kind, _post("/orders?token=s3cret"))
    told = [(name, fields) for name, fields in kept.facts if name.startswith("request.")]
    assert [name for name, _ in told] == ["request.started", "request.handled"]
    started, handled = told[0][1], told[1][1]
    assert answer.count(f'Server-Timing: reticle;desc="{started["rid"]}"'.encode()) == 1
    assert answer.endswith(b"\r\n\r\nok")
    assert (handled["method"], handled["path"], handled["status"]) == ("POST", "/orders", 201)
    assert handled["view"].rpartition(":")[0] == __file__
    assert "s3cret" not in str(told)


@pytest.mark.usefixtures("kept")
def test_the_cookies_of_a_write_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Of one that an action of the page asked for; what else is asked for sets what it likes.
    """
    seen: list[Any] = []

    def tell(*told: Any) -> None:
        seen.append(told[4])

    monkeypatch.setattr(calls, "tell", tell)
    monkeypatch.setattr(calls, "follow", lambda *_: types.SimpleNamespace(found={}))

    class Shop(_handler()):  # type: ignore[misc]
        def do_POST(self) -> None:
            self.send_response(200)
            self.send_header("Set-Cookie", "user=vera; Path=/")
            self.end_headers()

    http_server.install(Shop)
    acted = b"Content-Language: x-reticle-s1.a1\r\n\r\n"
    _answer(Shop, _post("/orders")[:-2] + acted)
    _answer(Shop, _post("/orders"))
    assert [list(cookies) for cookies in seen] == [["user=vera; Path=/"], []]


def test_an_exception_is_told_and_goes_on(kept: KeptFacts) -> None:
    """
    The server sees what the app raised, and so does the daemon.
    """
    kind = _handler()
    http_server.install(kind)
    with pytest.raises(ValueError, match="no such product"):
        _answer(kind, _post("/broken"))
    kinds = [name for name, _ in kept.facts if name != "calls"]
    assert kinds == ["request.started", "exception", "request.aborted"]


def test_a_head_that_cannot_be_read_is_no_request(kept: KeptFacts) -> None:
    """
    The server answers it itself.
    """
    kind = _handler()
    http_server.install(kind)
    assert b"400" in _answer(kind, b"NONSENSE\r\n\r\n").split(b"\r\n")[0] or not kept.facts
    assert kept.facts == []


@pytest.mark.parametrize(
    ("sent", "seen"),
    [
        ("x-reticle-s1.a1", None),
        ("de, x-reticle-s1.a1", "de"),
        ("en", "en"),
        (None, None),
    ],
)
def test_an_app_sees_no_word_of_ours(kept: KeptFacts, sent: str | None, seen: str | None) -> None:
    """
    The language that a page says it writes in is the app's; the action that we name there is not.
    """
    said: list[tuple[str | None, str | None]] = []

    class Shop(_handler()):  # type: ignore[misc]
        def do_POST(self) -> None:
            said.append((self.headers.get("Content-Language"), self.headers.get("Cookie")))
            super().do_POST()

    http_server.install(Shop)
    ours = f"Content-Language: {sent}\r\nCookie: a=b; __reticle_nav={'0' * 32}\r\n\r\n".encode()
    _answer(Shop, _post("/orders")[:-2] + (ours if sent else b"\r\n"))
    assert said == [(seen, "a=b" if sent else None)]
    begun = next(fields for name, fields in kept.facts if name == "request.started")
    assert begun.get("action") == ("s1.a1" if sent and "x-reticle-" in sent else None)


def test_without_the_switch_nothing_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    An app that nobody asked to be watched stays as it is.
    """
    monkeypatch.delenv("RETICLE_PROBE", raising=False)
    kind = _handler()
    before = dict(vars(kind))
    http_server.install(kind)
    assert dict(vars(kind)) == before
