"""
The WSGI adapter keeps what PEP 3333 promises to server and app.
"""

from __future__ import annotations

import contextlib
import gc
import io
import sys
import threading
import weakref
from collections.abc import Iterable, Iterator
from typing import Any
from wsgiref.util import FileWrapper

import pytest

from reticle.probe import context, probing
from reticle.probe.limits import PATH_CHARS
from reticle.probe.wsgi import WSGIMiddleware
from reticle.testing.kept_facts import KeptFacts
from reticle.testing.probed_apps import DOCUMENT

HTML = [("Content-Type", "text/html; charset=utf-8")]
TAGGED = b"<script src="


def late() -> None:
    """
    Fail, as a view does.
    """
    raise ValueError("late")


class Server:
    """
    A WSGI server for one request: what it was told, and what was written to it.
    """

    def __init__(self, **environ: Any) -> None:
        self.environ = {
            "REQUEST_METHOD": "GET", "PATH_INFO": "/", "REMOTE_ADDR": "127.0.0.1", "wsgi.url_scheme": "http",
            **{f"HTTP_{name.upper().replace('-', '_')}": value for name, value in DOCUMENT.items()},
            **environ,
        }  # fmt: skip
        self.heads: list[tuple[str, list[tuple[str, str]]]] = []
        self.written: list[bytes] = []
        self.is_sent = False

    def start_response(self, status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
        """
        As PEP 3333 says.
        """
        if self.is_sent:
            assert exc_info is not None, "the head is out"
            raise exc_info[1]
        assert not self.heads or exc_info is not None, "the head is set"
        self.heads.append((status, headers))
        return self.write

    def write(self, data: bytes) -> None:
        """
        A chunk goes out, and the head with the first.
        """
        assert self.heads
        self.is_sent = self.is_sent or bool(data)
        self.written.append(data)

    def run(self, app: Any) -> Any:
        """
        One request; returns the app's iterable, consumed and closed.
        """
        body = WSGIMiddleware(app)(self.environ, self.start_response)
        try:
            for chunk in body:
                self.write(chunk)
        finally:
            if hasattr(body, "close"):
                body.close()
        return body


class Body(Iterator[bytes]):
    """
    An iterable of an app that counts how often it is closed.
    """

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks = iter(chunks)
        self.closed = 0

    def __next__(self) -> bytes:
        """
        The next chunk.
        """
        return next(self._chunks)

    def close(self) -> None:
        """
        Once.
        """
        self.closed += 1


@pytest.mark.usefixtures("facts")
def test_the_iterable_is_closed_once() -> None:
    """
    A view's files and connections are let go exactly as without the probe.
    """
    body = Body([b"<!doctype html><head>", b"<title>"])

    def app(environ: Any, start_response: Any) -> Any:
        del environ
        start_response("200 OK", HTML)
        return body

    server = Server()
    server.run(app)
    assert body.closed == 1
    assert TAGGED in b"".join(server.written)


def test_a_client_that_leaves_is_told(facts: KeptFacts) -> None:
    """
    The server closes before the end; the app hears of it, and the request is no answered one.
    """
    body = Body([b"<p>"] * 3)

    def app(environ: Any, start_response: Any) -> Any:
        del environ
        start_response("200 OK", [("Content-Type", "text/plain")])
        return body

    server = Server()
    answer = iter(WSGIMiddleware(app)(server.environ, server.start_response))
    next(answer)
    answer.close()  # type: ignore[attr-defined]  # as a server does
    assert body.closed == 1
    assert facts.of("request.aborted")[0]["why"] == "client"


@pytest.mark.usefixtures("facts")
def test_write_works() -> None:
    """
    Old apps write instead of returning.
    """

    def app(environ: Any, start_response: Any) -> Any:
        del environ
        write = start_response("200 OK", HTML)
        write(b"<!doctype html>")
        write(b"<head><title>")
        return [b"</title>"]

    server = Server()
    server.run(app)
    text = b"".join(server.written)
    assert text.startswith(b"<!doctype html><head><script src=")
    assert text.endswith(b"<title></title>")


@pytest.mark.usefixtures("facts")
def test_start_response_may_come_with_the_first_chunk() -> None:
    """
    A generator begins when it is asked.
    """

    def app(environ: Any, start_response: Any) -> Any:
        del environ
        start_response("200 OK", HTML)
        yield b""
        yield b"<!doctype html><head><title>"

    server = Server()
    server.run(app)
    assert TAGGED in b"".join(server.written)
    assert len(server.heads) == 1


@pytest.mark.usefixtures("facts")
def test_a_file_reaches_the_servers_own_sender() -> None:
    """
    Sending files by the kernel stays as fast as it was.
    """
    wrappers: list[FileWrapper] = []

    def app(environ: Any, start_response: Any) -> Any:
        start_response("200 OK", [("Content-Type", "image/png")])
        wrappers.append(environ["wsgi.file_wrapper"](io.BytesIO(b"x")))
        return wrappers[0]

    server = Server(**{"wsgi.file_wrapper": FileWrapper})
    body: object = WSGIMiddleware(app)(server.environ, server.start_response)
    assert body is wrappers[0]


@pytest.mark.parametrize("fails", [False, True])
@pytest.mark.usefixtures("facts")
def test_the_servers_wrapper_stands_there_again_afterwards(*, fails: bool) -> None:
    """
    A server such as gunicorn asks of every answer whether it is one of its own files.
    """

    def app(_environ: Any, start_response: Any) -> Any:
        if fails:
            raise ValueError("of the app")
        start_response("200 OK", HTML)
        return [b"<p>"]

    server = Server(**{"wsgi.file_wrapper": FileWrapper})
    with contextlib.suppress(ValueError):
        WSGIMiddleware(app)(server.environ, server.start_response)
    assert server.environ["wsgi.file_wrapper"] is FileWrapper


@pytest.mark.usefixtures("facts")
def test_a_document_in_a_file_is_read() -> None:
    """
    Pages that lie on the disk are pages.
    """

    def app(environ: Any, start_response: Any) -> Any:
        start_response("200 OK", HTML)
        return environ["wsgi.file_wrapper"](io.BytesIO(b"<!doctype html><head><title>"))

    server = Server(**{"wsgi.file_wrapper": FileWrapper})
    server.run(app)
    assert TAGGED in b"".join(server.written)


@pytest.mark.usefixtures("facts")
def test_a_second_head_replaces_the_first_before_bytes_went_out() -> None:
    """
    An error page takes the place of a page that was never begun.
    """

    def app(environ: Any, start_response: Any) -> Any:
        del environ
        start_response("200 OK", HTML)
        try:
            late()
        except ValueError:
            start_response("500 Oh", HTML, sys.exc_info())
        return [b"<!doctype html><head><title>oh"]

    server = Server()
    server.run(app)
    assert [status for status, _ in server.heads] == ["500 Oh"]
    assert TAGGED in b"".join(server.written)


@pytest.mark.usefixtures("facts")
def test_a_second_head_behind_bytes_raises_what_it_is_given() -> None:
    """
    As without the probe, although what the app sent was still held.
    """

    def app(environ: Any, start_response: Any) -> Any:
        del environ
        start_response("200 OK", HTML)
        yield b"<!doctype html>"
        try:
            late()
        except ValueError:
            start_response("500 Oh", HTML, sys.exc_info())
        yield b"never"

    server = Server()
    with pytest.raises(ValueError, match="late"):
        server.run(app)
    assert server.written == [b"<!doctype html>"]


def test_an_exception_goes_on_unchanged(facts: KeptFacts) -> None:
    """
    The server's own page of a fault is as it was, and the fault is told with its place.
    """
    fault = ZeroDivisionError("no")

    def app(*_: Any) -> Any:
        raise fault

    with pytest.raises(ZeroDivisionError) as caught:
        Server().run(app)
    assert caught.value is fault
    (told,) = facts.of("exception")
    assert (told["type"], told["handled"], told["frames"][0]["function"]) == (
        "ZeroDivisionError",
        "unhandled",
        "app",
    )


@pytest.mark.usefixtures("facts")
def test_the_request_is_known_while_the_app_runs_and_not_behind_it() -> None:
    """
    What a generator does belongs to its request; what the server does between belongs to none.
    """
    inside: list[object] = []

    def app(environ: Any, start_response: Any) -> Any:
        del environ
        start_response("200 OK", [("Content-Type", "text/plain")])
        for _ in range(2):
            running = context.current()
            inside.append(running and running.path)
            yield b"x"

    server = Server()
    body = WSGIMiddleware(app)(server.environ, server.start_response)
    between = [context.current() for _ in body]
    assert inside == ["/", "/"]
    assert between == [None, None]


def test_threads_do_not_mix(facts: KeptFacts) -> None:
    """
    Two requests at one time are two.
    """
    both = threading.Barrier(2)
    inside: dict[str, object] = {}

    def app(environ: Any, start_response: Any) -> Any:
        start_response("200 OK", [("Content-Type", "text/plain")])
        both.wait(10)
        running = context.current()
        inside[environ["PATH_INFO"]] = running and running.path
        return [b"x"]

    threads = [threading.Thread(target=Server(PATH_INFO=path).run, args=(app,)) for path in ("/a", "/b")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert inside == {"/a": "/a", "/b": "/b"}
    assert len({fact["rid"] for fact in facts.of("request.handled")}) == 2


def test_a_generator_that_nobody_closes_is_over_at_its_end(facts: KeptFacts) -> None:
    """
    Some servers forget to close; the request is told all the same.
    """

    def app(environ: Any, start_response: Any) -> Any:
        del environ
        start_response("200 OK", HTML)
        yield b"<!doctype html><head><title>"

    server = Server()
    list(WSGIMiddleware(app)(server.environ, server.start_response))
    (handled,) = facts.of("request.handled")
    assert handled["streamed"] is True
    assert handled["view"] == f"{__file__}:{app.__code__.co_firstlineno}"


def test_a_path_is_told_without_the_token_in_it_and_cut(facts: KeptFacts) -> None:
    """
    The link of a mail that lets its reader choose a password is no log's business, nor the app's 60 KB path.
    """
    seen: list[str] = []

    def app(environ: Any, start_response: Any) -> Any:
        seen.append(environ["PATH_INFO"])
        start_response("200 OK", HTML)
        return [b""]

    paths = ["/reset/abc123def456ghi789jkl012", "/" + "a" * 60_000, "/orders/17"]
    for path in paths:
        server = Server(PATH_INFO=path)
        list(WSGIMiddleware(app)(server.environ, server.start_response))
    told = [fact["path"] for fact in facts.of("request.handled")]
    assert (told[0], len(told[1]), told[2]) == ("/reset/[REDACTED]", PATH_CHARS, "/orders/17")
    assert seen == paths


def test_what_fails_when_the_answer_is_closed_is_told(facts: KeptFacts) -> None:
    """
    An app that commits as its answer is closed fails behind a page that looks fine.
    """

    class Body:
        def __iter__(self) -> Any:
            return iter([b"x"])

        def close(self) -> None:
            raise LookupError

    def app(environ: Any, start_response: Any) -> Any:
        del environ
        start_response("200 OK", HTML)
        return Body()

    server = Server()
    body: Any = WSGIMiddleware(app)(server.environ, server.start_response)
    assert b"".join(body).endswith(b"x")
    with pytest.raises(LookupError):
        body.close()
    assert [kind for kind in facts.kinds if kind != "injection"] == [
        "request.started", "exception", "request.handled",
    ]  # fmt: skip


@pytest.mark.parametrize("on", [None, True])
def test_the_line_that_puts_it_around_asks_for_it(
    on: bool | None,  # noqa: FBT001 - a table
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """
    Nothing else has to be called; whether it may be on is decided in one place.
    """
    asked: list[object] = []

    def start(framework: str, *, on: bool | None) -> Any:
        asked.append((framework, on))
        return probing.Probe(None, "not asked for")

    monkeypatch.setattr(probing, "start", start)
    WSGIMiddleware(lambda *_: [], on=on)
    assert asked == [("wsgi", on)]


def test_a_request_that_is_over_is_let_go_at_once(facts: KeptFacts) -> None:
    """
    What the app keeps in a request's environment (a file, a connection) ends with it, as it does without us.
    """

    class Kept:
        pass

    def app(environ: Any, start_response: Any) -> list[bytes]:
        environ["app.kept"] = Kept()
        ended.append(weakref.ref(environ["app.kept"]))
        start_response("200 OK", HTML)
        return [b"<!doctype html><head></head>"]

    ended: list[weakref.ref[Kept]] = []
    gc.disable()
    try:
        server = Server()
        b"".join(WSGIMiddleware(app)(server.environ, server.start_response))
        del server
        assert ended[0]() is None
    finally:
        gc.enable()
    assert facts.kinds[-1] in {"request.handled", "injection"}
