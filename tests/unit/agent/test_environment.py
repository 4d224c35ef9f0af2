"""
What an agent's environment has, and what it has not.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.agent.environment import ALLOWED, PROXIES, Whereabouts, child_environment, is_settable

TOLD = Whereabouts("http://127.0.0.1:1/mcp", "shop", "run_1", "sess_1", "/run/agent/token")
NAMES = st.text(alphabet="ABCDEFGHIJKLMNOPQRSTUVWXYZ_", min_size=1)


@given(st.dictionaries(NAMES, st.text()))
def test_only_listed_names_pass(environ: dict[str, str]) -> None:
    """
    A variable that nobody thought of never reaches an agent.
    """
    found = child_environment(environ, (), TOLD, "/home")
    strangers = {
        name for name in found
        if name not in ALLOWED | PROXIES and not name.startswith(("LC_", "RETICLE_", "STRIATUM_"))
    }  # fmt: skip
    assert strangers == set()


def test_what_the_operator_was_told_is_not_passed_on() -> None:
    """
    The operator's own tokens and addresses stay with the operator, also when somebody asks for them by name.
    """
    environ = {"RETICLE_TOKEN": "t", "RETICLE_MCP_TOKEN": "mine", "STRIATUM_MCP_TOKEN": "mine"}
    found = child_environment(environ, list(environ), TOLD, "/home")
    assert "RETICLE_TOKEN" not in found
    assert "mine" not in found.values()
    assert not is_settable("RETICLE_TOKEN")
    assert is_settable("ANTHROPIC_API_KEY")


def test_the_token_stands_in_one_place() -> None:
    """
    A file by default, the environment on request, never both.
    """
    by_file = child_environment({}, (), TOLD, "/home")
    assert by_file["RETICLE_MCP_TOKEN_FILE"] == by_file["STRIATUM_MCP_TOKEN_FILE"] == "/run/agent/token"
    assert "RETICLE_MCP_TOKEN" not in by_file
    told = Whereabouts(TOLD.url, "shop", "run_1", "sess_1", TOLD.token_file, "dtok_a.b")
    direct = child_environment({}, (), told, "/home")
    assert direct["RETICLE_MCP_TOKEN"] == direct["STRIATUM_MCP_TOKEN"] == "dtok_a.b"
    assert "RETICLE_MCP_TOKEN_FILE" not in direct
    assert "dtok_a.b" not in repr(told)


@pytest.mark.parametrize(
    ("environ", "term", "locale"),
    [
        ({}, "xterm-256color", "C.UTF-8"),
        ({"TERM": "dumb", "LANG": "C"}, "xterm-256color", "C.UTF-8"),
        ({"TERM": "screen", "LANG": "de_DE.UTF-8"}, "screen", None),
        ({"TERM": "vt100", "LANG": "de_DE.UTF-8", "LC_ALL": "C"}, "vt100", "C.UTF-8"),
        ({"TERM": "vt100", "LC_ALL": "en_GB.UTF-8", "LC_CTYPE": "C"}, "vt100", "C"),
    ],
)
def test_terminal_and_locale_are_usable(environ: dict[str, str], term: str, locale: str | None) -> None:
    """
    What a service or a bare container does not set is set; what a person has chosen stays.
    """
    found = child_environment(environ, (), TOLD, "/home/me")
    assert (found["TERM"], found.get("LC_CTYPE"), found["HOME"]) == (term, locale, "/home/me")
    assert found.get("LC_ALL") == (environ.get("LC_ALL") if environ.get("LC_ALL") != "C" else None)


@pytest.mark.parametrize(
    ("proxy", "passed"),
    [("http://proxy:3128", True), ("proxy:3128", True), ("http://me:secret@proxy:3128", False),
     ("me:secret@proxy:3128", False), ("http://[", False)],
)  # fmt: skip
def test_a_proxy_is_passed_on_without_a_password(proxy: str, passed: bool) -> None:  # noqa: FBT001 - a table
    """
    An agent behind a proxy reaches its provider; a password in a proxy's address stays here.
    """
    found = child_environment({"https_proxy": proxy}, (), TOLD, "/home")
    assert ("https_proxy" in found) is passed
