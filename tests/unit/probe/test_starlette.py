"""
The probe around Starlette and FastAPI.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.applications import Starlette
from starlette.responses import HTMLResponse
from starlette.routing import Mount, Route

from reticle.probe import probing
from reticle.probe.starlette import install
from reticle.testing.kept_facts import KeptFacts
from reticle.testing.probed_apps import DOCUMENT

PAGE = "<!doctype html><html><head><title>T</title></head></html>"


def page(request: Any) -> HTMLResponse:
    """
    A view, run on a thread.
    """
    del request
    return HTMLResponse(PAGE)


async def item(number: int) -> HTMLResponse:
    """
    A view of FastAPI.
    """
    return HTMLResponse(PAGE.replace("T", str(number)))


async def fault(request: Any) -> HTMLResponse:
    """
    A view that fails.
    """
    raise ZeroDivisionError(request.url.path)


class _On:
    is_on = True


@pytest.fixture(autouse=True)
def on(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    The probe is on, and its facts stay here.
    """
    monkeypatch.setattr(probing, "start", lambda *_, **__: _On())


def get(app: Any, path: str) -> tuple[list[Any], BaseException | None]:
    """
    What the app sent for one request of a browser, and what it raised.
    """
    sent: list[Any] = []

    async def ask() -> None:
        headers = [(name.lower().encode(), value.encode()) for name, value in DOCUMENT.items()]
        scope = {
            "type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "query_string": b"",
            "root_path": "", "scheme": "http", "http_version": "1.1", "headers": headers,
            "client": ("127.0.0.1", 1), "server": ("localhost", 8000),
        }  # fmt: skip

        async def receive() -> Any:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Any) -> None:
            sent.append(message)

        await app(scope, receive, send)

    try:
        asyncio.run(ask())
    except ZeroDivisionError as error:
        return sent, error
    return sent, None


def test_starlette_and_its_mounts(facts: KeptFacts) -> None:
    """
    Starlette does not tell the route; it is found by what it runs.
    """
    app = Starlette(routes=[Mount("/shop", routes=[Route("/page/{number}", page)])])
    install(app)
    sent, _ = get(app, "/shop/page/3")
    assert b"<head><script src=" in sent[1]["body"]
    (handled,) = facts.of("request.handled")
    assert handled["route"] == "/shop/page/{number}"
    assert handled["view"] == f"{__file__}:{page.__code__.co_firstlineno}"


def test_fastapi(facts: KeptFacts) -> None:
    """
    One line, wherever it stands.
    """
    app = FastAPI()
    install(app)
    app.get("/items/{number}")(item)
    sent, _ = get(app, "/items/3")
    assert b"<script src=" in sent[1]["body"]
    (handled,) = facts.of("request.handled")
    assert (handled["route"], handled["view"]) == (
        "/items/{number}", f"{__file__}:{item.__code__.co_firstlineno}",
    )  # fmt: skip


@pytest.mark.parametrize("debug", [True, False])
def test_a_fault_is_told_and_its_page_is_wanted(debug: bool, facts: KeptFacts) -> None:  # noqa: FBT001 - a table
    """
    The framework's own page of a 500 is inside, and the exception goes on to the server.
    """
    app = Starlette(debug=debug, routes=[Route("/fault", fault)])
    install(app)
    install(app)
    sent, raised = get(app, "/fault")
    assert isinstance(raised, ZeroDivisionError)
    assert sent[0]["status"] == 500
    assert any(name == b"server-timing" for name, _ in sent[0]["headers"])
    (told,) = facts.of("exception")
    assert told["frames"][0]["function"] == "fault"
    (handled,) = facts.of("request.handled")
    assert (handled["status"], handled["route"]) == (500, "/fault")
