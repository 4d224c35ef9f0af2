"""
JSON that an app sent as text.
"""

from __future__ import annotations

import json

import pytest

from reticle.domain.json_text import LEVELS, TooDeepError, read_json


def test_what_an_app_sends_is_read() -> None:
    """
    However much stands side by side.
    """
    wide = [{"n": [n, "[{"]} for n in range(5_000)]
    assert read_json(json.dumps(wide)) == wide
    deep = "[" * LEVELS + "]" * LEVELS
    assert json.dumps(read_json(deep)).replace(" ", "") == deep


@pytest.mark.parametrize("levels", [LEVELS + 2, 5_000, 1_000_000])
def test_values_in_values_without_end_are_no_bug(levels: int) -> None:
    """
    A page that sends them gets no verdict of them, and the agent no incident.
    """
    with pytest.raises(TooDeepError):
        read_json("[" * levels + "]" * levels)
    with pytest.raises(TooDeepError):
        read_json('{"a":' * levels + "1" + "}" * levels)


@pytest.mark.parametrize("text", ["", "{", "nope", "[1,]"])
def test_what_is_no_json_is_none(text: str) -> None:
    """
    And is not called too deep.
    """
    with pytest.raises(ValueError, match="line 1 column") as caught:
        read_json(text)
    assert not isinstance(caught.value, TooDeepError)
