"""
The numbers of a source map's mappings.
"""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.bridge.sources.vlq import DamagedMapError, decode_segment
from tests.unit.bridge.sources.written_maps import encode_number

NUMBERS = st.integers(-(2**31) + 1, 2**31 - 1)


@given(st.one_of(*[st.lists(NUMBERS, min_size=size, max_size=size) for size in (1, 4, 5)]))
def test_what_a_bundler_writes_is_what_is_read(numbers: list[int]) -> None:
    """
    Each number comes back as it was written.
    """
    assert decode_segment("".join(map(encode_number, numbers))) == tuple(numbers)


@pytest.mark.parametrize("text", ["", "A A", "g", "AA", "AAA", "AAAAAA", "gggggggA", "AAA\u00e9", "="])
def test_what_is_no_segment_is_damage(text: str) -> None:
    """
    A character outside the alphabet, a number that is cut off or too long, a wrong number of them.
    """
    with pytest.raises(DamagedMapError):
        decode_segment(text)


@given(st.text(max_size=40))
def test_any_text_is_numbers_or_damage(text: str) -> None:
    """
    Nothing else comes of it.
    """
    with contextlib.suppress(DamagedMapError):
        assert len(decode_segment(text)) in (1, 4, 5)
