"""
The probe in both kinds of Django, from request to response.
"""

from __future__ import annotations

import asyncio
import io
import sys
import types
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import django
import pytest
from django.conf import settings
from django.core.signals import got_request_exception
from django.http import FileResponse, HttpResponse, HttpResponseRedirect, StreamingHttpResponse
from django.test import AsyncClient, Client, RequestFactory
from django.urls import path
from django.views import View

from reticle.probe import context
from reticle.probe.django.apps import MIDDLEWARE
from reticle.probe.django.middleware import ReticleMiddleware, on_exception
from reticle.testing.kept_facts import KeptFacts
from reticle.testing.probed_apps import DOCUMENT

PAGE = "<!doctype html><html><head><title>T</title></head></html>"
URLS = types.ModuleType("reticle_test_urls")


def page(request: Any) -> Any:
    """
    A plain view.
    """
    del request
    return HttpResponse(PAGE, headers={"ETag": '"v1"'})


async def page_async(request: Any) -> Any:
    """
    A coroutine view, which knows its request behind an await.
    """
    await asyncio.sleep(0)
    running = context.current()
    return HttpResponse(PAGE.replace("T", str(running and running.path == request.path)))


class Pages(View):  # type: ignore[misc]  # Django ships no types
    """
    A class of views.
    """

    def get(self, request: Any) -> Any:
        """
        GET.
        """
        del request
        return HttpResponse("{}", content_type="application/json")


def stream(request: Any) -> Any:
    """
    A page in parts.
    """
    del request

    def parts() -> Iterator[str]:
        yield PAGE[:15]
        running = context.current()
        yield f"<html><head><title>{running and running.path}"

    return StreamingHttpResponse(parts())


def stream_async(request: Any) -> Any:
    """
    The same of coroutines.
    """
    del request

    async def parts() -> AsyncIterator[str]:
        yield PAGE[:20]
        await asyncio.sleep(0)
        running = context.current()
        yield f"{PAGE[20:]}{running and running.path}"

    return StreamingHttpResponse(parts())


def file(request: Any) -> Any:
    """
    A file, for the server's own sender.
    """
    del request
    return FileResponse(Path(__file__).open("rb"), content_type="text/plain")


def page_file(request: Any) -> Any:
    """
    A page that lies on the disk.
    """
    del request
    return FileResponse(io.BytesIO(PAGE.encode()), content_type="text/html")


def fault(request: Any) -> Any:
    """
    A view that fails.
    """
    raise ZeroDivisionError(request.path)


def moved(request: Any) -> Any:
    """
    A redirect, with a cookie of the app's.
    """
    del request
    response = HttpResponseRedirect("/page")
    response.set_cookie("mine", "1")
    return response


URLS.urlpatterns = [  # type: ignore[attr-defined]  # a module of a test
    path("page", page, name="the-page"),
    path("async", page_async),
    path("class/<int:number>", lambda request, **_: Pages.as_view()(request)),
    path("pages", Pages.as_view()),
    path("stream", stream),
    path("stream-async", stream_async),
    path("fault", fault),
    path("moved", moved),
]
HEADERS = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in DOCUMENT.items()}


@pytest.fixture(scope="module", autouse=True)
def configured() -> None:
    """
    A project without a database.
    """
    sys.modules[URLS.__name__] = URLS
    settings.configure(
        DEBUG=True,
        ROOT_URLCONF=URLS.__name__,
        ALLOWED_HOSTS=["*"],
        SECRET_KEY="x",
        MIDDLEWARE=[
            MIDDLEWARE,
            "django.middleware.gzip.GZipMiddleware",
            "django.middleware.http.ConditionalGetMiddleware",
            "django.middleware.common.CommonMiddleware",
        ],
        LOGGING_CONFIG=None,
    )
    django.setup()
    got_request_exception.connect(on_exception, dispatch_uid="reticle")


@pytest.fixture(autouse=True)
def _known_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETICLE_PROBE_HOSTS", "testserver")


def get(url: str, **more: str) -> Any:
    """
    Ask over WSGI.
    """
    return Client(raise_request_exception=False).get(url, **{**HEADERS, **more})


def get_async(url: str) -> Any:
    """
    Ask over ASGI.
    """
    headers = {name: value for name, value in DOCUMENT.items() if name != "Host"}

    async def ask() -> Any:
        response = await AsyncClient(raise_request_exception=False).get(url, headers=headers)
        if response.streaming:
            response.whole = b"".join([part async for part in response.streaming_content])
        return response

    return asyncio.run(ask())


@pytest.mark.usefixtures("facts")
def test_a_page_gets_its_tag() -> None:
    """
    Behind gzip, length and validators of Django's own.
    """
    response = get("/page", HTTP_ACCEPT_ENCODING="gzip", HTTP_IF_NONE_MATCH='"v1"')
    assert response.status_code == 200
    assert response.content.startswith(b"<!doctype html><html><head><script src=")
    assert response["Content-Length"] == str(len(response.content))
    assert response["Cache-Control"] == "private, no-store"
    assert "ETag" not in response
    assert response["Server-Timing"].startswith("reticle;desc=")


def test_the_view_is_named(facts: KeptFacts) -> None:
    """
    Route, name and line of functions and of classes.
    """
    get("/page")
    get("/pages")
    first, second = facts.of("request.handled")
    assert (first["route"], first["view_name"]) == ("page", "the-page")
    assert first["view"] == f"{__file__}:{page.__code__.co_firstlineno}"
    assert second["view"] == f"{__file__}:{Pages.get.__code__.co_firstlineno}"


def test_coroutines_are_as_good(facts: KeptFacts) -> None:
    """
    The same over ASGI, and the request is known behind an await.
    """
    response = get_async("/async")
    assert b"<script src=" in response.content
    assert b"<title>True</title>" in response.content
    assert facts.of("request.handled")[0]["route"] == "async"


def test_a_stream_is_not_waited_for(facts: KeptFacts) -> None:
    """
    Parts come as the app makes them, and each belongs to its request.
    """
    response = get("/stream")
    assert "Content-Length" not in response
    text = b"".join(response.streaming_content)
    assert b"<head><script src=" in text
    assert text.endswith(b"<title>/stream")
    response.close()
    assert facts.of("request.handled")[0]["streamed"] is True


@pytest.mark.usefixtures("facts")
def test_a_stream_of_coroutines() -> None:
    """
    Over ASGI as well, and each part belongs to its request.
    """
    text = get_async("/stream-async").whole
    assert b"<head><script src=" in text
    assert text.endswith(b"</html>/stream-async")


def test_a_stream_that_nobody_reads_to_its_end(facts: KeptFacts) -> None:
    """
    The reader left.
    """
    response = get("/stream")
    next(iter(response.streaming_content))
    response.close()
    assert facts.of("request.aborted")[0]["why"] == "client"


@pytest.mark.usefixtures("facts")
def test_a_file_stays_a_file() -> None:
    """
    The server's sender gets the file and not our iterator.
    """
    response = ReticleMiddleware(file)(RequestFactory().get("/file"))
    assert response.file_to_stream is not None
    response.close()
    document = ReticleMiddleware(page_file)(RequestFactory().get("/file", **HEADERS))
    assert b"<head><script src=" in b"".join(document.streaming_content)
    document.close()


@pytest.mark.parametrize("ask", [get, get_async])
def test_a_fault_is_told_and_its_page_is_wanted(ask: Any, facts: KeptFacts) -> None:
    """
    Django's page of a 500 is the best place to be connected.
    """
    response = ask("/fault")
    assert response.status_code == 500
    assert b"<script src=" in response.content
    (told,) = facts.of("exception")
    assert (told["type"], told["handled"], told["frames"][0]["function"]) == (
        "ZeroDivisionError",
        "unhandled",
        "fault",
    )
    assert facts.of("request.handled")[0]["status"] == 500


@pytest.mark.usefixtures("facts")
def test_a_redirect_keeps_the_apps_cookies() -> None:
    """
    Ours stands beside them.
    """
    response = get("/moved")
    assert set(response.cookies) == {"mine", "__reticle_nav"}
    assert response.cookies["__reticle_nav"]["max-age"] == "10"


@pytest.mark.usefixtures("facts")
def test_the_script_is_served() -> None:
    """
    No line in the URLs is needed.
    """
    assert get("/__reticle__/sdk.js").content == b"/* the script */"
    assert get_async("/__reticle__/sdk.js").content == b"/* the script */"


def test_while_off_nothing_changes() -> None:
    """
    An installed probe that is off is not there.
    """
    response = get("/page")
    assert response.content.decode() == PAGE
    assert "Server-Timing" not in response
