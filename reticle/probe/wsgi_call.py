"""
One call of a WSGI application: what it starts, writes and returns, on its way to the server.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Self

from reticle.probe.exchange import Exchange
from reticle.probe.insertion.rewriting import Answer

Environ = dict[str, Any]
Write = Callable[[bytes], object]
StartResponse = Callable[..., Write]
Application = Callable[[Environ, StartResponse], Iterable[bytes]]


class WSGICall:
    """
    One call of the application: what it starts, writes and returns.
    """

    __slots__ = (
        "_answer", "_environ", "_exc_info", "_exchange", "_file", "_start_response", "_status",
        "_wrapper", "_write",
    )  # fmt: skip

    def __init__(self, exchange: Exchange, environ: Environ, start_response: StartResponse) -> None:
        self._exchange = exchange
        self._environ = environ
        self._start_response = start_response
        self._answer: Answer | None = None
        self._status = ""
        self._exc_info: Any = None
        self._write: Write | None = None
        self._file: Any = None
        self._wrapper: Any = None

    def run(self, app: Application) -> Iterable[bytes]:
        """
        Call the application and take its answer in hand.
        """
        wrapper = self._wrapper = self._environ.get("wsgi.file_wrapper")
        if wrapper is not None:
            self._environ["wsgi.file_wrapper"] = self._wrap
        try:
            body = app(self._environ, self._start)
        except BaseException as error:
            self.raised(error)
            raise
        finally:
            if wrapper is not None:
                # gunicorn asks afterwards whether the body is an instance of what stands there
                self._environ["wsgi.file_wrapper"] = wrapper
        answer = self._answer
        if answer is not None and isinstance(body, (list, tuple)):
            return self._whole(answer, body)
        if answer is not None and body is self._file and self._may_send(answer):
            self._begin()
            self._exchange.finished(streamed=True)
            return body  # type: ignore[no-any-return]  # the server's own
        # where start_response was not called yet, it is when the first chunk is made
        self._exchange.context.leave()
        return _Body(self, self._exchange, body)

    def _may_send(self, answer: Answer) -> bool:
        """
        Whether the server's own sender gets a file: every one but a document, which is read here.
        """
        if answer.is_held and not hasattr(self._file, "__iter__"):
            answer.give_up()
        return not answer.is_held

    def _wrap(self, *args: Any) -> Iterable[bytes]:
        """
        Notice what the app gives to the server's own sender, which must get it as it is.
        """
        self._file = file = self._wrapper(*args)
        return file  # type: ignore[no-any-return]  # the server's

    def _whole(self, answer: Answer, body: Iterable[bytes]) -> Iterable[bytes]:
        """
        A list stays one, because servers make a length of it.
        """
        if not answer.is_held:
            self._exchange.sent(sum(map(len, body)))
            self._exchange.finished()
            return body
        chunks = [self.pass_on(chunk) for chunk in body]
        if answer.is_held:
            chunks.append(self.last())
        self._exchange.finished()
        return [chunk for chunk in chunks if chunk]

    def _start(self, status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Write:
        try:
            if exc_info is not None and self._answer is not None and self._is_begun():
                # bytes are out, so the server raises what it is given
                return self._start_response(status, headers, exc_info)
            if exc_info is None and self._answer is not None:
                # twice without exc_info is the app's fault, and the server's to say
                self._begin()
                return self._start_response(status, headers)
            self._status, self._exc_info, self._write = status, exc_info, None
            self._answer = self._exchange.answer(_number(status), headers)
            if not self._answer.is_held:
                self._begin()
            return self._written
        finally:
            exc_info = None  # no circle of references through the frame

    def _is_begun(self) -> bool:
        """
        Whether the app made bytes of a body, as without us the server would have sent them by now.
        """
        held = self.let_go()
        if held:
            self._begin()(held)
        return self._exchange.has_sent

    def _begin(self) -> Write:
        """
        Give the server the head, once.
        """
        if self._write is None:
            assert self._answer is not None
            exc_info, self._exc_info = self._exc_info, None
            more = (exc_info,) if exc_info is not None else ()
            self._write = self._start_response(self._status, self._answer.headers, *more)
        return self._write

    def _written(self, data: bytes) -> None:
        """
        What the app calls ``write``.
        """
        out = self.pass_on(data)
        if out or not data:
            self._begin()(out)

    def pass_on(self, data: bytes) -> bytes:
        """
        What to send now for the next bytes of the app.
        """
        answer = self._answer
        if answer is None:
            return data
        out = answer.feed(data)
        if not answer.is_held:
            self._begin()
        self._exchange.sent(len(out))
        return out

    @property
    def is_held(self) -> bool:
        """
        Whether the server has not got the head yet, so that not even an empty chunk may go to it.
        """
        return self._answer is not None and self._answer.is_held

    def last(self) -> bytes:
        """
        What is still held at the end.
        """
        answer = self._answer
        if answer is None:
            return b""
        out = answer.end()
        self._begin()
        self._exchange.sent(len(out))
        return out

    def let_go(self) -> bytes:
        """
        Bytes of the app that waited and that the server would have had by now, had we not held them.
        """
        answer = self._answer
        if answer is None or not answer.holds_bytes:
            return b""
        held = answer.give_up()
        self._begin()
        self._exchange.sent(len(held))
        return held

    def raised(self, error: BaseException) -> None:
        """
        The app raised; the caller raises it on.
        """
        if isinstance(error, Exception):
            self._exchange.failed(error)
        self._exchange.aborted("exception")


class _Body(Iterator[bytes]):
    """
    The app's iterable, seen through.
    """

    def __init__(self, call: WSGICall, exchange: Exchange, body: Iterable[bytes]) -> None:
        self._call = call
        self._exchange = exchange
        self._body = body
        self._chunks: Iterator[bytes] | None = None
        self._is_over = False
        self._is_whole = False
        self._error: BaseException | None = None
        self._entered = exchange.context.entered()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> bytes:
        if self._error is not None:
            error, self._error = self._error, None
            raise error
        if self._is_over:
            raise StopIteration
        with self._entered:
            while True:
                try:
                    if self._chunks is None:
                        self._chunks = iter(self._body)
                    chunk = next(self._chunks)
                except StopIteration:
                    self._is_over = True
                    break
                except BaseException as error:
                    self._is_over = True
                    held = self._call.let_go()
                    self._call.raised(error)
                    if not held:
                        raise
                    self._error = error
                    return held
                out = self._call.pass_on(chunk)
                if out or not (chunk or self._call.is_held):
                    return out
        out = self._call.last()
        self._is_whole = True
        if out:
            return out
        raise StopIteration

    def close(self) -> None:
        """
        The server is done, at the end or before it; what the app does now may still fail.
        """
        try:
            close = getattr(self._body, "close", None)
            if close is not None:
                with self._entered:
                    close()
        except Exception as error:
            self._exchange.failed(error)
            raise
        finally:
            self._finish()
            if not self._is_over:
                self._is_over = True
                if self._exchange.asked.is_head:
                    self._exchange.finished()
                else:
                    self._exchange.aborted("client")

    def _finish(self, *, leaving: bool = True) -> None:
        if self._is_whole:
            self._is_whole = False
            self._exchange.finished(streamed=True, leaving=leaving)

    def __del__(self) -> None:
        self._finish(leaving=False)  # a server that does not close what it was given


def _number(status: str) -> int:
    """
    The code in a status line; 0 where it has none.
    """
    return int(status[:3]) if status[:3].isdecimal() else 0
