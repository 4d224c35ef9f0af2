"""
Requests that the app itself sends: ``http.client`` (and so urllib3, requests), httpx, Twisted's ``Agent``.

The URL is told without user and without the values of its query; neither headers nor bodies are looked at.
"""

from __future__ import annotations

import time
from types import ModuleType
from typing import Any, Final

from reticle.probe import emission
from reticle.probe.emission import Request, running
from reticle.probe.frames import Place, caller
from reticle.probe.harmless import note
from reticle.probe.import_watch import ImportWatch
from reticle.probe.limits import NAME_CHARS
from reticle.probe.patching import Patches
from reticle.probe.quiet import is_own_work, safely
from reticle.probe.redaction import cut, outgoing_url
from reticle.probe.words import FactKind

_NOTE: Final = "_reticle_asked"


class _Asked:
    """
    A request on its way.
    """

    def __init__(self, method: object, url: str) -> None:
        self.method = method.decode("latin-1") if isinstance(method, bytes) else str(method)
        self.url = url
        self.started = time.monotonic()
        self.place: Place = caller()
        self.request: Request | None = running.get()

    def tell(self, status: int | None) -> None:
        """
        It was answered, or failed (None).
        """
        emission.emit(
            FactKind.HTTP_OUT,
            within=self.request,
            method=cut(self.method, NAME_CHARS),
            url=outgoing_url(self.url),
            status=status,
            ms=round((time.monotonic() - self.started) * 1_000, 3),
            file=self.place[0],
            line=self.place[1],
        )


def install(watch: ImportWatch, patches: Patches) -> None:
    """
    Watch the libraries that the app has imported.
    """

    def plain(module: ModuleType) -> None:
        kind = module.HTTPConnection
        patches.replace(kind, "putrequest", _beginning)
        patches.replace(kind, "endheaders", _trying)
        patches.replace(kind, "getresponse", _ending)

    def httpx(module: ModuleType) -> None:
        patches.replace(module.Client, "send", _sending)
        patches.replace(module.AsyncClient, "send", _sending_later)

    def twisted(module: ModuleType) -> None:
        patches.replace(module.Agent, "request", _asking)

    watch.when_imported("http.client", plain)
    watch.when_imported("httpx", httpx)
    watch.when_imported("twisted.web.client", twisted)


def _is_watched() -> bool:
    return emission.sink is not None and not is_own_work()


def _beginning(original: Any) -> Any:
    def putrequest(self: Any, method: Any, url: Any, *arguments: Any, **named: Any) -> Any:
        if _is_watched():
            safely(_note, self, method, url)
        return original(self, method, url, *arguments, **named)

    return putrequest


def _note(connection: Any, method: Any, url: Any) -> None:
    target = str(url)
    if "://" not in target:
        # Behind a proxy's tunnel the connection is the proxy's, the request the other host's.
        host = getattr(connection, "_tunnel_host", None) or connection.host
        port = (
            getattr(connection, "_tunnel_port", None) if host != connection.host else None
        ) or connection.port
        scheme = "https" if connection.default_port == 443 else "http"
        shown = "" if port in {None, connection.default_port} else f":{port}"
        host = f"[{host}]" if ":" in host else host
        target = f"{scheme}://{host}{shown}{target}"
    setattr(connection, _NOTE, _Asked(method, target))


def _trying(original: Any) -> Any:
    def endheaders(self: Any, *arguments: Any, **named: Any) -> Any:
        try:
            return original(self, *arguments, **named)
        except Exception:
            safely(_tell, self, None)
            raise

    return endheaders


def _ending(original: Any) -> Any:
    def getresponse(self: Any, *arguments: Any, **named: Any) -> Any:
        try:
            found = original(self, *arguments, **named)
        except Exception:
            safely(_tell, self, None)
            raise
        safely(lambda: _tell(self, found.status))
        return found

    return getresponse


def _tell(connection: Any, status: int | None) -> None:
    asked = getattr(connection, _NOTE, None)
    if asked is not None:
        setattr(connection, _NOTE, None)
        asked.tell(status)


def _sending(original: Any) -> Any:
    def send(self: Any, request: Any, *arguments: Any, **named: Any) -> Any:
        if not _is_watched():
            return original(self, request, *arguments, **named)
        asked = _of_httpx(request)
        try:
            found = original(self, request, *arguments, **named)
        except Exception:
            safely(_answered, asked, None)
            raise
        safely(_answered, asked, found)
        return found

    return send


def _sending_later(original: Any) -> Any:
    async def send(self: Any, request: Any, *arguments: Any, **named: Any) -> Any:
        if not _is_watched():
            return await original(self, request, *arguments, **named)
        asked = _of_httpx(request)
        try:
            found = await original(self, request, *arguments, **named)
        except Exception:
            safely(_answered, asked, None)
            raise
        safely(_answered, asked, found)
        return found

    return send


def _of_httpx(request: Any) -> _Asked | None:
    try:
        return _Asked(request.method, str(request.url))
    except Exception as fault:  # noqa: BLE001 - the app's request goes out without us
        note("http_out", fault)
        return None


def _answered(asked: _Asked | None, response: Any) -> None:
    if asked is not None:
        asked.tell(None if response is None else response.status_code)


def _asking(original: Any) -> Any:
    def request(self: Any, method: Any, uri: Any, *arguments: Any, **named: Any) -> Any:
        waiting = original(self, method, uri, *arguments, **named)
        if _is_watched():
            safely(_follow, waiting, method, uri)
        return waiting

    return request


def _follow(waiting: Any, method: Any, uri: Any) -> None:
    asked = _Asked(method, uri.decode("latin-1") if isinstance(uri, bytes) else str(uri))

    def answered(response: Any) -> Any:
        safely(lambda: asked.tell(response.code))
        return response

    def failed(failure: Any) -> Any:
        safely(asked.tell, None)
        return failure

    waiting.addCallbacks(answered, failed)
