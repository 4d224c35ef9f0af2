"""
Which addresses are opened.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.domain.openable import check_openable
from reticle.errors import Refusal
from reticle.model.limits import URL_CHARS


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:3000",
        "https://shop.example/a?b=c#d",
        "http://[::1]:8000/",
        "http://127.0.0.1/ä",
        "HTTP://x/",
    ],
)
def test_a_whole_address_is_taken_as_it_is(url: str) -> None:
    """
    What an agent asked for is what is opened, to the letter.
    """
    assert check_openable(url) == url


@pytest.mark.parametrize(
    ("url", "fault"),
    [
        ("", "empty"),
        ("http://a b/", "blanks"),
        ("http://x/\n", "blanks"),
        ("http://x/\x00", "blanks"),
        ("localhost:3000", "no http:// or https://"),
        ("shop.example/cart", "no http:// or https://"),
        ("javascript:alert(1)", "no http:// or https://"),
        ("about:blank", "no http:// or https://"),
        ("file:///etc/passwd", "not file"),
        ("chrome://version", "not chrome"),
        ("ws://localhost/", "not ws"),
        ("view-source:http://x/", "not view-source"),
        ("://x", "no scheme"),
        ("http:///x", "names no host"),
        ("http://x:70000/", "is none"),
        ("http://x:0/", "port 0"),
        ("http://[::1", "is none"),
        ("http://ann:secret@x/", "user name or password"),
        ("http://x/" + "a" * URL_CHARS, "characters"),
    ],
)
def test_what_is_wrong_with_an_address_is_said(url: str, fault: str) -> None:
    """
    A refused address comes with the one fault that it has, and never with the password that was in it.
    """
    with pytest.raises(Refusal) as caught:
        check_openable(url)
    assert caught.value.code == "bad_arguments"
    assert fault in caught.value.message
    assert caught.value.recovery
    assert "secret" not in caught.value.message + str(caught.value.recovery)


@given(st.text(max_size=40) | st.text("htps:/@.[]x0 ", max_size=20).map("http://".__add__))
def test_any_text_is_taken_or_refused(text: str) -> None:
    """
    Whatever an agent writes there, it is told what is wrong; what is taken is of the web.
    """
    try:
        url = check_openable(text)
    except Refusal as refusal:
        assert refusal.code == "bad_arguments"  # noqa: PT017 - either way is right
    else:
        assert url.lower().startswith(("http://", "https://"))
