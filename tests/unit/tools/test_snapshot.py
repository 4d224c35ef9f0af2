"""
Reading a page, whole and as a difference.
"""

from __future__ import annotations

import pytest

from reticle.errors import Refusal
from reticle.model.codes import CommandName
from reticle.model.limits import ANSWER_CHARS
from reticle.testing.context import FakeContext
from reticle.testing.pages import Asked, FakePage, FakePages
from reticle.testing.toolcalls import answer_of, refusal_of
from reticle.tools.snapshot import Remembered, SnapshotKey, SnapshotMemory, snapshot_tool
from reticle.tools.spec import Tool

TREE = '- heading "Shop" (ref=e1)\n- button "Pay" (ref=e2)\n- button "Back" (ref=e3)'
OUTLINE = '#"Shop" e1\nbutton "Pay" e2\nbutton "Back" e3'


@pytest.fixture
def snapshot() -> Tool:
    """
    The tool with a memory of its own.
    """
    return snapshot_tool(SnapshotMemory())


@pytest.fixture
def page() -> FakePage:
    """
    A page that can be read.
    """
    page = FakePage()
    show(page, TREE)
    return page


def show(page: FakePage, tree: str, route: str = "/", **fields: object) -> None:
    """
    Let the page look so from now on.
    """
    result = {"tree": tree, "nodes": tree.count("- "), "truncated": False, "status": {"route": route}}
    page.answer(CommandName.SNAPSHOT, {**result, **fields})


def test_a_whole_page_is_its_tree_and_one_line(snapshot: Tool, page: FakePage) -> None:
    """
    The text of a snapshot is the outline, then where the page is.
    """
    answer = answer_of(snapshot, FakeContext(FakePages(page)), {"scope": "#main", "mode": "interactive"})
    assert answer.fields == {"tree": OUTLINE, "status": {"route": "/"}, "nodes": 3}
    assert answer.text == f"{OUTLINE}\nroute /"
    assert page.asked == [Asked(CommandName.SNAPSHOT, {"scope": "#main", "mode": "interactive"})]


def test_status_mode_gives_no_tree(snapshot: Tool, page: FakePage) -> None:
    """
    Route, title and dialogs alone cost a line.
    """
    page.answer(
        CommandName.SNAPSHOT,
        {"tree": "", "status": {"route": "/a", "title": "Shop", "visibleDialogs": ["Sure?"]}},
    )
    answer = answer_of(snapshot, FakeContext(FakePages(page)), {"mode": "status"})
    assert answer.text == 'route /a · title "Shop" · dialogs ["Sure?"]'
    assert "tree" not in answer.fields


def test_the_first_difference_is_the_whole_page(snapshot: Tool, page: FakePage) -> None:
    """
    An agent that has seen nothing gets everything, and is told why.
    """
    answer = answer_of(snapshot, FakeContext(FakePages(page)), {"diff": True})
    assert (answer.fields["mode"], answer.fields["reason"], answer.fields["tree"]) == (
        "full",
        "first look",
        OUTLINE,
    )


def test_an_unchanged_page_is_said_to_be_so(snapshot: Tool, page: FakePage) -> None:
    """
    The second look at an unchanged page costs a word.
    """
    context = FakeContext(FakePages(page))
    answer_of(snapshot, context, {})
    answer = answer_of(snapshot, context, {"diff": True})
    assert answer.fields["mode"] == "unchanged"
    assert "tree" not in answer.fields
    assert answer.text == "unchanged\nroute / · mode unchanged"


def test_a_difference_shows_what_changed(snapshot: Tool, page: FakePage) -> None:
    """
    After an act, only the new, gone and changed lines come back.
    """
    context = FakeContext(FakePages(page))
    answer_of(snapshot, context, {"diff": True})
    show(page, TREE.replace('"Back" (ref=e3)', '"Back" (ref=e3) [disabled]') + '\n- status "Paid" (ref=e4)')
    answer = answer_of(snapshot, context, {"diff": True})
    assert answer.fields["mode"] == "delta"
    assert answer.fields["delta"] == {"added": ['- status "Paid" (ref=e4)']}
    assert answer.fields["changed"] == [
        {"from": '- button "Back" (ref=e3)', "to": '- button "Back" (ref=e3) [disabled]'}
    ]
    assert answer.text is not None
    assert answer.text.splitlines()[0] == '+ - status "Paid" (ref=e4)'


@pytest.mark.parametrize(
    ("route", "document", "reason"),
    [("/cart", None, "the route changed"), ("/", "doc00002", "the page was loaded anew")],
)
def test_another_page_is_given_whole(
    snapshot: Tool, page: FakePage, route: str, document: str | None, reason: str
) -> None:
    """
    After a navigation a difference would compare two different pages; the whole one is given instead.
    """
    context = FakeContext(FakePages(page))
    answer_of(snapshot, context, {})
    show(page, TREE, route)
    if document is not None:
        page.load_document(document)
    answer = answer_of(snapshot, context, {"diff": True})
    assert (answer.fields["mode"], answer.fields["reason"]) == ("full", reason)


def test_a_page_that_changed_mostly_is_given_whole(snapshot: Tool, page: FakePage) -> None:
    """
    A difference as long as the page is not worth having.
    """
    context = FakeContext(FakePages(page))
    answer_of(snapshot, context, {})
    show(page, '- heading "Other" (ref=e7)\n- link "Home" (ref=e8)')
    answer = answer_of(snapshot, context, {"diff": True})
    assert (answer.fields["mode"], answer.fields["reason"]) == ("full", "most of it changed")


def test_another_agents_look_is_no_base_for_mine(snapshot: Tool, page: FakePage) -> None:
    """
    An agent never hears "unchanged" about a page that only another agent has read.
    """
    answer_of(snapshot, FakeContext(FakePages(page), conversation_id="one"), {})
    answer = answer_of(snapshot, FakeContext(FakePages(page), conversation_id="two"), {"diff": True})
    assert answer.fields["reason"] == "first look"


def test_a_long_tree_is_cut_at_a_line_and_says_so(snapshot: Tool, page: FakePage) -> None:
    """
    A huge page gives its beginning, how much is missing and how to get it.
    """
    line = f'"{"x" * 97}"'
    show(page, "\n".join([f"- text {line}"] * 1_000))
    answer = answer_of(snapshot, FakeContext(FakePages(page)), {})
    shown = ANSWER_CHARS // (len(line) + 1)
    assert answer.fields["tree"] == "\n".join([line] * shown)
    assert answer.fields["truncated"] is True
    assert f"{1_000 - shown} more lines" in str(answer.fields["note"])


def test_branches_that_were_not_read_are_named(snapshot: Tool, page: FakePage) -> None:
    """
    When the page itself had to stop, its answer names the refs to read on from.
    """
    show(page, TREE, truncated=True, unread=["e40", "e41"])
    answer = answer_of(snapshot, FakeContext(FakePages(page)), {})
    assert (answer.fields["truncated"], answer.fields["unread"]) == (True, ["e40", "e41"])
    assert "e40, e41" in str(answer.fields["note"])


def test_a_scope_that_matches_nothing_is_not_an_empty_page(snapshot: Tool, page: FakePage) -> None:
    """
    A wrong selector is told apart from a page without content, and is not remembered as seen.
    """
    context = FakeContext(FakePages(page))
    show(page, "", scopeMissing=True)
    answer = answer_of(snapshot, context, {"scope": "#nope", "diff": True})
    assert answer.fields["scopeMissing"] is True
    assert "Nothing matches scope" in str(answer.fields["note"])
    show(page, TREE)
    assert answer_of(snapshot, context, {"scope": "#nope", "diff": True}).fields["reason"] == "first look"


def test_a_refusal_of_the_page_is_passed_on(snapshot: Tool, page: FakePage) -> None:
    """
    A stale ref as scope is refused with the page's own code.
    """
    page.answer(CommandName.SNAPSHOT, Refusal("stale_ref", "e9 is gone", "Query again."))
    refusal = refusal_of(snapshot, FakeContext(FakePages(page)), {"scope": "e9"})
    assert (refusal.code, refusal.recovery) == ("stale_ref", "Query again.")


def test_the_oldest_tree_is_forgotten_first() -> None:
    """
    Memory is bounded: the least recently used look is given up.
    """
    memory = SnapshotMemory(kept=2)
    seen = Remembered(None, "/", "- a")
    keys = [SnapshotKey("one", f"p{number}", None, "full") for number in range(3)]
    assert [memory.swap(key, seen) for key in (keys[0], keys[1], keys[0], keys[2])] == [
        None,
        None,
        seen,
        None,
    ]
    assert memory.swap(keys[0], seen) is seen
    assert memory.swap(keys[1], seen) is None
