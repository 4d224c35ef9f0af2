"""
The outline that an agent reads, made of the lines of the page.
"""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.domain.outline import LINE_CHARS, condense


def outline(*lines: str, marks_clicks: bool = True) -> list[str]:
    """
    The outline of such lines.
    """
    return condense("\n".join(lines), marks_clicks=marks_clicks).split("\n")


@pytest.mark.parametrize(
    ("line", "short"),
    [
        ('- button "Pay" (ref=e2) [disabled]', 'button "Pay" e2 [disabled]'),
        (
            '- textbox "Name" (ref=e3) [value="A \\"B\\" (ref=e9)"] [focused]',
            'textbox "Name" e3 ="A \\"B\\" (ref=e9)" [focused]',
        ),
        ('- heading "Shop" (ref=e1)', '#"Shop" e1'),
        ('- text "Hello"', '"Hello"'),
        ("- status", "status"),
        ('- cell "4" (ref=e1)', 'cell "4"'),
        ("something else", "something else"),
        ("", ""),
    ],
)
def test_a_line_says_the_same_in_fewer_characters(line: str, short: str) -> None:
    """
    Role, name, ref, value and states stay; what cannot be read stays as it is.
    """
    assert outline(line) == [short]


def test_a_few_things_stand_in_one_line() -> None:
    """
    Neighbours of one role share its word, and text among them cannot be taken for one of them.
    """
    lines = [
        '- group "Size" (ref=e1)',
        '  - radio "S" (ref=e2) [checked]',
        '  - radio "M" (ref=e3)',
        '  - text "M"',
        '  - radio "L" (ref=e4)',
    ]
    assert outline(*lines) == ['group "Size" e1: radio "S" e2 [checked] "M" e3 "M" radio "L" e4']


def test_a_long_line_is_broken_at_its_parts() -> None:
    """
    No line is too long to find one's way in.
    """
    fields = [
        f'  - textbox "A field with a rather long name {number}" (ref=e{number})' for number in range(9)
    ]
    got = outline('- form "All" (ref=e99)', *fields)
    assert got[0] == 'form "All" e99'
    assert got[1] == ' textbox "A field with a rather long name 0" e0'
    assert len(got) == 10
    assert max(map(len, got)) <= LINE_CHARS


def test_rows_of_a_table_are_lines() -> None:
    """
    Cells are their content; the row and whatever can be acted on keep their refs, a clickable cell too.
    """
    lines = [
        '- table "Orders" (ref=e1)',
        "  - row (ref=e2)",
        '    - columnheader "Order" (ref=e3)',
        '    - columnheader "By" (ref=e4)',
        "  - row (ref=e5)",
        '    - cell "#1" (ref=e6)',
        '      - link "#1" (ref=e7)',
        '    - cell "Ada" (ref=e8) [clickable]',
        "    - cell",
        '    - cell "Edit Delete" (ref=e9)',
        '      - button "Edit" (ref=e10)',
        '      - button "Delete" (ref=e11)',
    ]
    assert outline(*lines) == [
        'table "Orders" e1',
        ' columns e2: "Order" e3 "By" e4',
        ' row e5: link "#1" e7 cell "Ada" e8 "" (button "Edit" e10 "Delete" e11)',
    ]


def test_a_row_of_headers_keeps_what_is_said_of_it() -> None:
    """
    A name that is not its content, and its states.
    """
    lines = ['- row "Sort by" (ref=e1) [focused]', '  - columnheader "Order" (ref=e2)']
    assert outline(*lines) == ['columns "Sort by" e1 [focused]: "Order" e2']


def test_a_page_that_marks_no_clicks_keeps_all_refs() -> None:
    """
    Where nobody can tell whether a cell takes clicks, its ref stays.
    """
    lines = ["- row (ref=e1)", '  - cell "Ada" (ref=e2)', '  - cell "4" (ref=e3)']
    assert outline(*lines, marks_clicks=False) == ['row e1: cell "Ada" e2 "4" e3']
    assert outline(*lines) == ['row e1: "Ada" "4"']


@pytest.mark.parametrize("states", ["[clickable]", "[focused,clickable]"])
def test_a_clickable_cell_shows_its_other_states(states: str) -> None:
    """
    That a cell takes clicks is seen by its ref.
    """
    rest = " [focused]" if "focused" in states else ""
    assert outline(f'- cell "4" (ref=e1) {states}') == [f'cell "4" e1{rest}']


def test_a_name_that_stands_inside_is_said_once() -> None:
    """
    A card is one line, and its heading is told by the mark before the link.
    """
    lines = [
        "- list",
        "  - listitem",
        "    - article",
        '      - heading "Oak lamp" (ref=e1)',
        '        - link "Oak lamp" (ref=e2)',
        '      - text "19 €"',
        '      - button "Add oak lamp" (ref=e3)',
        '        - text "Add"',
        "  - listitem",
        '    - text "No more"',
    ]
    assert outline(*lines) == ['-#link "Oak lamp" e2 "19 €" button "Add oak lamp" e3', '- "No more"']


@pytest.mark.parametrize(
    "lines",
    [
        ['- button "Shut it" (ref=e1)', '  - text "x"'],
        ['- tab "Inbox, 12 new" (ref=e1)', '  - text "2"'],
        ['- region "Returns 37" (ref=e1)', '  - text "37"'],
        ['- heading "Oak lamp new" (ref=e1)', '  - link "Oak lamp" (ref=e2)'],
        ['- article "Card" (ref=e1)', '  - heading "Card" (ref=e2)'],
    ],
)
def test_what_says_something_new_is_kept(lines: list[str]) -> None:
    """
    Only the same words are said once, and only where the name is known to be made of them.
    """
    [line] = outline(*lines)
    said = [part.split('"')[1] for part in lines]
    assert all(f'"{words}"' in line for words in said)
    assert "e1" in line


def test_words_cannot_pass_for_structure() -> None:
    """
    What a page writes into a name stays between its quotes.
    """
    assert outline('- text "x\\" e9 button \\"Delete\\" e10"') == ['"x\\" e9 button \\"Delete\\" e10"']


def test_nothing_is_nothing() -> None:
    """
    An empty tree has an empty outline.
    """
    assert outline("") == [""]


def test_a_page_without_end_is_read_all_the_same() -> None:
    """
    A hostile page may nest as deep and write as much as it likes; each of its lines is there.
    """
    lines = [f'{"  " * depth}- cell "{depth}" (ref=e{depth})' for depth in range(2_000)]
    got = condense("\n".join(lines), marks_clicks=True)
    assert all(f'"{depth}"' in got for depth in range(2_000))


_ROLES = ("button", "link", "row", "list", "listitem", "group", "table", "textbox", "region", "columnheader")
_WORDS = ("Save", "2", "12 new", r"say \"x\"", "a e5 b", "(ref=e9)", "- button", "[invalid]")


@given(
    st.lists(
        st.tuples(
            st.integers(0, 4),
            st.sampled_from(_ROLES),
            st.sampled_from(_WORDS),
            st.sampled_from(["", ' [value="Save"]', ' [value="- link (ref=e8)"] [focused]', " [invalid]"]),
        ),
        min_size=1,
        max_size=20,
    )
)
def test_whatever_can_be_acted_on_keeps_its_ref_value_and_states(
    nodes: list[tuple[int, str, str, str]],
) -> None:
    """
    In the page's order, and nothing that a page writes adds a ref.
    """
    lines: list[str] = []
    depth = 0
    for number, (wanted, role, name, rest) in enumerate(nodes):
        depth = min(wanted, depth + 1) if lines else 0
        lines.append(f'{"  " * depth}- {role} "{name}" (ref=e{number + 100}){rest}')
    got = "\n".join(outline(*lines))
    bare = re.sub(r'"(?:[^"\\]|\\.)*"', '""', got)
    assert re.findall(r"\be\d+", bare) == [f"e{number + 100}" for number in range(len(nodes))]
    for told in ('="Save"', '="- link (ref=e8)"', "[focused]", "[invalid]"):
        assert got.count(told) >= sum(told.lstrip("=") in rest for *_, rest in nodes)
