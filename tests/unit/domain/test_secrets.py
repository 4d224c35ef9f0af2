"""
Secrets in what agents write themselves.
"""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.domain.secrets import without_secrets


@pytest.mark.parametrize(
    ("text", "cleaned", "kind"),
    [
        ("got eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc back", "got [REDACTED] back", "JSON Web Token"),
        ("key sk_live_abcdefgh1234", "key [REDACTED]", "payment key"),
        ("AKIAIOSFODNN7EXAMPLE!", "[REDACTED]!", "cloud key"),
        ("use ghp_abcdefghijklmnopqrst12", "use [REDACTED]", "forge token"),
        ("dtok_a1.secret-part", "[REDACTED]", "capability token"),
        ("Authorization: Bearer abc.def", "Authorization: [REDACTED]", "header"),
        ("sent bearer abcdefghijklmnop", "sent bearer [REDACTED]", "Authorization value"),
        ("http://ada:pw1@localhost/x", "http://[REDACTED]@localhost/x", "URL user name"),
        ('{"password": "hunter2"}', '{"password": "[REDACTED]"}', "named value"),
        ("POST /login?api_key=abc&x=1", "POST /login?api_key=[REDACTED]&x=1", "named value"),
        ("session_token=abcdef next", "session_token=[REDACTED] next", "named value"),
    ],
)
def test_a_secret_is_replaced_and_named(text: str, cleaned: str, kind: str) -> None:
    """
    A note may quote a call; the credential in it is not kept, and the agent hears what was taken out.
    """
    found = without_secrets(text)
    assert found.text == cleaned
    assert kind in found.found


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The unknown verdict said unsettled; which request was open?",
        "The color token of the button is off-theme; tokens: 1,200.",
        "e12 password field was not editable",
        "http://localhost:8000/@ada/orders",
        "Expected basic layout",
    ],
)
def test_plain_words_stay(text: str) -> None:
    """
    A note without secrets is kept as it was written.
    """
    assert (without_secrets(text).text, list(without_secrets(text).found)) == (text, [])


@given(st.text(st.sampled_from("ab -=:@/.\"'\n{}[]?&_") | st.sampled_from("token"), max_size=200))
def test_cleaning_twice_changes_nothing(text: str) -> None:
    """
    What was cleaned holds nothing more to clean.
    """
    once = without_secrets(text).text
    assert without_secrets(once).text == once


@pytest.mark.parametrize(
    "piece",
    [
        "-----BEGIN PRIVATE KEY-----",
        "a" * 7,
        "token=",
        "http://x",
        "eyJ-",
        "bearer ",
        "sk-",
        "cookie:",
        "a.b:",
    ],
)
def test_long_texts_take_no_long_time(piece: str) -> None:
    """
    A note made to be slow does not hold the daemon.
    """
    text = piece * (64_000 // len(piece))
    started = time.perf_counter()
    without_secrets(text)
    assert time.perf_counter() - started < 1.0
