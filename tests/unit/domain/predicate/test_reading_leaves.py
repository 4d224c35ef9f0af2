"""
What the live page answers: found, not found, and the many ways of not knowing.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from reticle.domain.predicate import evaluate, parse
from reticle.model.verdict import Held
from reticle.testing.windows import WindowBuilder, text_answer

YES, NO, UNKNOWN = Held.YES, Held.NO, Held.UNKNOWN

BUTTON = {"kind": "element", "query": {"role": "button", "name": "Save"}}
LIVE = [
    BUTTON,
    {**BUTTON, "absent": True},
    {"kind": "text", "contains": "Saved"},
    {"kind": "text", "contains": "Saved", "absent": True},
    {"kind": "state", "path": "a"},
    {"kind": "state", "path": "a", "equals": {"$exists": False}},
    {"kind": "route", "pathname": "/a"},
    {"not": {"kind": "text", "contains": "Saved"}},
]


@pytest.mark.parametrize("predicate", LIVE)
def test_a_failed_reading_is_never_an_absence(predicate: dict[str, object]) -> None:
    """
    A page that was not asked, failed, had no scope, or spoke nonsense tells nothing.
    """
    parsed = parse(predicate)
    assert evaluate(parsed, WindowBuilder().build()).held is UNKNOWN
    failed = WindowBuilder().answers(predicate, None, error="command_timeout").build()
    assert evaluate(parsed, failed).held is UNKNOWN
    unscoped = (
        WindowBuilder().answers(predicate, {"scopeMissing": True, "count": 0, "matched": False}).build()
    )
    assert evaluate(parsed, unscoped).held is UNKNOWN


@pytest.mark.parametrize("predicate", LIVE[:6])
def test_an_answer_that_is_not_understood_is_unknown(predicate: dict[str, object]) -> None:
    """
    A page that answers in another shape is not taken at its word.
    """
    window = WindowBuilder().answers(predicate, {"count": "none", "storeNames": ["app"]}).build()
    assert evaluate(parse(predicate), window).held is UNKNOWN


def match(count: int, candidates: int, *elements: Mapping[str, object], **more: object) -> dict[str, object]:
    return {
        "matched": count > 0,
        "perceivable": count > 0,
        "count": count,
        "candidates": candidates,
        "elements": list(elements),
        **more,
    }


def test_an_element_is_there_or_not() -> None:
    """
    Presence and absence follow the page's count.
    """
    there = (
        WindowBuilder().answers(BUTTON, match(1, 1, {"ref": "e5", "role": "button", "name": "Save"})).build()
    )
    gone = WindowBuilder().answers(BUTTON, match(0, 0)).build()
    absent = parse({**BUTTON, "absent": True})
    assert evaluate(parse(BUTTON), there).held is YES
    assert evaluate(parse(BUTTON), there).evidence == ({"ref": "e5", "role": "button", "name": "Save"},)
    assert evaluate(parse(BUTTON), gone).held is NO
    assert evaluate(absent, gone).held is YES
    assert evaluate(absent, there).held is NO
    assert evaluate(absent, there).assertion == "element.absent"


def test_a_wrong_state_is_told_with_the_states_found() -> None:
    """
    A button that is there but disabled is reported so, not as missing.
    """
    predicate = {**BUTTON, "state": "enabled"}
    found = {"ref": "e5", "role": "button", "name": "Save", "states": ["visible", "disabled"]}
    outcome = evaluate(parse(predicate), WindowBuilder().answers(predicate, match(0, 1, found)).build())
    assert (outcome.held, outcome.assertion) == (NO, "element.state")
    assert outcome.failure is not None
    assert 'none in that state (button "Save" visible disabled)' in outcome.failure


def test_a_misspelt_testid_is_told_the_nearest_one_present() -> None:
    """
    A typo in a test id is seen for what it is.
    """
    predicate = {"kind": "element", "testid": "cart-totl"}
    hint = {"presentTestids": ["cart-total", "checkout"], "route": "/cart"}
    outcome = evaluate(parse(predicate), WindowBuilder().answers(predicate, match(0, 0, hint=hint)).build())
    assert outcome.failure is not None
    assert outcome.failure.endswith("did you mean testid 'cart-total'?")


def test_a_redacted_value_does_not_prove_a_value() -> None:
    """
    A field whose value was not sent cannot fit a value.
    """
    predicate = {"kind": "element", "role": "textbox", "value": "[REDACTED]"}
    answer = match(1, 1, {"role": "textbox", "value": "[REDACTED]"})
    assert evaluate(parse(predicate), WindowBuilder().answers(predicate, answer).build()).held is UNKNOWN


@pytest.mark.parametrize(
    ("visible", "absent", "there", "shown", "held"),
    [
        (None, False, True, True, YES),
        (None, False, True, False, NO),
        (None, False, False, False, NO),
        (True, False, True, False, NO),
        (True, False, True, True, YES),
        (False, False, True, False, YES),
        (False, False, True, True, NO),
        (None, True, False, False, YES),
        (None, True, True, False, YES),
        (None, True, True, True, NO),
        (True, True, True, False, YES),
        (True, True, True, True, NO),
    ],
)
def test_text_counts_as_hidden_or_visible(
    *, visible: bool | None, absent: bool, there: bool, shown: bool, held: Held
) -> None:
    """
    Hidden text counts where it is asked for, and nowhere else.
    """
    predicate: dict[str, object] = {"kind": "text", "contains": "Saved", "absent": absent}
    if visible is not None:
        predicate["visible"] = visible
    window = WindowBuilder().answers(predicate, text_answer("Saved", there=there, visible=shown)).build()
    assert evaluate(parse(predicate), window).held is held


def test_text_that_is_only_hidden_is_no_evidence_of_its_absence() -> None:
    """
    "No text Milk" is what held; a verdict that quotes the hidden text would read as its opposite.
    """
    predicate = {"kind": "text", "contains": "Milk", "visible": True, "absent": True}
    outcome = evaluate(
        parse(predicate), WindowBuilder().answers(predicate, text_answer("Milk", visible=False)).build()
    )
    assert (outcome.held, outcome.evidence, outcome.expected) == (YES, (), 'no text "Milk"')


def test_hidden_text_is_told_apart_from_missing_text() -> None:
    """
    A toast that is in the page but not shown is reported so.
    """
    predicate = {"kind": "text", "contains": "Saved", "visible": True}
    window = WindowBuilder().answers(predicate, text_answer("Saved", visible=False)).build()
    assert (
        evaluate(parse(predicate), window).failure
        == 'text "Saved" is not on the page (it is there, but hidden)'
    )


@pytest.mark.parametrize(
    ("fields", "answer", "held", "assertion"),
    [
        ({}, {"found": True, "value": None}, YES, "state.path-missing"),
        ({"equals": 2}, {"found": True, "value": 2}, YES, "state.equals"),
        ({"equals": 2}, {"found": True, "value": 3}, NO, "state.equals"),
        ({"equals": 2}, {"found": True, "value": "[TRUNCATED]"}, UNKNOWN, "state.equals"),
        ({"equals": None}, {"found": False}, NO, "state.path-missing"),
        ({"equals": {"$exists": False}}, {"found": False}, YES, "state.path-missing"),
        ({}, {"found": False, "storeNames": []}, UNKNOWN, "state.store-missing"),
        ({"store": "crt"}, {"found": False, "storeNames": ["cart"]}, UNKNOWN, "state.store-missing"),
        ({}, {"found": True, "value": 1, "ambiguous": ["a", "b"]}, UNKNOWN, "state.unreadable"),
    ],
)
def test_state_is_compared_or_unknown(
    fields: dict[str, object], answer: dict[str, object], held: Held, assertion: str
) -> None:
    """
    A store that is not there, or not the only one, is never a wrong value.
    """
    predicate = {"kind": "state", "path": "total", **fields}
    window = WindowBuilder().answers(predicate, {"storeNames": ["app"], **answer}).build()
    outcome = evaluate(parse(predicate), window)
    assert (outcome.held, outcome.assertion) == (held, assertion)


def test_a_missing_path_names_the_keys_that_exist() -> None:
    """
    A misspelt path is told the nearest key.
    """
    predicate = {"kind": "state", "path": "cart.totl"}
    answer = {"found": False, "storeNames": ["app"], "availableKeys": ["total", "items"]}
    outcome = evaluate(parse(predicate), WindowBuilder().answers(predicate, answer).build())
    assert outcome.failure == "cart.totl does not exist; there are: total, items; did you mean 'total'?"


def test_the_newest_of_several_readings_decides() -> None:
    """
    A page asked twice is taken at its last word.
    """
    builder = WindowBuilder().text("Saved", there=False).dom_added().text("Saved")
    assert evaluate(parse({"kind": "text", "contains": "Saved"}), builder.build()).held is YES


@pytest.mark.parametrize(("visible", "held"), [(None, YES), (True, NO), (False, YES)])
def test_text_that_is_only_read_out_is_there_unless_it_has_to_be_seen(
    *, visible: bool | None, held: Held
) -> None:
    """
    A status for who cannot see is a message to them, and none to who can.
    """
    predicate: dict[str, object] = {"kind": "text", "contains": "Saved"}
    if visible is not None:
        predicate["visible"] = visible
    answer = text_answer("Saved", visible=False, read_out=True)
    assert evaluate(parse(predicate), WindowBuilder().answers(predicate, answer).build()).held is held


def test_text_whose_readers_are_not_told_is_open() -> None:
    """
    A published package knows a hidden text and not whether it is read out.
    """
    predicate = {"kind": "text", "contains": "Saved"}
    untold = {name: value for name, value in text_answer("Saved", visible=False).items() if name[0] != "p"}
    for claim in (predicate, {**predicate, "absent": True}):
        assert evaluate(parse(claim), WindowBuilder().answers(claim, untold).build()).held is UNKNOWN


def test_why_a_text_is_not_seen_is_told() -> None:
    """
    White on white is told as such.
    """
    predicate = {"kind": "text", "contains": "Saved", "visible": True}
    why = "has the colour of its background"
    answer = {
        **text_answer("Saved", visible=False),
        "samples": [{"ref": "e1", "visible": False, "unseen": why}],
    }
    outcome = evaluate(parse(predicate), WindowBuilder().answers(predicate, answer).build())
    assert str(outcome.failure).endswith(f"what it stands in {why}")


def test_a_text_that_has_to_stand_alone_is_told_what_stands_there() -> None:
    """
    "1 product" is not met by "1 products", which is named.
    """
    predicate = {"kind": "text", "contains": "1 product", "exact": True}
    answer = {**text_answer("1 product", there=False), "holding": ["1 products"]}
    outcome = evaluate(parse(predicate), WindowBuilder().answers(predicate, answer).build())
    assert outcome.held is NO
    assert str(outcome.failure).endswith('alone is not on the page; there is "1 products"')
    assert (
        evaluate(parse(predicate), WindowBuilder().answers(predicate, text_answer("1 product")).build()).held
        is YES
    )


@pytest.mark.parametrize(("visible", "read_out"), [(True, False), (False, True), (False, False)])
@pytest.mark.parametrize(
    "claim", [{}, {"visible": True}, {"absent": True}, {"visible": True, "absent": True}]
)
def test_a_text_of_whose_answer_a_part_is_lost_never_makes_a_pass(
    *, claim: dict[str, object], visible: bool, read_out: bool
) -> None:
    """
    What was no pass by the whole answer is none by any part of it.
    """
    predicate = {"kind": "text", "contains": "Saved", **claim}
    whole = text_answer("Saved", visible=visible, read_out=read_out)
    if evaluate(parse(predicate), WindowBuilder().answers(predicate, whole).build()).held is YES:
        return
    for lost in whole:
        part = {name: value for name, value in whole.items() if name != lost}
        assert evaluate(parse(predicate), WindowBuilder().answers(predicate, part).build()).held is not YES


def test_a_part_of_another_number_is_not_the_text_that_was_claimed() -> None:
    """
    "1 product" is no pass over "1 products", nor "2 items" over "12 items"; beside the right one it is.
    """

    def held(claimed: str, *texts: str, unsent: int = 0, absent: bool = False) -> Held:
        claim = {"kind": "text", "contains": claimed, "scope": "#found", "absent": absent}
        samples = [{"ref": "e1", "text": text, "visible": True} for text in texts]
        count = len(texts) + unsent
        answer = {"matched": True, "count": count, "visibleCount": count, "samples": samples}
        return evaluate(parse(claim), WindowBuilder().answers(claim, answer).build()).held

    assert held("1 product", "1 products") is NO
    assert held("2 items", "12 items") is NO
    assert held("2 items", "12 items", "2 items") is YES
    assert held("2 items", "2 items") is YES
    assert held("2 items", "12 items and so on…") is UNKNOWN
    assert held("2 items", "12 items", unsent=1) is UNKNOWN
    assert held("2 items", "2 items", unsent=1) is YES
    assert held("2 items", "12 items", absent=True) is UNKNOWN
    assert held("2 items", "2 items", "12 items", absent=True) is NO
    assert held("saved", "Unsaved changes") is UNKNOWN
    assert held("saved", "Unsaved changes", "saved") is YES
    assert held("saved", "Unsaved changes", absent=True) is UNKNOWN
    assert held("$5.00", "-$5.00") is UNKNOWN
