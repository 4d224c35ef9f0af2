"""
The first words that an agent reads, and how they are typed.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.agent.bootstrap import PROMPT_BYTES, bootstrap_prompt, keystrokes, one_line, submit_key
from reticle.agent.environment import Whereabouts

TOLD = Whereabouts("http://127.0.0.1:1/mcp", "shop", "run_1", "sess_1", "/run/agent/token")
LINE_BYTES = 4_095
"""Of one line, that a terminal in line mode takes (n_tty of Linux)."""


def test_it_names_the_ids_and_the_file_and_never_the_token() -> None:
    """
    An agent knows who it is and where its token is, and the token is on no screen.
    """
    prompt = bootstrap_prompt(TOLD, "fixer")
    for named in (
        "repository_id shop",
        "run_id run_1",
        "session_id sess_1",
        TOLD.url,
        TOLD.token_file,
        "fixer",
    ):
        assert named in prompt
    direct = Whereabouts(TOLD.url, "shop", "run_1", "sess_1", "/f", "dtok_a.secret")
    assert "secret" not in bootstrap_prompt(direct, "fixer")
    assert "RETICLE_MCP_TOKEN;" in bootstrap_prompt(direct, "fixer")


def test_it_fits_a_line_of_a_terminal() -> None:
    """
    A program that reads lines gets all of it: a terminal cuts longer ones.
    """
    longest = Whereabouts(
        "http://127.0.0.1:65535/mcp", "r" * 64, "run_" + "0" * 32, "sess_" + "0" * 32, "/" * 200
    )
    assert len(bootstrap_prompt(longest, "r" * 64).encode()) < LINE_BYTES


def test_ones_own_words_come_last() -> None:
    """
    What a person adds is part of the prompt, on the same line.
    """
    assert bootstrap_prompt(TOLD, "", "Be brief.\nThanks.\n").endswith("repository. Be brief. Thanks.")


@given(st.text())
def test_no_key_is_typed_by_a_text(text: str) -> None:
    """
    Escape sequences, line ends and control keys in a prompt press nothing.
    """
    typed = keystrokes(text, bracketed_paste=False)
    assert not any(byte < 0x20 or byte == 0x7F for byte in typed)
    assert len(typed) <= PROMPT_BYTES
    assert keystrokes(text, bracketed_paste=True) == b"\x1b[200~" + typed + b"\x1b[201~"
    assert typed.decode() == one_line(one_line(text))


@pytest.mark.parametrize(
    ("named", "key"),
    [
        (r"\r", b"\r"),
        (r"\e\r", b"\x1b\r"),
        (r"\x0d", b"\r"),
        (r"\\", b"\\"),
        ("ok\\n", b"ok\n"),
        ("é", "é".encode()),
    ],
)
def test_a_submit_key_can_be_written(named: str, key: bytes) -> None:
    """
    Any key can be named on a command line.
    """
    assert submit_key(named) == key


@pytest.mark.parametrize("named", ["", "\\", r"\q", r"\x", r"\xg1"])
def test_a_submit_key_that_is_none_is_refused(named: str) -> None:
    """
    A key that was mistyped is not guessed.
    """
    with pytest.raises(ValueError, match=r"\S"):
        submit_key(named)
