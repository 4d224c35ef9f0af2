"""
What the probe answers below `/__reticle__/`, over every server.
"""

from __future__ import annotations

import pytest

from reticle.probe import script
from reticle.testing.kept_facts import KeptFacts
from reticle.testing.probed_apps import DOCUMENT, SCRIPT, SERVERS, Ask, FixedScript, Reply, Say


def ask(server: str, path: str, method: str = "GET", **headers: str) -> Reply:
    """
    Ask for something of ours; the app would answer with a text.
    """
    told = {**DOCUMENT, **{name.replace("_", "-"): value for name, value in headers.items()}}
    return SERVERS[server](lambda _: Say.html(b"the app"), Ask(path, method, told))


@pytest.mark.usefixtures("facts")
@pytest.mark.parametrize("server", SERVERS)
def test_the_script_comes_from_the_apps_own_origin(server: str) -> None:
    """
    No policy, no proxy and no certificate stands between a page and its script.
    """
    reply = ask(server, "/__reticle__/sdk.js")
    assert (reply.status, reply.body) == (200, b"/* the script */")
    assert reply.headers["content-type"] == "text/javascript; charset=utf-8"
    assert reply.headers["cross-origin-resource-policy"] == "same-origin"
    assert reply.seen == {}


@pytest.mark.usefixtures("facts")
@pytest.mark.parametrize("server", SERVERS)
def test_the_script_is_sent_once(server: str) -> None:
    """
    A browser that has it is told so.
    """
    assert ask(server, "/__reticle__/sdk.js", If_None_Match='"0123456789abcdef"').status == 304


@pytest.mark.parametrize("server", SERVERS)
def test_strangers_get_nothing_and_why(server: str, facts: KeptFacts) -> None:
    """
    A tunnel to the app opens nothing of the tool.
    """
    reply = ask(server, "/__reticle__/sdk.js", Host="shop.example.net")
    assert reply.status == 403
    assert b"RETICLE_PROBE_HOSTS" in reply.body
    assert [fact["reason"] for fact in facts.of("injection")] == ["host"]


@pytest.mark.usefixtures("facts")
@pytest.mark.parametrize("server", SERVERS)
def test_what_is_not_there(server: str) -> None:
    """
    Other paths and methods below the prefix are ours to refuse.
    """
    assert ask(server, "/__reticle__/else").status == 404
    assert ask(server, "/__reticle__/sdk.js", "POST").status == 405


@pytest.mark.usefixtures("facts")
@pytest.mark.parametrize("server", SERVERS)
def test_without_a_daemon_nothing_is_inserted(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    A probe that was left on costs a page nothing.
    """
    monkeypatch.setattr(script, "copy", FixedScript(None))
    page = b"<!doctype html><head><title>"
    assert SERVERS[server](lambda _: Say.html(page), Ask()).body == page
    assert ask(server, "/__reticle__/sdk.js").status == 503


@pytest.mark.parametrize("server", SERVERS)
def test_while_the_probe_is_off_the_paths_are_the_apps(server: str) -> None:
    """
    Nothing of the tool is there that was not asked for.
    """
    assert SCRIPT.body
    reply = ask(server, "/__reticle__/sdk.js")
    assert reply.body == b"the app"
    assert "server-timing" not in reply.headers
