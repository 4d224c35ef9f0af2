"""
One call of a WSGI application: what it starts, writes and returns, on its way to the server.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, Final, Self

from reticle.probe.context import left
from reticle.probe.emission import running
from reticle.probe.exchange import Exchange
from reticle.probe.insertion.headers import TIMING_HEADER
from reticle.probe.insertion.rewriting import Answer

Environ = dict[str, Any]
Write = Callable[[bytes], object]
StartResponse = Callable[..., Write]
Application = Callable[[Environ, StartResponse], Iterable[bytes]]


_FILE: Final = "wsgi.file_wrapper"
_WHOLE: Final = list, tuple


@lru_cache(maxsize=64)
def _code(status: str) -> int:
    """
    Of an app's status line, of which it has few.
    """
    code = status[:3]
    return int(code) if code.isdecimal() else 0


class PassedCall:
    """
    One call of the application whose answer is only seen and counted: nothing is held, and the head goes to
    the server as the app starts it, with one header more.
    """

    __slots__ = ("_exchange", "_file", "_is_started", "_start_response", "_wrapper", "_write")

    def __init__(self, exchange: Exchange, start_response: StartResponse) -> None:
        self._exchange = exchange
        self._start_response = start_response
        self._write: Write | None = None
        self._is_started = False
        self._wrapper: Any = None
        self._file: Any = None

    def run(self, app: Application, environ: Environ) -> Iterable[bytes]:
        """
        Call the application and take its answer in hand.
        """
        wrapper = environ.get(_FILE)
        is_replaced = wrapper is not None and not isinstance(wrapper, type)
        if is_replaced:  # what a function makes is known by nothing else
            self._wrapper, environ[_FILE] = wrapper, self._wrap
        try:
            body = app(environ, self._start)
        except BaseException as error:
            self.raised(error)
            raise
        finally:
            if is_replaced:
                environ[_FILE] = wrapper
        if self._is_started:
            if type(body) is list or isinstance(body, _WHOLE):  # the first is asked at half the cost
                return self._whole(body)
            # gunicorn and wsgiref ask in this way too
            is_file = body is self._file if is_replaced else wrapper is not None and isinstance(body, wrapper)
            if is_file and self._may_send(body):
                self._exchange.finished(streamed=True)
                return body  # the server's own
        # where start_response was not called yet, it is when the first chunk is made
        self._exchange.context.leave()
        return _Body(self, self._exchange, body)

    def _may_send(self, file: Any) -> bool:
        """
        Whether the server's own sender gets a file.
        """
        del file
        return True

    def _wrap(self, *args: Any) -> Iterable[bytes]:
        """
        Notice what the app gives to the server's own sender, which must get it as it is.
        """
        self._file = file = self._wrapper(*args)
        return file  # type: ignore[no-any-return]  # the server's

    def _whole(self, body: list[bytes] | tuple[bytes, ...]) -> Iterable[bytes]:
        """
        A list stays one, because servers make a length of it.
        """
        self._exchange.whole(len(body[0]) if len(body) == 1 else sum(map(len, body)))
        return body

    def _start(self, status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Write:
        """
        A second time needs ``exc_info``, and that no bytes are out; the server says so where it is otherwise.
        """
        try:
            exchange = self._exchange
            more: tuple[Any, ...] = () if exc_info is None else (exc_info,)
            if self._is_started and (exc_info is None or exchange.has_sent):
                return self._start_response(status, headers, *more)
            self._is_started = True
            if exchange.context.action:
                exchange.setting(headers)
            added = [*headers, (TIMING_HEADER, exchange.untouched(_code(status)))]
            if more:
                self._write = self._start_response(status, added, *more)
            else:
                self._write = self._start_response(status, added)
            return self._written
        finally:
            exc_info = None  # no circle of references through the frame

    def _written(self, data: bytes) -> None:
        """
        What the app calls ``write``.
        """
        self._exchange.sent(len(data))
        assert self._write is not None
        self._write(data)

    @property
    def is_held(self) -> bool:
        """
        Whether the server has not got the head yet, so that not even an empty chunk may go to it.
        """
        return False

    def pass_on(self, data: bytes) -> bytes:
        """
        What to send now for the next bytes of the app.
        """
        self._exchange.sent(len(data))
        return data

    def last(self) -> bytes:
        """
        What is still held at the end.
        """
        return b""

    def let_go(self) -> bytes:
        """
        Bytes of the app that waited and that the server would have had by now, had we not held them.
        """
        return b""

    def raised(self, error: BaseException) -> None:
        """
        The app raised; the caller raises it on.
        """
        if isinstance(error, Exception):
            self._exchange.failed(error)
        self._exchange.aborted("exception")


class WSGICall(PassedCall):
    """
    One whose answer may get the tag: its head waits until that is known.
    """

    __slots__ = ("_answer", "_exc_info", "_status")

    def __init__(self, exchange: Exchange, start_response: StartResponse) -> None:
        # as ``PassedCall``, at the cost of one call less
        self._exchange = exchange
        self._start_response = start_response
        self._write: Write | None = None
        self._is_started = False
        self._wrapper: Any = None
        self._file: Any = None
        self._answer: Answer | None = None
        self._status = ""
        self._exc_info: Any = None

    def _may_send(self, file: Any) -> bool:
        """
        Every one but a document, which is read here.
        """
        answer = self._answer
        assert answer is not None
        if answer.is_held and not hasattr(file, "__iter__"):
            answer.give_up()
        if answer.is_held:
            return False
        self._begin()
        return True

    def _whole(self, body: list[bytes] | tuple[bytes, ...]) -> Iterable[bytes]:
        answer = self._answer
        assert answer is not None
        if not answer.is_held:
            return super()._whole(body)
        if len(body) == 1:  # as nearly always
            out = answer.feed(body[0])
            if answer.is_held:
                out += answer.end()
            self._begin()
            self._exchange.whole(len(out))
            return [out] if out else []
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
            self._is_started = True
            self._status, self._exc_info, self._write = status, exc_info, None
            self._answer = self._exchange.answer(_code(status), headers)
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


class _Body(Iterator[bytes]):
    """
    The app's iterable, seen through. Whenever code of the app's runs, it belongs to the request.
    """

    def __init__(self, call: PassedCall, exchange: Exchange, body: Iterable[bytes]) -> None:
        self._call = call
        self._exchange = exchange
        self._body = body
        self._chunks: Iterator[bytes] | None = None
        self._is_over = False
        self._is_whole = False
        self._error: BaseException | None = None

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> bytes:
        if self._is_over:
            return self._after()
        call = self._call
        token = running.set(self._exchange.context)
        try:
            chunks = self._chunks
            if chunks is None:
                chunks = self._chunks = iter(self._body)
            while (chunk := next(chunks, None)) is not None:
                out = call.pass_on(chunk)
                if out or not (chunk or call.is_held):
                    return out
        except BaseException as error:
            self._is_over = True
            held = call.let_go()
            call.raised(error)
            if not held:
                raise
            self._error = error
            return held
        finally:
            left(token)
        self._is_over = True
        out = call.last()
        self._is_whole = True
        if out:
            return out
        raise StopIteration

    def _after(self) -> bytes:
        """
        What a server gets that asks behind the end: what the app raised before it, or nothing.
        """
        error, self._error = self._error, None
        raise StopIteration if error is None else error

    def close(self) -> None:
        """
        The server is done, at the end or before it; what the app does now may still fail.
        """
        try:
            close = getattr(self._body, "close", None)
            if close is not None:
                token = running.set(self._exchange.context)
                try:
                    close()
                finally:
                    left(token)
        except Exception as error:
            self._exchange.failed(error)
            raise
        finally:
            if self._is_whole:
                self._is_whole = False
                self._exchange.whole(0, streamed=True)
            if not self._is_over:
                self._is_over = True
                if self._exchange.asked.is_head:
                    self._exchange.finished()
                else:
                    self._exchange.aborted("client")

    def __del__(self) -> None:
        if self._is_whole:  # a server that does not close what it was given
            self._is_whole = False
            self._exchange.finished(streamed=True, leaving=False)
