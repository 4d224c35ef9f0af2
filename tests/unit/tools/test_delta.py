"""
The difference between two looks at a page.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reticle.tools.delta import Change, compare

BEFORE = """- heading "Cart" (ref=e1)
- list
  - listitem "Pen" (ref=e2)
  - listitem "Ink" (ref=e3)
- button "Pay" (ref=e4) [focused]
- textbox "Code" (ref=e5) [value="A"]
"""


def test_the_same_tree_has_no_difference() -> None:
    """
    Nothing is reported when nothing changed.
    """
    assert not compare(BEFORE, BEFORE)


def test_added_and_removed_lines_are_told_with_their_refs() -> None:
    """
    A new row can be clicked by the ref in the difference.
    """
    after = BEFORE.replace('  - listitem "Ink" (ref=e3)\n', '  - listitem "Cap" (ref=e9)\n')
    delta = compare(BEFORE, after)
    assert list(delta.added) == ['- listitem "Cap" (ref=e9)']
    assert list(delta.removed) == ['- listitem "Ink" (ref=e3)']
    assert (list(delta.changed), delta.renewed, delta.focus) == ([], {}, None)


def test_a_changed_value_is_one_change() -> None:
    """
    An element that kept its ref and got another value is shown before and after.
    """
    delta = compare(BEFORE, BEFORE.replace('[value="A"]', '[value="B"]'))
    assert list(delta.changed) == [
        Change('- textbox "Code" (ref=e5) [value="A"]', '- textbox "Code" (ref=e5) [value="B"]')
    ]
    assert (list(delta.added), list(delta.removed)) == ([], [])


def test_focus_alone_is_no_change_of_lines() -> None:
    """
    Moving the focus is told as such, not as two changed elements.
    """
    after = BEFORE.replace("(ref=e4) [focused]", "(ref=e4)").replace(
        '(ref=e5) [value="A"]', '(ref=e5) [value="A"] [focused]'
    )
    delta = compare(BEFORE, after)
    assert delta.focus == ("e4", "e5")
    assert delta.lines() == 0


def test_an_element_rendered_anew_gets_its_new_ref_told() -> None:
    """
    A row that looks the same but is another element now does not leave the agent with a dead ref.
    """
    delta = compare(BEFORE, BEFORE.replace("(ref=e4)", "(ref=e14)"))
    assert delta.renewed == {"e4": "e14"}
    assert delta.focus is None
    assert (list(delta.added), list(delta.removed)) == ([], [])


def test_one_of_several_equal_rows_that_goes_away_is_named() -> None:
    """
    Of three rows that read alike, the removed one is the one whose ref is gone.
    """
    rows = '- row "Same" (ref=e1)\n- row "Same" (ref=e2)\n- row "Same" (ref=e3)\n'
    delta = compare(rows, rows.replace('- row "Same" (ref=e2)\n', ""))
    assert list(delta.removed) == ['- row "Same" (ref=e2)']
    assert delta.renewed == {}


@given(
    st.lists(st.sampled_from(['- a "x" (ref=e1)', "- b", '- c "y" (ref=e2) [focused]', "  - b"]), max_size=8)
)
def test_a_tree_never_differs_from_itself(lines: list[str]) -> None:
    """
    Whatever a page looks like, an unchanged page has no difference.
    """
    assert not compare("\n".join(lines), "\n".join(lines))


@given(
    st.lists(st.sampled_from(["- a", "- b", "- c"]), max_size=8),
    st.lists(st.sampled_from(["- a", "- b", "- d"]), max_size=8),
)
def test_every_line_that_came_or_went_is_told(before: list[str], after: list[str]) -> None:
    """
    The difference accounts for each line, so an agent that applies it has the new page.
    """
    delta = compare("\n".join(before), "\n".join(after))
    kept = list(before)
    for line in delta.removed:
        kept.remove(line)
    assert sorted(kept + list(delta.added)) == sorted(after)
