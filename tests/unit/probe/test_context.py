"""
Which request the running code belongs to, over threads, coroutines and callbacks.
"""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Iterator

import pytest
from twisted.internet.defer import Deferred

from reticle.probe import context
from reticle.testing.kept_facts import KeptFacts, keeping_facts


@pytest.fixture(autouse=True)
def kept() -> Iterator[KeptFacts]:
    """
    The probe is on, and facts stay here.
    """
    with keeping_facts() as sink:
        yield sink


def test_a_request_is_started_and_handled_once(kept: KeptFacts) -> None:
    """
    One request is two lines, however often its end is told.
    """
    request = context.begin("POST", "/pay", "p1.a2", "header", "q=1")
    request.route, request.view, request.view_name = "/pay", "/srv/views.py:12", "pay"
    request.end(200, request_bytes=3, response_bytes=5)
    request.end(500)
    request.abort("late")
    assert [kind for kind, _ in kept.facts] == ["request.started", "request.handled"]
    started, handled = (fields for _, fields in kept.facts)
    assert started == {
        "rid": request.rid, "action": "p1.a2", "method": "POST", "path": "/pay", "link": "header",
        "query": "q=1",
    }  # fmt: skip
    assert isinstance(handled.pop("ms"), float)
    assert handled == {
        "rid": request.rid, "action": "p1.a2", "method": "POST", "path": "/pay", "route": "/pay",
        "view": "/srv/views.py:12", "view_name": "pay", "status": 200, "request_bytes": 3,
        "response_bytes": 5, "streamed": False, "head": None,
    }  # fmt: skip
    assert context.current() is None


def test_a_broken_request_says_why(kept: KeptFacts) -> None:
    """
    A client that went away is no answer.
    """
    request = context.begin("GET", "/")
    request.abort("client went away", status=200)
    kind, fields = kept.facts[-1]
    assert (kind, fields["why"], fields["status"]) == ("request.aborted", "client went away", 200)


@pytest.mark.parametrize("value", ["", "a b", "x" * 161, 'a"; drop', None])
def test_what_is_no_action_is_dropped(value: str | None) -> None:
    """
    A header that anybody may send does not travel on unread.
    """
    request = context.RequestContext("GET", "/", value, "header")
    assert request.action is None


def test_coroutines_keep_their_own_request() -> None:
    """
    Two requests that wait for each other in one loop are not mixed up.
    """

    async def serve(path: str) -> bool:
        request = context.begin("GET", path)
        await asyncio.sleep(0)
        same = context.current() is request
        request.end(200)
        return same and context.current() is None

    async def both() -> list[bool]:
        return [*await asyncio.gather(serve("/a"), serve("/b"))]

    assert asyncio.run(both()) == [True, True]


def test_deferred_coroutines_keep_their_own_request() -> None:
    """
    The same in Twisted.
    """
    seen: list[bool] = []
    waits: list[Deferred[None]] = []

    async def serve(path: str) -> None:
        request = context.begin("GET", path)
        waits.append(Deferred())
        await waits[-1]
        seen.append(context.current() is request)
        request.end(200)

    served = [Deferred.fromCoroutine(serve(path)) for path in ("/a", "/b")]
    for wait in waits:
        wait.callback(None)
    assert seen == [True, True]
    assert [each.called for each in served] == [True, True]
    assert context.current() is None


def test_a_thread_of_the_app_is_ambient() -> None:
    """
    What the app does in a thread of its own is not guessed to belong to a request.
    """
    request = context.begin("GET", "/")
    seen: list[object] = []
    thread = threading.Thread(target=lambda: seen.append(context.current()))
    thread.start()
    thread.join()
    request.leave()
    assert seen == [None]


def test_a_callback_can_enter_its_request_again() -> None:
    """
    A plain Deferred callback that holds the request counts as part of it, and only while it runs.
    """
    request = context.begin("GET", "/")
    request.leave()
    assert context.current() is None
    with request.entered():
        assert context.current() is request
    assert context.current() is None


def test_a_request_within_another_gives_way_to_it() -> None:
    """
    An app that calls itself in the same thread returns to the outer request.
    """
    outer = context.begin("GET", "/outer")
    inner = context.begin("GET", "/inner")
    inner.end(200)
    assert context.current() is outer
    outer.end(200)
    assert context.current() is None


def test_a_request_may_end_in_another_context() -> None:
    """
    A generator that is closed by the server's own thread ends its request without an error.
    """
    request = context.begin("GET", "/")
    thread = threading.Thread(target=lambda: request.end(200))
    thread.start()
    thread.join()
    request.leave()
    assert context.current() is None


@pytest.mark.usefixtures("facts")
def test_ids_differ_and_look_alike() -> None:
    """
    A busy server's thousandth request is not taken for its first.
    """
    made = [context.RequestContext("GET", "/", None, "none").rid for _ in range(1_000)]
    assert len(set(made)) == len(made)
    assert all(re.fullmatch("[0-9a-f]{32}", rid) for rid in made)
    assert len({rid[:16] for rid in made}) == 1
