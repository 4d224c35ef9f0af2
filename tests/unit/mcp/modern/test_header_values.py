"""
What a routing header's value stands for.
"""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.mcp.modern.header_values import header_text


def encoded(text: str) -> str:
    """
    A text as a client encodes what a header cannot carry.
    """
    return f"=?base64?{base64.b64encode(text.encode()).decode()}?="


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("tools/call", "tools/call"),
        ("  tools/call\t", "tools/call"),
        ("", ""),
        (encoded("größe"), "größe"),
        (f" {encoded(' padded ')} ", " padded "),
        (encoded(""), ""),
        (encoded("=?base64?eA==?="), "=?base64?eA==?="),
        ("=?base64?eA==", "=?base64?eA=="),
        ("eA==?=", "eA==?="),
        ("=?base64?=", "=?base64?="),
        ("=?BASE64?eA==?=", "=?BASE64?eA==?="),
        ("=?base64?eA?=", None),
        ("=?base64?eB==?=", None),
        ("=?base64?e A==?=", None),
        ("=?base64?e-_=?=", None),
        ("=?base64?/w==?=", None),
        ("gr\xf6\xdfe", None),
        ("a\x00b", None),
        ("a\x7fb", None),
    ],
)
def test_a_value_is_read_strictly(value: str, text: str | None) -> None:
    """
    A name that a header cannot carry arrives whole, and no second spelling of it is taken.
    """
    assert header_text(value) == text


@given(st.text().filter(lambda text: text.isascii() or text.encode("utf-8", "replace").decode() == text))
def test_every_text_survives_encoding(text: str) -> None:
    """
    Whatever a tool is called, its name can be sent in a header.
    """
    assert header_text(encoded(text)) == text


@given(st.text(max_size=40), st.text("=?base64+/AQ", max_size=40))
def test_any_value_is_read_or_refused(first: str, second: str) -> None:
    """
    No header value breaks the daemon.
    """
    read = header_text(first + second)
    assert read is None or isinstance(read, str)
