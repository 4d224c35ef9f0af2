"""
A page read as a resource.
"""

from __future__ import annotations

from twisted.internet.defer import Deferred

from reticle.errors import Refusal
from reticle.model.codes import CommandName, RefusalCode
from reticle.model.limits import ANSWER_CHARS
from reticle.resources.snapshot import SNAPSHOT, read_snapshot
from reticle.resources.spec import Content
from reticle.testing.context import FakeContext
from reticle.testing.pages import FakePage, FakePages


def read(pages: FakePages, page_id: str) -> Content | Exception | None:
    """
    The content, or what was raised.
    """
    got: list[object] = []
    Deferred.fromCoroutine(read_snapshot(FakeContext(pages), {"id": page_id})).addBoth(got.append)
    [outcome] = got
    ended = getattr(outcome, "value", outcome)
    assert ended is None or isinstance(ended, Content | Exception)
    return ended


def test_a_page_is_read_as_text() -> None:
    """
    The outline of the named page comes, of no other.
    """
    page, other = FakePage("p1"), FakePage("p2")
    page.answer(CommandName.SNAPSHOT, {"tree": '- button "Save" (ref=e4)', "status": {}})
    assert read(FakePages(other, page), "p1") == Content("text/plain", 'button "Save" e4')
    assert other.asked == []


def test_what_is_left_out_is_told() -> None:
    """
    A reader is told when it does not see the whole page, whoever cut it.
    """
    page = FakePage("p1")
    page.answer(CommandName.SNAPSHOT, {"tree": "a\n" * ANSWER_CHARS}, times=1)
    page.answer(CommandName.SNAPSHOT, {"tree": "a", "truncated": True}, times=1)
    for _ in range(2):
        content = read(FakePages(page), "p1")
        assert isinstance(content, Content)
        assert content.text is not None
        assert content.text.endswith("read parts of it with reticle_snapshot)")
        assert len(content.text) < ANSWER_CHARS + 100


def test_a_page_that_is_not_there_is_no_resource() -> None:
    """
    The address of a closed page leads nowhere; one that does not answer says so.
    """
    page = FakePage("p1")
    assert read(FakePages(page), "p2") is None
    page.answer(CommandName.SNAPSHOT, Refusal(RefusalCode.PAGE_ERROR, "it broke"))
    refusal = read(FakePages(page), "p1")
    assert isinstance(refusal, Refusal)
    assert refusal.code == "page_error"


def test_every_connected_page_is_listed_in_a_stable_order() -> None:
    """
    The list names each page by its title, and activity does not shuffle it.
    """
    pages = FakePages(FakePage("p2"), FakePage("p1", title="Cart"))
    assert [(listed.uri, listed.title) for listed in SNAPSHOT.present(pages)] == [
        ("reticle://session/p1/snapshot", "Page Cart"),
        ("reticle://session/p2/snapshot", "Page Fake"),
    ]
