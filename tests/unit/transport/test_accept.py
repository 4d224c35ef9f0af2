"""
What a client's Accept header asks for.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.transport.accept import Wish, event_stream_wish


@pytest.mark.parametrize(
    ("accepts", "wish"),
    [
        ([], Wish.ANY),
        (["*/*"], Wish.ANY),
        (["text/*;q=0.5"], Wish.ANY),
        (["text/event-stream"], Wish.NAMED),
        (["application/json, Text/Event-Stream"], Wish.NAMED),
        (["application/json", "text/event-stream;q=0.1"], Wish.NAMED),
        (["*/*, text/event-stream ; q = 0"], Wish.ANY),
        (["application/json"], Wish.REFUSED),
        ([""], Wish.REFUSED),
        (["*/*;q=0"], Wish.REFUSED),
        (["text/event-stream;q=x"], Wish.REFUSED),
        (["text/event-streams"], Wish.REFUSED),
    ],
)
def test_the_wish_of_a_header(accepts: list[str], wish: Wish) -> None:
    """
    Only a client that could take an event stream is given one.
    """
    assert event_stream_wish(accepts) is wish


@given(st.lists(st.text()))
def test_no_header_breaks_it(accepts: list[str]) -> None:
    """
    Any text is some wish.
    """
    assert event_stream_wish(accepts) in Wish
