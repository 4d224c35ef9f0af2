"""
What is left of the probe while it is off: one look at an attribute.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import reticle.probe
from reticle.probe.asgi import ASGIMiddleware
from reticle.probe.wsgi import WSGIMiddleware

CALLS = 50_000
TIMES = 7


def measure_off() -> Iterator[tuple[str, float]]:
    """
    What is called, and how many microseconds more each call takes than without the probe.
    """
    environ: dict[str, Any] = {"PATH_INFO": "/", "REQUEST_METHOD": "GET"}

    def app(_environ: Any, _start: Any) -> list[bytes]:
        return []

    def start(*_: Any) -> Callable[[bytes], object]:
        return bytes

    wrapped = WSGIMiddleware(app)
    yield "WSGI middleware", more(lambda: wrapped(environ, start), lambda: app(environ, start))
    yield "ASGI middleware", asyncio.run(asgi())
    yield "a fact that nobody wants", more(lambda: reticle.probe.emit("log", level="WARNING"), lambda: None)


async def asgi() -> float:
    """
    The same for a coroutine.
    """
    scope: dict[str, Any] = {"type": "http", "path": "/", "method": "GET"}

    async def app(_scope: Any, _receive: Any, _send: Any) -> None:
        return

    async def nothing(*_: Any) -> Any:
        return None

    async def spent(call: Callable[..., Awaitable[None]]) -> float:
        start = time.perf_counter()
        for _ in range(CALLS):
            await call(scope, nothing, nothing)
        return time.perf_counter() - start

    wrapped = ASGIMiddleware(app)
    pairs = [(await spent(wrapped), await spent(app)) for _ in range(TIMES)]
    return per_call(pairs)


def more(one: Callable[[], object], other: Callable[[], object]) -> float:
    """
    How many microseconds a call of the first takes longer: the least of several runs of each.
    """

    def spent(call: Callable[[], object]) -> float:
        start = time.perf_counter()
        for _ in range(CALLS):
            call()
        return time.perf_counter() - start

    return per_call([(spent(one), spent(other)) for _ in range(TIMES)])


def per_call(pairs: list[tuple[float, float]]) -> float:
    """
    The least of each side, as a difference in microseconds per call.
    """
    return (min(one for one, _ in pairs) - min(other for _, other in pairs)) / CALLS * 1e6
