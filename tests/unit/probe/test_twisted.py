"""
The wrapper around Twisted's resources leaves their ways as they are.
"""

from __future__ import annotations

from typing import Any

import pytest
from twisted.internet.defer import Deferred
from twisted.web.resource import Resource
from twisted.web.server import NOT_DONE_YET, Request, Site

from reticle.probe import context, probing
from reticle.probe.twisted import ProbedResource, exchange_in, wrap_resource
from reticle.testing.kept_facts import KeptFacts
from reticle.testing.probed_apps import DOCUMENT, Ask, parsed, through_site


class Views(Resource):
    """
    A tree with a few leaves.
    """

    def __init__(self, **leaves: Any) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # Twisted's
        for name, render in leaves.items():
            self.putChild(name.encode(), Leaf(render))


class Leaf(Resource):
    """
    Answers GET with a function.
    """

    isLeaf = True

    def __init__(self, render: Any) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # Twisted's
        self._render = render

    def render_GET(self, request: Any) -> Any:
        """
        GET.
        """
        return self._render(request)


def get(resource: Any, path: str, method: str = "GET") -> Any:
    """
    One request.
    """
    return parsed(through_site(ProbedResource(resource), Ask(path, method)), {}, has_body=method != "HEAD")


@pytest.mark.usefixtures("facts")
def test_a_resource_that_returns_bytes() -> None:
    """
    The length that Twisted makes of them counts the tag.
    """
    reply = get(Views(a=lambda _: b"<!doctype html><head><title>"), "/a")
    assert b"<head><script src=" in reply.body
    assert reply.headers["content-length"] == str(len(reply.body))


@pytest.mark.usefixtures("facts")
def test_head_of_a_resource_that_knows_only_get() -> None:
    """
    Twisted asks with GET and keeps the body to itself.
    """
    reply = get(Views(a=lambda _: b"<!doctype html><head><title>"), "/a", "HEAD")
    assert (reply.status, reply.body) == (200, b"")
    assert "content-length" not in reply.headers


def test_a_leaf_may_be_the_root(facts: KeptFacts) -> None:
    """
    A framework's one resource sees the path that it would have seen.
    """
    seen: list[Any] = []

    def render(request: Any) -> bytes:
        seen.append((request.prepath, request.postpath))
        request.setHeader("content-type", "text/plain")
        return b"x"

    assert get(Leaf(render), "/a/b").body == b"x"
    assert seen == [([], [b"a", b"b"])]
    assert facts.of("request.handled")[0]["view"].partition(":")[0] == __file__


def test_an_exception_is_told_and_stays_twisteds(facts: KeptFacts, logged_failures: Any) -> None:
    """
    Log and page of a 500 are as they were.
    """

    def render(_: Any) -> bytes:
        raise ZeroDivisionError("no")

    assert get(Views(a=render), "/a").status == 500
    assert len(logged_failures.flush(ZeroDivisionError)) == 1
    assert facts.of("exception")[0]["type"] == "ZeroDivisionError"
    assert facts.of("request.handled")[0]["status"] == 500


@pytest.mark.usefixtures("facts")
def test_a_fault_behind_the_first_bytes(logged_failures: Any) -> None:
    """
    What was sent stays sent, and Twisted's page of a 500 stands behind it, as without the probe.
    """

    def render(request: Any) -> bytes:
        request.write(b"<!doctype html>")
        raise ZeroDivisionError("no")

    reply = get(Views(a=render), "/a")
    assert (reply.status, reply.chunks[0]) == (200, b"<!doctype html>")
    assert len(logged_failures.flush(ZeroDivisionError)) == 1


def test_an_answer_that_comes_later(facts: KeptFacts) -> None:
    """
    A callback does not carry the request; it is never guessed, and found through the request object.
    """
    later: Deferred[None] = Deferred()
    found: list[Any] = []

    def render(request: Any) -> int:
        def answer(_: None) -> None:
            exchange = exchange_in(request)
            found.append((context.current(), exchange and exchange.context.path))
            request.write(b"<!doctype html><head>")
            request.finish()

        later.addCallback(answer)
        return NOT_DONE_YET

    text = through_site(ProbedResource(Views(a=render)), Ask("/a"))
    assert text == b""
    assert context.current() is None
    later.callback(None)
    assert found == [(None, "/a")]
    assert facts.of("request.handled")[0]["path"] == "/a"


def test_an_apps_own_class_of_requests(facts: KeptFacts, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    One that writes by the class below it is told once, and a site without the probe is left alone.
    """

    class Own(Request):
        """
        Counts what is written.
        """

        written = 0

        def write(self, data: bytes) -> None:
            """
            As below.
            """
            self.written += len(data)
            super().write(data)  # type: ignore[no-untyped-call]  # Twisted's

    seen: list[Any] = []

    def render(request: Any) -> bytes:
        seen.append(request)
        request.setHeader("content-type", "text/plain")
        return b"four"

    ask = Ask("/a", headers={"Host": "localhost"})
    tree = Views(a=render)
    monkeypatch.setattr(Site, "requestFactory", Own)
    wrapped = through_site(ProbedResource(tree), ask)
    alone = through_site(tree, ask)
    (handled,) = facts.of("request.handled")
    assert (handled["response_bytes"], handled["streamed"]) == (4, False)
    assert [each.written for each in seen] == [4, 4]
    assert b"Server-Timing" in wrapped
    assert b"Server-Timing" not in alone


@pytest.mark.usefixtures("facts")
def test_what_no_document_answers() -> None:
    """
    Headers that an app set by itself stay beside ours.
    """

    def render(request: Any) -> bytes:
        request.responseHeaders.addRawHeader("server-timing", "db;dur=5")
        request.setHeader("content-type", "application/json")
        return b"{}"

    timing = get(Views(a=render), "/a").headers["server-timing"]
    assert timing.startswith("db;dur=5, reticle;")


def test_cookies_of_a_write_are_kept(facts: KeptFacts) -> None:
    """
    A cookie that a write of an action sets is looked for in the app, as under other servers.
    """
    kept: list[Any] = []

    def render(request: Any) -> bytes:
        request.addCookie("seen", "1")
        exchange = exchange_in(request)
        kept.append(exchange and exchange.context)
        return b"x"

    class Written(Leaf):
        """
        Answers POST too.
        """

        def render_POST(self, request: Any) -> Any:
            """
            POST.
            """
            return self._render(request)

    tree = Views()
    tree.putChild(b"a", Written(render))
    headers = {"Host": "localhost", "Sec-Fetch-Dest": "empty", "X-Reticle-Action": "p1.a1"}
    through_site(ProbedResource(tree), Ask("/a", "POST", headers))
    assert [each.cookies for each in kept] == [["seen=1"]]
    assert facts.of("request.handled")[0]["status"] == 200


@pytest.mark.usefixtures("facts")
def test_coroutines_know_their_request() -> None:
    """
    Code behind an await belongs to the request that began it, whichever came last.
    """
    gates: list[Deferred[None]] = []
    found: list[object] = []

    def render(request: Any) -> int:
        async def answer() -> None:
            gate: Deferred[None] = Deferred()
            gates.append(gate)
            await gate
            running = context.current()
            found.append(running and running.path)
            request.finish()

        Deferred.fromCoroutine(answer()).addErrback(found.append)
        return NOT_DONE_YET

    root = ProbedResource(Views(a=render, b=render))
    through_site(root, Ask("/a"))
    through_site(root, Ask("/b"))
    for gate in gates:
        gate.callback(None)
    assert found == ["/a", "/b"]
    assert context.current() is None


def test_it_stays_off_unless_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Twisted has no debug switch, so a name is needed.
    """
    monkeypatch.delenv("RETICLE_PROBE", raising=False)
    root = Views()
    assert wrap_resource(root) is root
    assert not probing.start().is_on
    assert DOCUMENT


@pytest.mark.parametrize("has_cookie", [True, False])
@pytest.mark.usefixtures("facts")
def test_a_redirect_of_an_app_that_sets_cookies(*, has_cookie: bool) -> None:
    """
    The page behind a form is tied to the click although Twisted writes the app's cookies over all others, and
    that tie is taken back with the page.
    """

    def render(request: Any) -> bytes:
        if has_cookie:
            request.addCookie("seen", "1")
        if request.path == b"/go":
            request.redirect(b"/page")
            return b""
        return b"<!doctype html><head><title>"

    tree = Views(go=render, page=render)
    apps = [b"seen=1"] * has_cookie
    first = set_cookies(tree, Ask("/go"))
    assert first[:-1] == apps
    assert first[-1].startswith(b"__reticle_nav=")
    carried = first[-1].partition(b";")[0].decode()
    assert set_cookies(tree, Ask("/page", headers={**DOCUMENT, "Cookie": carried})) == [
        *apps,
        b"__reticle_nav=; Path=/; Max-Age=0; SameSite=Lax",
    ]


def set_cookies(tree: Any, ask: Ask) -> list[bytes]:
    """
    Those of an answer, in order.
    """
    head, _, _ = through_site(ProbedResource(tree), ask).partition(b"\r\n\r\n")
    rows = [row.partition(b": ") for row in head.split(b"\r\n")]
    return [value for name, _, value in rows if name.lower() == b"set-cookie"]


@pytest.mark.usefixtures("facts")
def test_cookies_of_a_form_are_kept() -> None:
    """
    A cookie that a form's answer sets is looked for in the app as that of a script's write is; one that
    Twisted writes over is not, since no browser gets it.
    """
    kept: list[Any] = []

    class Form(Leaf):
        """
        Answers POST with a redirect.
        """

        def render_POST(self, request: Any) -> bytes:
            """
            POST.
            """
            request.responseHeaders.addRawHeader("set-cookie", "lost=1")
            request.addCookie("seen", "1")
            request.redirect(b"/page")
            exchange = exchange_in(request)
            kept.append(exchange and exchange.context)
            return b""

    tree = Views()
    tree.putChild(b"go", Form(None))
    through_site(ProbedResource(tree), Ask("/go", "POST", {**DOCUMENT, "X-Reticle-Action": "p1.a1"}))
    assert [each.cookies for each in kept] == [["seen=1"]]


@pytest.mark.usefixtures("facts")
def test_a_function_that_an_app_put_on_its_request() -> None:
    """
    What an app does with each of its bytes it does once, also with those that waited for the tag's place.
    """

    def render(request: Any) -> int:
        write = request.write
        request.write = lambda data: write(data.replace(b"o", b"oo"))
        request.write(b"<!doctype html><title>no")
        request.finish()
        return NOT_DONE_YET

    assert get(Views(a=render), "/a").body.endswith(b"noo")
