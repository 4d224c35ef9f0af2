"""
Messages out of the bytes of a pipe.
"""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from reticle.browser.framing import END, HEAD_BYTES, Oversized, Splitter

MESSAGES = st.lists(st.binary(max_size=40).map(lambda raw: raw.replace(END, b"\1")), max_size=12)


@given(MESSAGES, st.lists(st.integers(0, 400)))
def test_messages_come_out_as_they_went_in_however_the_pipe_cuts_them(
    messages: list[bytes], cuts: list[int]
) -> None:
    """
    The kernel may hand over any number of bytes at a time.
    """
    stream = b"".join(message + END for message in messages)
    places = sorted({0, len(stream), *(cut for cut in cuts if cut < len(stream))})
    splitter = Splitter()
    found = [
        message for begin, end in itertools.pairwise(places) for message in splitter.feed(stream[begin:end])
    ]
    assert found == messages


@given(st.integers(0, 300), st.integers(1, 50))
def test_what_is_too_large_is_skipped_and_the_next_is_heard(over: int, step: int) -> None:
    """
    A page that logs a huge string costs no memory and takes nothing from the others.
    """
    limit = 100
    large = b'{"id":7,' + b"x" * (limit - 7 + over)
    stream = b"first" + END + large + END + b"next" + END
    splitter = Splitter(limit)
    found = [
        message
        for begin in range(0, len(stream), step)
        for message in splitter.feed(stream[begin : begin + step])
    ]
    assert found == [b"first", Oversized(large[:HEAD_BYTES]), b"next"]
    assert splitter.feed(b"x" * limit + END) == [b"x" * limit]
