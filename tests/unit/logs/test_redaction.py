"""
No secret reaches a log, whatever spelling it comes in.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.logs.redaction import REDACTED, Redaction
from reticle.model.percent import decoded

SECRETS = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=8, max_size=40)
AROUND = st.text(max_size=20)


@given(SECRETS, AROUND, AROUND)
def test_a_configured_secret_never_passes(secret: str, before: str, after: str) -> None:
    """
    The pairing token is blanked, plain, in a URL, in JSON and in a repr.
    """
    redaction = Redaction([secret])
    for spelling in (secret, quote(secret, safe=""), json.dumps(secret)[1:-1], repr(secret)[1:-1]):
        cleaned = redaction.clean(f"{before}{spelling}{after}")
        assert spelling not in cleaned.replace("[REDACTED]", "") or spelling in before + after


@pytest.mark.parametrize("kept", [4, 9, 19])
@pytest.mark.parametrize("write", [str, quote, lambda part: "".join(f"%{ord(char):02x}" for char in part)])
@pytest.mark.parametrize("half", ["", "%", "%7"])
def test_what_a_cut_leaves_of_a_secret_is_blanked(kept: int, write: Callable[[str], str], half: str) -> None:
    """
    A pairing token in a path or message that a log line cuts is not shown in part, encoded or not.
    """
    secret = "wZ4/9qLm+T7xK2pVbN8s"
    cleaned = Redaction([secret]).clean(
        f"GET /x?{write(secret[:kept])}{half}… 404 in wZ4… of {secret[:kept]}"
    )
    path, rest = cleaned.split(" 404 ")
    assert (REDACTED in path, secret[:3] in decoded(path)) == (True, False)
    assert rest == f"in wZ4… of {secret[:kept]}"


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("GET /mcp/sse?token=SECRET123&x=1", "GET /mcp/sse?token=[REDACTED]&x=1"),
        ("Authorization: Bearer SECRET123", "Authorization: Bearer [REDACTED]"),
        ("authorization: basic dXNlcjpw==", "authorization: basic [REDACTED]"),
        ("used dtok_ab12.c2VjcmV0-_x now", "used [REDACTED] now"),
        ("200 token:dtok_0123456789abcdef sse", "200 token:dtok_0123456789abcdef sse"),
        ("dtok_0123456789abcdef.c2VjcmV0", "[REDACTED]"),
        ("dtok_0123456789abcdefc2VjcmV0", "[REDACTED]"),
        ('{"token": "SECRET123", "a": 1}', '{"token": "[REDACTED]", "a": 1}'),
        ('"{\\"access_token\\":\\"SECRET123\\"}"', '"{\\"access_token\\":\\"[REDACTED]\\"}"'),
        ("postgres://me:SECRET123@db/x", "postgres://[REDACTED]@db/x"),
        ("%3Ftoken%3DSECRET123", "%3Ftoken%3D[REDACTED]"),
        ("GET /foo/dtok_abc%2Exyz 404", "GET /foo/[REDACTED] 404"),
        ("GET /foo/%64tok_0123456789abcdef%252Exyz/x 404", "GET /foo/[REDACTED]/x 404"),
        ("/a%20b/%25252564tok%5Fabcdef?x=1", "/a%20b/[REDACTED]?x=1"),
        ("/x%2FDTOK_ab12.c2VjcmV0", "/x%2F[REDACTED]"),
        ("/x?%74oken=SECRET123", "[REDACTED]"),
        ("100% of /caf%C3%A9?q=a%20b", None),
        ("nothing secret: token_missing at http://127.0.0.1:4400/status", None),
    ],
)
def test_credentials_are_known_by_their_shape(text: str, cleaned: str | None) -> None:
    """
    Tokens nobody configured are blanked too; ordinary words stay.
    """
    assert Redaction().clean(text) == (text if cleaned is None else cleaned)


@given(SECRETS, st.sets(st.integers(0, 39)), st.integers(0, 3))
def test_a_configured_secret_is_found_behind_any_encoding(secret: str, which: set[int], again: int) -> None:
    """
    A part of it encoded, or all, once or several times: it is in no line.
    """
    encoded = "".join(f"%{ord(char):02x}" if place in which else char for place, char in enumerate(secret))
    word = encoded.replace("%", "%" + "25" * again)
    cleaned = Redaction([secret]).clean(f"GET /a/{word} 404")
    assert secret not in decoded(cleaned) or secret in "GET /a/ 404 [REDACTED]"


def test_a_short_secret_does_not_blank_the_log() -> None:
    """
    A token of one letter would make every line unreadable; it is left to the shapes.
    """
    assert Redaction(["e"]).clean("the end") == "the end"


@given(
    SECRETS, st.lists(st.one_of(AROUND, st.sampled_from(["token=abc", "Basic x", "/a%20b", "a…", "dtok_"])))
)
def test_what_is_left_as_a_whole_is_left_in_its_parts(secret: str, lines: list[str]) -> None:
    """
    Lines that are looked at together leak nothing that each of them alone would not.
    """
    redaction = Redaction([secret])
    if redaction.leaves("\n".join(lines)):
        assert [redaction.clean(line) for line in lines] == lines
