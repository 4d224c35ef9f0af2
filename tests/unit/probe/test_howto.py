"""
The page about the probe: its code runs, and its table has every reason.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from twisted.web.resource import Resource

from reticle.probe import probing
from reticle.probe.words import WORTH_TELLING, Skip
from reticle.testing.probed_apps import DOCUMENT, Ask, run, through_site

TEXT = (Path(__file__).resolve().parents[3] / "docs/howto/python-server.md").read_text("utf-8")
BLOCKS = {found[1]: found[2] for found in re.finditer(r"```python\n# (\w+)\n(.*?)```", TEXT, re.DOTALL)}


class Leaf(Resource):
    """
    A page of the app.
    """

    isLeaf = True

    def render(self, request: Any) -> bytes:
        """
        Any method.
        """
        del request
        return b"x"


class _On:
    is_on = True


@pytest.fixture
def names(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """
    What a block of the page defines, run with the probe on.
    """
    monkeypatch.setattr(probing, "start", lambda *_, **__: _On())
    defined: dict[str, Any] = {"__name__": "howto"}
    exec(compile(BLOCKS[request.param], "howto", "exec"), defined)
    return defined


@pytest.mark.usefixtures("facts")
@pytest.mark.parametrize("names", ["flask"], indirect=True)
def test_flask(names: dict[str, Any]) -> None:
    """
    As the page says.
    """
    app = names["app"]
    app.add_url_rule("/", "home", lambda: "<!doctype html><title>Hello</title>")
    reply = app.test_client().get("/", headers=DOCUMENT)
    assert "<script src=" in reply.text


@pytest.mark.usefixtures("facts")
@pytest.mark.parametrize("names", ["wsgi"], indirect=True)
def test_wsgi(names: dict[str, Any]) -> None:
    """
    As the page says.
    """
    environ = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in DOCUMENT.items()}
    environ |= {"REQUEST_METHOD": "GET", "PATH_INFO": "/", "REMOTE_ADDR": "127.0.0.1"}
    assert b"<script src=" in b"".join(names["app"](environ, lambda *_: None))


@pytest.mark.usefixtures("facts")
@pytest.mark.parametrize("names", ["asgi"], indirect=True)
def test_asgi(names: dict[str, Any]) -> None:
    """
    As the page says.
    """
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(name.lower().encode(), value.encode()) for name, value in DOCUMENT.items()]
    scope = {"type": "http", "method": "GET", "path": "/", "headers": headers, "client": ("127.0.0.1", 1)}
    run(names["app"](scope, None, send))
    assert b"<script src=" in sent[1]["body"]


@pytest.mark.usefixtures("facts")
@pytest.mark.parametrize("names", ["klein", "twisted"], indirect=True)
def test_twisted(names: dict[str, Any]) -> None:
    """
    As the page says; also a page of a 404 tells its request.
    """
    if "root" in names:
        names["root"].putChild(b"x", Leaf())  # type: ignore[no-untyped-call]  # Twisted's
    assert b"server-timing: reticle" in through_site(names["site"].resource, Ask("/x")).lower()


@pytest.mark.parametrize("names", ["fastapi", "django"], indirect=True)
def test_the_rest_is_code_that_runs(names: dict[str, Any]) -> None:
    """
    Their own tests drive them.
    """
    assert "app" in names or "reticle.probe.django" in names["INSTALLED_APPS"]


def test_every_reason_is_explained() -> None:
    """
    Whoever reads a reason in doctor finds what helps.
    """
    told = set(re.findall(r"^\| `(\w+)` \|", TEXT, re.MULTILINE))
    assert told == {str(reason) for reason in WORTH_TELLING}
    untold = TEXT.split("everything that is not HTML never get one:")[1]
    assert set(re.findall(r"`(\w+)`", untold)) == {str(reason) for reason in set(Skip) - WORTH_TELLING}


def test_every_framework_has_a_line() -> None:
    """
    Seven adapters, seven lines.
    """
    assert set(BLOCKS) == {"django", "flask", "fastapi", "klein", "twisted", "wsgi", "asgi"}
