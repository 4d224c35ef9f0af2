"""
What never leaves the user's process.
"""

from __future__ import annotations

import pytest

from reticle.probe import redaction
from reticle.probe.redaction import REDACTED


@pytest.mark.parametrize(
    "key",
    [
        "password", "user_password", "Authorization", "apiKey", "X-Api-Key", "client_secret",
        "csrfmiddlewaretoken",
        "sessionid", "accessToken", "token", "jwt", "card_number", "db_pwd",
    ],
)  # fmt: skip
def test_a_key_that_names_a_credential_is_known(key: str) -> None:
    """
    However a project writes its names.
    """
    assert redaction.is_secret_key(key)


@pytest.mark.parametrize(
    "key", ["colorToken", "token_count", "className", "secretary", "next_token", "signatureVersion", "", "42"]
)
def test_a_look_alike_stays_readable(key: str) -> None:
    """
    Words that only resemble a credential tell what they tell.
    """
    assert not redaction.is_secret_key(key)


@pytest.mark.parametrize(
    ("written", "left"),
    [
        ("login of bob failed", "login of bob failed"),
        ("Authorization: Bearer abcdefghijklmnop", f"Authorization: {REDACTED}"),
        ("cannot reach postgres://shop:hunter2@db/shop", f"cannot reach postgres://{REDACTED}@db/shop"),
        ("password=hunter2 user=bob", f"password={REDACTED} user=bob"),
        ('{"password": "hunter2", "a": 1}', f'{{"password": "{REDACTED}", "a": 1}}'),
        ("key AKIAABCDEFGHIJKLMNOP", f"key {REDACTED}"),
        ("token: a1b2c3d4e5", f"token: {REDACTED}"),
        ("Unexpected token: name", "Unexpected token: name"),
        ("got eyJhbGciOiJI.eyJzdWIiOiIx.abc", f"got {REDACTED}"),
    ],
)
def test_credentials_in_prose_are_replaced(written: str, left: str) -> None:
    """
    A log line keeps its meaning and loses its secret.
    """
    assert redaction.text(written) == left


def test_a_long_text_is_cut() -> None:
    """
    A whole document in a message becomes its beginning, and a credential at the cut does not stay in half.
    """
    assert redaction.text("x" * 5_000, 10) == "x" * 9 + "…"
    assert "AKIA" not in redaction.text("x" * 990 + " AKIAABCDEFGHIJKLMNOP", 1_000)


def test_a_query_loses_credentials_alone() -> None:
    """
    What a person searched for is evidence, their token is not.
    """
    assert redaction.query("q=shoes&access_token=abc&page=2") == f"q=shoes&access_token={REDACTED}&page=2"


def test_a_path_loses_one_time_tokens() -> None:
    """
    A link to reset a password stays usable to its owner alone.
    """
    assert redaction.path("/reset/MQ/c1z3xk-0123456789abcdef0123456789abcdef/") == f"/reset/MQ/{REDACTED}/"
    assert redaction.path("/orders/42") == "/orders/42"


def test_an_outgoing_url_keeps_the_names_of_its_query() -> None:
    """
    Which service was asked is told, with what is not.
    """
    url = "https://bob:pw@api.example/v1/pay?amount=5&key=abc#top"
    assert redaction.outgoing_url(url) == "https://api.example/v1/pay?amount=&key="


@pytest.mark.parametrize(
    "message",
    [
        "UNIQUE\n[SQL: INSERT INTO u VALUES (?, 'hunter')]\n[parameters: ('ada', 'hunter')]\n(Background)",
        "too long\n[parameters: [('ada', 'hunter'), ('bob', 'hunter')]]",
        "cut\n[parameters: ('ada', 'hunter",
        "null value\nDETAIL:  Failing row contains (1, ada (x), hunter).",
        "duplicate\nDETAIL:  Key (email)=(hunter) already exists.",
        "(1062, \"Duplicate entry 'hunter' for key 'u.email'\")",
    ],
)
def test_a_database_tells_no_values_in_its_exceptions(message: str) -> None:
    """
    What is kept back of a statement does not come out in the words of its failure.
    """
    told = redaction.text(message)
    assert "hunter" not in told
    assert told[:4] == message[:4]
