"""
Reading and writing what is stored in a context: cookies through the browser, the rest through its origins.

Storage can only be reached from a document of its origin. So the tab visits each: every request is answered
here with an empty document, nothing goes over the network, and no script of the app runs.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

import msgspec
from twisted.logger import Logger

from reticle.browser.context import Context
from reticle.browser.conversation import Session
from reticle.browser.logins import Cookie, Login, Stored
from reticle.browser.stored_databases import READ, WRITE
from reticle.browser.tab import Tab
from reticle.errors import Refusal
from reticle.model.ids import PageId
from reticle.model.limits import BROWSER_LOGIN_ORIGINS

_log = Logger()

VISIT_SECONDS: Final = 5
"""One visit; nothing is fetched for it."""

_EMPTY: Final = base64.b64encode(b"<!doctype html><title></title>").decode()
_READ: Final = """(() => {
  const all = (name) => {
    try {
      return Object.fromEntries(Object.entries(window[name]));
    } catch {
      return {};  // a sandboxed page has none
    }
  };
  return { origin: window.location.origin, local: all("localStorage"), session: all("sessionStorage") };
})()"""
_WRITE: Final = """((local, session) => {
  for (const [name, value] of Object.entries(local)) window.localStorage.setItem(name, value);
  for (const [name, value] of Object.entries(session)) window.sessionStorage.setItem(name, value);
})"""


class _Cookies(msgspec.Struct, frozen=True):
    cookies: list[Cookie]


class _World(msgspec.Struct, frozen=True):
    executionContextId: int


class _Paused(msgspec.Struct, frozen=True):
    requestId: str


class _Read(msgspec.Struct, frozen=True):
    origin: str = ""
    local: dict[str, str] = {}
    session: dict[str, str] = {}


class _Value(msgspec.Struct, frozen=True):
    value: _Read = _Read()


class _Evaluated(msgspec.Struct, frozen=True):
    result: _Value


class _Databases(msgspec.Struct, frozen=True):
    databases: list[msgspec.Raw] = []
    left: list[str] = []


class _DatabasesValue(msgspec.Struct, frozen=True):
    value: _Databases = _Databases()


class _DatabasesEvaluated(msgspec.Struct, frozen=True):
    result: _DatabasesValue


async def take_login(context: Context, page_id: PageId, name: str, before: Login | None) -> Login:
    """
    What a context holds: its cookies, and what the origins where it has been have stored there; of
    ``sessionStorage`` that of the named page's tab. That has no page any more after it. What origins stored
    stays as it was ``before`` where the page does not answer.

    Raises:
        Refusal: The browser is gone or does not answer.
    """
    found = await context.browser.call(
        "Storage.getCookies", {"browserContextId": context.context_id}, _Cookies
    )
    origins = context.origins
    tab = context.tab_of(page_id)
    if tab is None and origins:
        # closed by its page, or by a person: what origins keep is read in another
        tab = await context.new_tab()
    stored = {} if before is None else dict(before.origins)
    with suppress(Refusal):
        stored = {} if tab is None else await _stored(context, tab, origins)
    return Login(name, [_kept(cookie) for cookie in found.cookies], _filled(stored))


async def put_login(context: Context, tab: Tab, login: Login) -> None:
    """
    Give a context what was kept, before its page is loaded.

    Raises:
        Refusal: The browser is gone or does not answer.
    """
    if login.cookies:
        await context.browser.do(
            "Storage.setCookies", {"browserContextId": context.context_id, "cookies": login.cookies}
        )
    if not login.origins:
        return
    tab.hide()
    await _answer_all(tab.session)
    for origin, stored in list(login.origins.items())[:BROWSER_LOGIN_ORIGINS]:
        await _visit(context, tab, origin)
        given = f"{_json(stored.local)}, {_json(stored.session)}"
        await tab.session.do("Runtime.evaluate", {"expression": f"{_WRITE}({given})"})
        if stored.databases:
            wanted = {"expression": f"{WRITE}({_json(stored.databases)})", "awaitPromise": True}
            await tab.session.do("Runtime.evaluate", wanted, seconds=VISIT_SECONDS)
    await tab.session.do("Fetch.disable")
    await tab.session.do("Page.resetNavigationHistory")
    tab.show()


async def _stored(context: Context, tab: Tab, origins: Sequence[str]) -> dict[str, Stored]:
    tab.hide()
    stored: dict[str, Stored] = {}
    here = await _read(tab)
    if here.origin in origins:
        stored[here.origin] = Stored(here.local, here.session, await _databases(tab))
    others = [origin for origin in origins if origin not in stored]
    if others:
        await _answer_all(tab.session)
    for origin in others[: BROWSER_LOGIN_ORIGINS - len(stored)]:
        with suppress(Refusal):
            await _visit(context, tab, origin)
            seen = await _read(tab)
            stored[seen.origin] = Stored(seen.local, seen.session, await _databases(tab))
    return stored


async def _answer_all(session: Session) -> None:
    def paused(told: _Paused) -> None:
        kind = {"name": "Content-Type", "value": "text/html"}
        session.post(
            "Fetch.fulfillRequest",
            {"requestId": told.requestId, "responseCode": 200, "responseHeaders": [kind], "body": _EMPTY},
        )

    session.on("Fetch.requestPaused", _Paused, paused)
    # a service worker would answer with the app
    session.post("Network.enable", {"maxTotalBufferSize": 0})
    session.post("Network.setBypassServiceWorker", {"bypass": True})
    await session.do("Fetch.enable", {"patterns": [{"urlPattern": "*"}]})


async def _visit(context: Context, tab: Tab, origin: str) -> None:
    await context.load(tab, f"{origin}/", seconds=VISIT_SECONDS)


async def _read(tab: Tab) -> _Read:
    # in a world of our own: what the app has made of its globals does not matter there
    frame = {"frameId": tab.target_id}
    world = await tab.session.call("Page.createIsolatedWorld", frame, _World, seconds=VISIT_SECONDS)
    params = {"expression": _READ, "returnByValue": True, "contextId": world.executionContextId}
    read = await tab.session.call("Runtime.evaluate", params, _Evaluated, seconds=VISIT_SECONDS)
    return read.result.value


async def _databases(tab: Tab) -> tuple[msgspec.Raw, ...]:
    frame = {"frameId": tab.target_id}
    world = await tab.session.call("Page.createIsolatedWorld", frame, _World, seconds=VISIT_SECONDS)
    here = world.executionContextId
    params = {"expression": READ, "returnByValue": True, "awaitPromise": True, "contextId": here}
    try:
        read = await tab.session.call("Runtime.evaluate", params, _DatabasesEvaluated, seconds=VISIT_SECONDS)
    except Refusal as refusal:
        _log.warn("no database is kept with the login: {why}", why=refusal.message)
        return ()
    for name in read.result.value.left:
        _log.warn("a database is not kept with the login: {name}", name=name)
    return tuple(msgspec.Raw(bytes(each)) for each in read.result.value.databases)


def _kept(cookie: Cookie) -> Cookie:
    # the browser says -1 for one that ends with it, and does not take that back
    ends = cookie.expires if cookie.expires is not None and cookie.expires > 0 else None
    return msgspec.structs.replace(cookie, expires=ends)


def _filled(stored: Mapping[str, Stored]) -> Mapping[str, Stored]:
    return {origin: each for origin, each in stored.items() if each.local or each.session or each.databases}


def _json(values: Mapping[str, str] | Sequence[msgspec.Raw]) -> str:
    return msgspec.json.encode(values).decode()
