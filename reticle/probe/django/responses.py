"""
A Django response on its way out: its headers, and its body in one piece or as a stream.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

from reticle.probe.exchange import Exchange
from reticle.probe.insertion.candidates import Header
from reticle.probe.insertion.headers import with_tag
from reticle.probe.insertion.rewriting import Answer


def see_out(exchange: Exchange, response: Any) -> Any:
    """
    Put the tag in, tell the request's end, and return the same response.
    """
    before: list[Header] = [(name, value) for name, value in response.items()]
    answer = exchange.answer(response.status_code, before)
    if response.streaming:
        _stream_out(exchange, answer, response, before)
        return response
    if answer.is_held:
        whole = answer.feed(response.content) + answer.end()
        if answer.is_inserted:
            response.content = whole
    if answer.is_changed:
        _set_headers(response, before, answer.headers)
    else:
        _add_headers(response, answer.headers[len(before) :])
    exchange.sent(len(response.content))
    exchange.finished()
    return response


def _stream_out(exchange: Exchange, answer: Answer, response: Any, before: list[Header]) -> None:
    """
    Django sends the head before it asks for a byte, so the head is that of an answer with a tag in any case.
    """
    # a file goes to the server's own sender as it is, unless it is a document
    is_file = getattr(response, "file_to_stream", None) is not None and not answer.is_held
    headers = with_tag(answer.headers, None) if answer.is_held else answer.headers
    _set_headers(response, before, headers)
    stream = _Stream(exchange, answer)
    response._resource_closers.append(stream.close)  # noqa: SLF001 - the only way to hear of the end
    if is_file:
        stream.is_over = True
        exchange.finished(streamed=True)
    elif response.is_async:
        response.streaming_content = stream.follow_async(response.streaming_content)
    else:
        response.streaming_content = stream.follow(response.streaming_content)
    exchange.context.leave()


class _Stream:
    """
    The body of one streaming response.
    """

    def __init__(self, exchange: Exchange, answer: Answer) -> None:
        self._exchange = exchange
        self._answer = answer
        self.is_over = False

    def follow(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        """
        The app's chunks, with the tag in the first of them.
        """
        try:
            while True:
                with self._exchange.context.entered():
                    chunk = next(chunks, None)
                if chunk is None:
                    break
                if out := self._passed(chunk):
                    yield out
        except Exception as error:
            if held := self._answer.give_up():
                yield held
            self._raised(error)
            raise
        if out := self._last():
            yield out

    async def follow_async(self, chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        """
        As ``follow``.
        """
        try:
            while True:
                with self._exchange.context.entered():
                    chunk = await anext(chunks, None)
                if chunk is None:
                    break
                if out := self._passed(chunk):
                    yield out
        except Exception as error:
            if held := self._answer.give_up():
                yield held
            self._raised(error)
            raise
        if out := self._last():
            yield out

    def close(self) -> None:
        """
        The server is done; before the end that is the client's doing.
        """
        if not self.is_over:
            self.is_over = True
            self._exchange.aborted("client")

    def _passed(self, chunk: bytes) -> bytes:
        out = self._answer.feed(chunk)
        self._exchange.sent(len(out))
        return out

    def _last(self) -> bytes:
        out = self._answer.end()
        self._exchange.sent(len(out))
        self.is_over = True
        self._exchange.finished(streamed=True)
        return out

    def _raised(self, error: Exception) -> None:
        self.is_over = True
        self._exchange.failed(error)
        self._exchange.aborted("exception")


def _add_headers(response: Any, added: list[Header]) -> None:
    """
    Put what is ours behind the response's own headers.
    """
    for name, value in added:
        if name == "Set-Cookie":
            response.cookies.load(value)
        else:
            before = response.get(name)
            response[name] = value if before is None else f"{before}, {value}"


def _set_headers(response: Any, before: list[Header], after: list[Header]) -> None:
    """
    Make the response's headers ``after``; Django keeps one value a name, and cookies apart.
    """
    kept = {name.lower() for name, _ in after}
    for name, _ in before:
        if name.lower() not in kept:
            del response[name]
    timings = [value for name, value in after if name.lower() == "server-timing"]
    for name, value in after:
        if name.lower() == "set-cookie":
            response.cookies.load(value)
        elif name.lower() == "server-timing":
            response[name] = ", ".join(timings)
        else:
            response[name] = value
