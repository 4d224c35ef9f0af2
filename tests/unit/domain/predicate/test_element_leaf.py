"""
Elements that are there for nobody, and the ways of saying that this is meant.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import pytest

from reticle.domain.predicate import evaluate, parse
from reticle.domain.predicate.canonical import as_json
from reticle.domain.predicate.questions import questions
from reticle.errors import Refusal
from reticle.model.verdict import Held, Outcome
from reticle.testing.windows import WindowBuilder

YES, NO, UNKNOWN = Held.YES, Held.NO, Held.UNKNOWN
ROW = {"kind": "element", "query": {"role": "row"}}
SHOWN: Mapping[str, object] = {"ref": "e1", "role": "row", "states": ["present", "visible"], "visible": True}
HIDDEN: Mapping[str, object] = {"ref": "e1", "role": "row", "states": ["hidden"], "visible": False}


def held(claim: Mapping[str, object], *elements: Mapping[str, object], **more: object) -> Outcome:
    answer = {
        "matched": bool(elements),
        "count": len(elements),
        "candidates": len(elements),
        "elements": list(elements),
        **more,
    }
    return evaluate(parse(claim), WindowBuilder().answers(claim, answer).build())


@pytest.mark.parametrize(
    ("fields", "met", "unmet"),
    [
        ({}, YES, NO),
        ({"state": "present"}, YES, NO),
        ({"state": "enabled"}, YES, NO),
        ({"state": "attached"}, YES, YES),
        ({"state": "hidden"}, YES, YES),
        ({"absent": True}, NO, YES),
        ({"absent": True, "state": "attached"}, NO, NO),
    ],
)
def test_what_nobody_meets_is_there_only_for_who_says_so(
    fields: dict[str, object], met: Held, unmet: Held
) -> None:
    """
    A row that is not displayed is no row; `attached` is the document's word for it.
    """
    assert held({**ROW, **fields}, SHOWN, perceivable=True).held is met
    outcome = held({**ROW, **fields}, HIDDEN, perceivable=False, unseen="is not displayed")
    assert outcome.held is unmet
    if unmet is NO and "absent" not in fields:
        assert str(outcome.failure).endswith("nobody can see it: it is not displayed")


@pytest.mark.parametrize(("element", "presence", "absence"), [(SHOWN, YES, NO), (HIDDEN, UNKNOWN, UNKNOWN)])
def test_a_page_that_does_not_tell_leaves_open_what_it_does_not_show(
    element: Mapping[str, object], presence: Held, absence: Held
) -> None:
    """
    The published packages tell what is visible, not who else meets an element.
    """
    assert held(ROW, element).held is presence
    assert held({**ROW, "absent": True}, element).held is absence
    assert held({**ROW, "absent": True}).held is YES


def test_an_element_with_another_number_is_neither_there_nor_its_absence() -> None:
    """
    "Order 12" is no "Order 1"; whether "no Order 1" meant the number or what begins so nobody can tell.
    """
    claim = {"kind": "element", "query": {"text": "Order 1"}}
    missing = held(claim, partly=True)
    assert missing.held is NO
    assert str(missing.failure).endswith("is there only as a part of another number")
    assert held({**claim, "absent": True}, partly=True).held is UNKNOWN
    assert held({**claim, "absent": True}).held is YES


def test_a_number_that_stands_there_in_other_letters_too_is_no_miss() -> None:
    """
    "ORDER 12" comes first, and "Order 1" behind it is what was claimed; alone "ORDER 12" is not.
    """
    claim = {"kind": "element", "query": {"text": "order 1"}}
    met = held(claim, SHOWN, perceivable=True, texts=["ORDER 12, then Order 1"])
    assert met.held is YES
    assert held(claim, SHOWN, perceivable=True, texts=["ORDER 12, then Order 13"]).held is NO
    alike = held(claim, SHOWN, SHOWN, perceivable=True, texts=["Order 12", "Order 12"])
    assert alike.held is NO
    assert held(claim, SHOWN, SHOWN, perceivable=True, texts=["Order 12"]).held is UNKNOWN


def test_a_testid_that_is_there_with_another_text_is_told_so() -> None:
    """
    "Did you mean sum?" helps nobody who asked for sum; that it says something else does.
    """
    claim = {"kind": "element", "query": {"testid": "sum", "text": "$37"}}
    outcome = held(claim, hint={"presentTestids": ["sum", "due"]})
    assert str(outcome.failure).endswith("that testid is there, but not with text '$37'")
    misspelt = held({"kind": "element", "query": {"testid": "sums"}}, hint={"presentTestids": ["sum"]})
    assert str(misspelt.failure).endswith("did you mean testid 'sum'?")


@pytest.mark.parametrize(
    ("wanted", "texts", "expected"),
    [
        ("saved", ["Unsaved"], UNKNOWN),
        ("saved", ["Unsaved", "Saved"], YES),
        ("Saved", ["saved at noon"], YES),
        ("$5.00", ["-$5.00"], UNKNOWN),
        ("234 items", ["1,234 items"], NO),
        ("1 product", ["1 products"], NO),
        ("1 product", ["1 products", "not told…"], UNKNOWN),
    ],
)
def test_a_text_of_an_element_is_no_part_of_another_number_or_word(
    wanted: str, texts: list[str], expected: Held
) -> None:
    """
    The status that says "Unsaved" is no status that says "saved".
    """
    elements = [SHOWN for _ in texts]
    for query in ({"role": "row", "text": wanted}, {"by": "text", "value": wanted}):
        claim = {"kind": "element", "query": query}
        assert held(claim, *elements, perceivable=True, texts=texts).held is expected
        absent = held({**claim, "absent": True}, *elements, perceivable=True, texts=texts).held
        assert absent is (NO if expected is YES else UNKNOWN)
        assert held(claim, *elements, perceivable=True).held is YES


def styled(value: str, **more: object) -> dict[str, object]:
    return {**SHOWN, "style": {"color": value}, **more}


def test_a_style_is_that_of_an_element_that_is_met() -> None:
    """
    "The page is dark" is met by a dark page, and told what the page is where it is not.
    """
    claim = {**ROW, "style": {"color": "#ff0000"}}
    assert questions(parse(claim))[0].fields["style"] == ["color"]
    assert held(claim, styled("rgb(255, 0, 0)"), perceivable=True).held is YES
    wrong = held(claim, styled("rgb(0, 0, 0)"), perceivable=True)
    assert (wrong.held, wrong.assertion) == (NO, "element.style")
    assert str(wrong.failure).endswith("it is there, but color is rgb(0, 0, 0)")
    unmet = {**HIDDEN, "style": {"color": "rgb(255, 0, 0)"}}
    assert held(claim, styled("rgb(0, 0, 0)"), unmet, perceivable=True).held is NO
    assert held({**claim, "absent": True}, styled("rgb(0, 0, 0)"), perceivable=True).held is YES


def test_a_style_of_elements_that_were_not_all_told_is_open() -> None:
    """
    Of thirty rows twenty are described: that none of these is red does not say that none is.
    """
    claim = {**ROW, "style": {"color": "#ff0000"}}
    assert held(claim, styled("rgb(0, 0, 0)"), perceivable=True, count=30).held is UNKNOWN
    assert held(claim, SHOWN, perceivable=True).held is UNKNOWN


def test_a_style_is_written_as_css_has_it() -> None:
    """
    `backgroundColor` is refused with `background-color`, and a claim reads back as it was written.
    """
    with pytest.raises(Refusal, match="did you mean 'background-color'"):
        parse({**ROW, "style": {"backgroundColor": "#fff"}})
    with pytest.raises(Refusal):
        parse({**ROW, "style": {}})
    claim = {**ROW, "style": {"--ink": {"$ne": "#fff"}, "-webkit-line-clamp": "2"}}
    assert as_json(parse(claim)) == claim


@pytest.mark.parametrize(("element", "met"), [(SHOWN, True), (HIDDEN, False)])
@pytest.mark.parametrize("absent", [False, True])
def test_an_answer_of_which_a_part_is_lost_never_makes_a_pass(
    element: Mapping[str, object], *, met: bool, absent: bool
) -> None:
    """
    What was no pass by the whole answer is none by any part of it.
    """
    claim = {**ROW, "absent": absent}
    whole: dict[str, object] = {
        "matched": True, "count": 1, "candidates": 1, "perceivable": met, "elements": [element],
    }  # fmt: skip
    if evaluate(parse(claim), WindowBuilder().answers(claim, whole).build()).held is YES:
        return
    for size in range(len(whole)):
        for kept in itertools.combinations(whole, size):
            part = {name: whole[name] for name in kept}
            assert evaluate(parse(claim), WindowBuilder().answers(claim, part).build()).held is not YES


@pytest.mark.parametrize(
    ("testid", "text", "expected"),
    [
        ("discount", "\u2212$7.40", YES),
        ("balance", "\u2212$7.40", UNKNOWN),
        ("credit", "-$7.40", UNKNOWN),
        ("savings", "-$7.40", UNKNOWN),
        ("discount", "\u2212$7.405", NO),
    ],
)
def test_what_is_taken_off_may_be_written_with_a_minus(testid: str, text: str, expected: Held) -> None:
    """
    A discount of $7.40 is one, whatever its sign; a balance is another one.
    """
    claim = {"kind": "element", "query": {"testid": testid, "text": "$7.40"}}
    assert held(claim, SHOWN, perceivable=True, texts=[text]).held is expected
