"""
Texts that were percent-encoded.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.model.percent import decoded

PLAIN = st.text(st.characters(min_codepoint=33, max_codepoint=126, exclude_characters="%"), max_size=30)


@given(text=PLAIN, which=st.sets(st.integers(0, 29)), lower=st.booleans(), again=st.integers(0, 40))
def test_whatever_was_encoded_comes_back(text: str, which: set[int], again: int, *, lower: bool) -> None:
    """
    Any characters, in either case of the digits, and the percent signs encoded any number of times more.
    """
    form = "%{:02x}" if lower else "%{:02X}"
    encoded = "".join(form.format(ord(char)) if place in which else char for place, char in enumerate(text))
    assert decoded(encoded.replace("%", "%" + "25" * again)) == text


def test_digits_that_are_encoded_themselves_come_back() -> None:
    """
    ``%64`` may be written with its digits encoded.
    """
    assert decoded("%%36%34tok") == "dtok"


@pytest.mark.parametrize("text", ["100% sure", "%", "%2", "%zz", "%25", "caf%C3%A9", "%ff", "%2" * 9])
def test_what_is_no_encoding_does_no_harm(text: str) -> None:
    """
    A lone percent sign, half an octet or one that is no text are looked at as they are.
    """
    assert isinstance(decoded(text), str)
