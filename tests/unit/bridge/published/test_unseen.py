"""
Parts of a page into which the packages do not look.
"""

from __future__ import annotations

import pytest

from reticle.testing.published import BUTTON, PublishedPage, read

NOTHING = {"matched": False, "count": 0, "elements": []}
FRAMED = '- button "inside" (ref=e1)'


@pytest.mark.parametrize(
    ("kind", "asked"), [("match", {"query": {"role": "alert"}}), ("text", {"contains": "Error"})]
)
def test_nothing_found_proves_nothing_where_a_frame_is(
    published: PublishedPage, kind: str, asked: dict[str, object]
) -> None:
    """
    The error may be shown inside of a frame or a web component; without such a part there is none.
    """
    published.on("match", NOTHING)
    answer = read(published, kind, **asked).answer
    assert answer is not None
    assert answer["count"] == 0
    published.hosts = FRAMED
    published.end.event("dom.added", {"role": "generic", "name": "widget"})
    assert read(published, kind, **asked).answer is None


def test_what_was_found_is_found(published: PublishedPage) -> None:
    """
    A part that cannot be seen takes nothing away from what can; nor does one that is found in another state.
    """
    published.hosts = FRAMED
    published.on("match", {"count": 1, "elements": [BUTTON]})
    found = read(published, "match", query={"role": "button"}).answer
    enabled = read(published, "match", query={"role": "button"}, state="disabled").answer
    assert found is not None
    assert enabled is not None
    assert (found["count"], enabled["count"]) == (1, 0)


def test_a_part_that_came_without_a_word_is_noticed(published: PublishedPage) -> None:
    """
    The packages report no frame that is added and no text that replaces another: what was not found a moment
    ago may stand in one now.
    """
    published.on("match", NOTHING)
    assert read(published, "text", contains="Saved").answer is not None
    published.hosts = FRAMED
    assert read(published, "text", contains="Saved").answer is None
