"""
Which element a call means.
"""

from __future__ import annotations

import pytest

from reticle.errors import Refusal
from reticle.tools.targets import parse_address, parse_query, refs_of_scope


def address(ref: str | None = None, target: dict[str, object] | None = None) -> dict[str, object]:
    """
    The address of a click.
    """
    return parse_address(ref, target)


def test_a_ref_is_passed_on() -> None:
    """
    A ref of a snapshot addresses its element.
    """
    assert address(ref="e12") == {"ref": "e12"}


@pytest.mark.parametrize("ref", ["12", "e", "e12 ", "E12", "#save", "e1x", "e٣"])
def test_what_is_no_ref_is_refused(ref: str) -> None:
    """
    A selector in the place of a ref is refused before anything is asked.
    """
    with pytest.raises(Refusal) as caught:
        address(ref=ref)
    assert caught.value.code == "bad_arguments"
    assert "is not a ref" in caught.value.message


@pytest.mark.parametrize(
    "query",
    [
        {"testid": "save"},
        {"role": "button", "name": "Save"},
        {"by": "label", "value": "Email"},
        {"role": "textbox", "value": "Ada"},
        {"text": "Save", "scope": "#main", "attrs": {"data-x": "1"}},
        {"self": True, "scope": "e4"},
        {"source": {"file": "src/Cart.tsx", "line": 12}},
        {"role": "button", "source": {"file": "Cart.tsx", "line": 12, "column": 3}},
    ],
)
def test_a_query_reaches_the_page_as_given(query: dict[str, object]) -> None:
    """
    Nothing is added to a target and nothing is dropped.
    """
    assert address(target=query) == {"target": query}


@pytest.mark.parametrize(
    ("query", "part"),
    [
        ({"rol": "button"}, "`rol`"),
        ({"name": "Save"}, "names no element"),
        ({"value": "x"}, "names no element"),
        ({"by": "label"}, "by but no value"),
        ({"by": "css", "value": "#a"}, "by"),
        ({"self": True}, "names no element"),
        ({"role": ""}, "role"),
        ({"testid": 4}, "testid"),
        ({"source": "src/Cart.tsx:12"}, "source"),
        ({"source": {"file": "src/Cart.tsx"}}, "line"),
        ({"source": {"file": "", "line": 1}}, "file"),
        ({}, "names no element"),
    ],
)
def test_a_query_that_the_page_would_misread_is_refused(query: dict[str, object], part: str) -> None:
    """
    A misspelt or empty query never matches more than was meant: it is refused, naming the fault.
    """
    with pytest.raises(Refusal) as caught:
        parse_query(query, "target")
    assert caught.value.code == "bad_arguments"
    assert part in caught.value.message
    assert "Nothing ran." in caught.value.message


@pytest.mark.parametrize(("ref", "target"), [(None, None), ("", None), ("e1", {"testid": "a"})])
def test_an_element_is_addressed_in_exactly_one_way(
    ref: str | None, target: dict[str, object] | None
) -> None:
    """
    Neither way and both ways are refused, with an example of each.
    """
    with pytest.raises(Refusal) as caught:
        address(ref, target)
    assert caught.value.code == "bad_arguments"
    assert '"ref": "e12"' in caught.value.recovery


def test_a_ref_inside_a_target_is_told_its_place() -> None:
    """
    An agent that nests the ref is told to pass it beside, with the very call to make.
    """
    with pytest.raises(Refusal) as caught:
        address(target={"ref": "e12"})
    assert caught.value.message == "A ref stands beside the other arguments, not inside target. Nothing ran."
    assert caught.value.recovery == 'Pass {"ref": "e12"} in place of target.'


def test_a_scope_may_be_a_ref_or_a_selector() -> None:
    """
    Only a ref can be of another page; a selector means the same everywhere.
    """
    assert refs_of_scope("e12") == ["e12"]
    assert [list(refs_of_scope(scope)) for scope in ("#e12", "e", "", None)] == [[], [], [], []]


def test_a_misspelt_field_names_the_right_one() -> None:
    """
    An agent that writes `tesstid` is told `testid`, before the page is asked.
    """
    with pytest.raises(Refusal) as caught:
        parse_query({"tesstid": "save"}, "target")
    assert caught.value.message == "target does not take `tesstid`; did you mean `testid`? Nothing ran."
    assert caught.value.details == {"unknown": ["tesstid"]}
