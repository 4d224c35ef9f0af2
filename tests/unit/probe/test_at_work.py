"""
Where a request stands that takes long.
"""

from __future__ import annotations

import asyncio
import threading
import time
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from reticle.probe import at_work, context
from reticle.probe.limits import AT_WORK_SECONDS
from reticle.testing.kept_facts import KeptFacts, keeping_facts

APP = """
def ship(wait):
    before = 1
    wait()


async def ship_later(event):
    await carrier(event)


async def carrier(event):
    await event.wait()
"""
ACTION = "page.a1"


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Iterator[KeptFacts]:
    """
    The probe is on; nothing is looked at but by the test.
    """
    monkeypatch.setattr(at_work, "_thread", threading.current_thread())
    with keeping_facts() as sink:
        yield sink
    at_work._open.clear()


@pytest.fixture
def app(tmp_path: Path) -> types.ModuleType:
    """
    A module of an app.
    """
    path = tmp_path / "cart.py"
    path.write_text(APP)
    module = types.ModuleType("cart")
    module.__file__ = str(path)
    exec(compile(APP, str(path), "exec"), module.__dict__)
    return module


def _told(kept: KeptFacts) -> list[Any]:
    return [fields["at"] for kind, fields in kept.facts if kind == "calls" and "at" in fields]


def _late() -> None:
    at_work.look(time.monotonic() + AT_WORK_SECONDS)


def test_the_line_that_a_thread_stands_on_is_told_once(kept: KeptFacts, app: types.ModuleType) -> None:
    """
    The app's own, not that of the library which waits; and not of what is quick.
    """
    entered, go = threading.Event(), threading.Event()

    def wait() -> None:
        entered.set()
        go.wait()

    def serve(wait: Callable[[], object]) -> None:
        request = context.begin("PUT", "/api/cart", ACTION, "header")
        app.ship(wait)
        request.end(200)

    wait.__code__ = wait.__code__.replace(co_filename="<frozen waiting>")  # as a library's
    thread = threading.Thread(target=serve, args=(wait,))
    thread.start()
    entered.wait()
    at_work.look(time.monotonic())
    assert _told(kept) == []
    _late()
    _late()
    go.set()
    thread.join()
    _late()
    assert _told(kept) == [[{"file": app.__file__, "line": 4}]]


def test_a_request_that_names_no_action_is_not_looked_at(kept: KeptFacts) -> None:
    """
    A stream that is open for ever, or what a load test asks for.
    """
    request = context.begin("GET", "/live")
    _late()
    request.end(200)
    assert _told(kept) == []


def test_of_a_coroutine_the_line_that_awaits_is_told(kept: KeptFacts, app: types.ModuleType) -> None:
    """
    Its thread does something else meanwhile.
    """

    async def serve() -> None:
        event = asyncio.Event()

        async def answer() -> None:
            request = context.begin("PUT", "/api/cart", ACTION, "header")
            await app.ship_later(event)
            request.end(200)

        task = asyncio.create_task(answer())
        await asyncio.sleep(0)
        _late()
        event.set()
        await task

    asyncio.run(serve())
    assert _told(kept) == [[{"file": app.__file__, "line": 12}]]
