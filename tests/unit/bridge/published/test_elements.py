"""
Descriptors that did not come whole.
"""

from __future__ import annotations

import pytest

from reticle.testing.published import BUTTON, PublishedPage, read


@pytest.mark.parametrize(
    "damaged",
    [
        "e17",
        {**BUTTON, "name": "[TRUNCATED]"},
        {**BUTTON, "name": "Save the very long[TRUNCATED]"},
        {**BUTTON, "states": "[TRUNCATED]"},
        {**BUTTON, "states": ["present", "[TRUNCATED]"]},
        {**BUTTON, "visible": "[TRUNCATED]"},
        {**BUTTON, "ref": ""},
    ],
)
def test_a_damaged_descriptor_is_no_absence(published: PublishedPage, damaged: object) -> None:
    """
    Whether a damaged element is the one with that name cannot be told, so that it is not said to be missing.
    """
    published.on("match", {"count": 1, "elements": [damaged]})
    reading = read(published, "match", query={"testid": "save", "name": "Save"})
    assert reading.answer is None
    assert reading.error is not None


def test_a_secret_value_is_not_a_wrong_one(published: PublishedPage) -> None:
    """
    A password field may hold what is asked for; an empty field has no value and is found by it.
    """
    field = {**BUTTON, "role": "textbox", "name": "Password"}
    published.on("match", {"count": 1, "elements": [{**field, "value": "[REDACTED]"}]})
    assert read(published, "match", query={"testid": "pw", "value": "hunter2"}).answer is None
    published.on("match", {"count": 1, "elements": [field]})
    empty = read(published, "match", query={"testid": "pw", "value": ""}).answer
    assert empty is not None
    assert empty["count"] == 1


def test_words_beyond_what_is_shown_of_a_long_text_cannot_be_told(published: PublishedPage) -> None:
    """
    The packages find "SAVED" for "Saved" and show 80 characters: further on the very words are a guess.
    """
    long = {**BUTTON, "role": "paragraph", "name": "", "text": "a" * 80 + "…"}
    published.on("match", {"count": 1, "elements": [long]})
    assert read(published, "text", contains="Saved").answer is None
    said = {**BUTTON, "ref": "e6", "role": "status", "name": "Saved"}
    published.on("match", {"count": 2, "elements": [long, said]})
    reading = read(published, "text", contains="Saved", visible=True)
    assert reading.answer is not None
    assert (reading.answer["matched"], reading.answer["count"]) == (True, 1)
