"""
A predicate that is not understood is refused with what to write instead.
"""

from __future__ import annotations

import pytest

from reticle.domain.predicate.refusals import bad_predicate, nearest

NAMES = ("urlContains", "status", "$in")


@pytest.mark.parametrize(
    ("got", "name"),
    [
        ("url_contains", "urlContains"),
        ("URLCONTAINS", "urlContains"),
        ("stauts", "status"),
        ("in", "$in"),
        ("xyz", None),
        ("", None),
    ],
)
def test_the_nearest_name_ignores_case_and_style(got: str, name: str | None) -> None:
    """
    A snake_case or mistyped name leads to the right one; one that is like none leads to none.
    """
    assert nearest(got, NAMES) == name


@pytest.mark.parametrize(
    ("got", "name"), [("$regex", "$matches"), ("all", "allOf"), ("url", "route"), ("xyz", None)]
)
def test_a_word_of_another_grammar_leads_to_ours(got: str, name: str | None) -> None:
    """
    Who writes `$regex` is told `$matches`.
    """
    refusal = bad_predicate("predicate", "no", accepted=["$matches", "allOf", "route"], got=got)
    assert refusal.details.get("nearest") == name


def test_a_refusal_says_where_what_and_how() -> None:
    """
    Path, fault, nearest spelling, all spellings and an example stand in it, for reader and program.
    """
    refusal = bad_predicate(
        "predicate.a", "has no field 'stauts'", accepted=NAMES, got="stauts", example={"kind": "é"}
    )
    assert refusal.message == (
        "predicate.a: has no field 'stauts'; did you mean 'status'? Accepted: urlContains, status, $in."
        " Nothing ran."
    )
    assert refusal.recovery == 'Correct the predicate and call again. Valid, for example: {"kind": "é"}'
    assert refusal.details == {
        "path": "predicate.a", "accepted": list(NAMES), "nearest": "status", "example": {"kind": "é"},
    }  # fmt: skip


def test_without_a_guess_nothing_is_suggested() -> None:
    """
    No near name, no list, no example: the sentence is whole all the same.
    """
    refusal = bad_predicate("predicate", "must be an object")
    assert refusal.message == "predicate: must be an object. Nothing ran."
    assert refusal.recovery == "Correct the predicate and call again."
    assert refusal.details == {"path": "predicate", "accepted": []}
