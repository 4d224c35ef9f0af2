"""
Relations are read strictly: a misspelt side is refused, and nothing runs.
"""

from __future__ import annotations

import pytest

from reticle.domain.predicate import as_json, parse, questions
from reticle.domain.predicate.relation_grammar import SIDE_FIELDS, SIDES
from reticle.errors import Refusal

TOTAL = {"text": {"testid": "total"}}
STATE = {"state": "total"}


def same(*sides: object, **more: object) -> dict[str, object]:
    return {"kind": "same", "sides": list(sides), **more}


WHOLE = [
    same(TOTAL, {"state": "total", "store": "cart", "scale": 0.01, "decimal": ","}),
    same({"value": {"label": "Name"}}, {"request": "name", "urlContains": "/api/me", "method": "PUT"}),
    same({"count": {"role": "row"}}, {"response": "items.length", "urlContains": "/api/items"}, STATE),
    same({"number": {"testid": "n"}}, {"storage": "cart", "area": "local", "path": "n"}, tolerance=0.5),
    same(TOTAL, {"literal": "Anna"}, operator="contains"),
    same(STATE, {"literal": None}),
]


@pytest.mark.parametrize("given", WHOLE)
def test_what_is_said_is_kept(given: dict[str, object]) -> None:
    """
    A relation is stored as it was said, and read again to the same.
    """
    assert as_json(parse(given)) == given


def test_every_channel_and_field_is_described() -> None:
    """
    What may stand beside a channel has a meaning for people.
    """
    for rule in SIDES.values():
        assert set(rule.required) <= set(rule.beside) <= set(SIDE_FIELDS)


WRONG = [
    (same(TOTAL), "2 to 8 sides"),
    (same(*[{"state": f"s{n}"} for n in range(9)]), "2 to 8 sides"),
    (same(TOTAL, TOTAL), "same side twice"),
    (same({"literal": 1}, {"literal": 2}), "literals alone"),
    (same(TOTAL, "total"), "object with one channel"),
    (same(TOTAL, {"stat": "total"}), "did you mean 'state'"),
    (same(TOTAL, {"state": "total", "text": {"testid": "a"}}), "several channels"),
    (same(TOTAL, {"state": "total", "sclae": 0.01}), "did you mean 'scale'"),
    (same(TOTAL, {"state": "total", "scale": 0}), "other than 0"),
    (same(TOTAL, {"state": "total", "scale": True}), "other than 0"),
    (same(TOTAL, {"state": "total", "decimal": ";"}), 'must be "." or ","'),
    (same(TOTAL, {"state": ""}), "not empty"),
    (same(TOTAL, {"response": "total"}), "needs 'urlContains'"),
    (same(TOTAL, {"response": "total", "urlContains": "/a", "url": "/a"}), "given twice"),
    (same(TOTAL, {"storage": "cart", "area": "indexeddb"}), "is not an area"),
    (same(TOTAL, {"literal": [1]}), "a text, a number"),
    (same({"text": {"testd": "a"}}, STATE), "did you mean 'testid'"),
    (same({"text": "total"}, STATE), "element query object"),
    (same({"count": {"role": "row"}, "scale": 2}, STATE), "unknown field 'scale'"),
    (same(TOTAL, STATE, operator="equal"), "did you mean 'equals'"),
    (same(TOTAL, STATE, {"state": "b"}, operator="contains"), "two sides"),
    (same(TOTAL, STATE, operator="contains", tolerance=1), "no tolerance"),
    (same(TOTAL, STATE, tolerance=-1), "from 0"),
    (same(TOTAL, STATE, tolerence=1), "did you mean 'tolerance'"),
    ({"kind": "same"}, "needs 'sides'"),
    ({"kind": "sequence", "predicates": [same(TOTAL, STATE)]}, "about what happens"),
]


@pytest.mark.parametrize(("given", "said"), WRONG)
def test_what_is_not_understood_is_refused_with_what_is_meant(given: dict[str, object], said: str) -> None:
    """
    Each refusal names the fault and that nothing ran.
    """
    with pytest.raises(Refusal) as refused:
        parse(given)
    assert said in refused.value.message
    assert refused.value.message.endswith("Nothing ran.")


def test_the_page_is_asked_what_it_alone_can_tell() -> None:
    """
    Elements, stores and keys are asked for; requests and literals stand in the window.
    """
    relation = same(
        TOTAL,
        {"count": {"role": "row"}},
        STATE,
        {"storage": "k"},
        {"response": "a", "url": "/a"},
        {"literal": 1},
    )
    assert [question.kind for question in questions(parse(relation))] == [
        "content",
        "content",
        "state",
        "stored",
    ]
