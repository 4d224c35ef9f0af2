"""
``sequence``, ``within`` and ``never``.
"""

from __future__ import annotations

import pytest

from reticle.domain.grade import grade
from reticle.domain.ladder import decide
from reticle.domain.predicate import as_json, evaluate, parse
from reticle.errors import Refusal
from reticle.model.codes import Grade, Verified
from reticle.model.verdict import Held, Outcome
from reticle.testing.windows import WindowBuilder

POST = {"kind": "net", "method": "POST", "urlContains": "/api/orders"}
GET = {"kind": "net", "method": "GET", "urlContains": "/api/cart"}
SAVED = {"kind": "signal", "name": "saved"}
ERROR = {"kind": "text", "contains": "Error"}


def outcome(builder: WindowBuilder, **predicate: object) -> Outcome:
    """
    A claim over a window that stays open for a second.
    """
    return evaluate(parse(predicate), builder.quiet(1_000).build())


def ordered(*names: str) -> WindowBuilder:
    """
    A window in which this came, in this order.
    """
    builder = WindowBuilder().click()
    for name in names:
        match name:
            case "post":
                builder.net("POST", "/api/orders", 201)
            case "get":
                builder.net("GET", "/api/cart", 200)
            case _:
                builder.signal(name)
    return builder


@pytest.mark.parametrize(
    ("behind", "claimed", "expected"),
    [
        (1, [POST, SAVED], Held.YES),
        (1, [SAVED, POST], Held.NO),
        (2, [POST, {"kind": "signal", "name": "first"}, SAVED], Held.YES),
        (1, [{"kind": "signal", "name": "first"}, POST, SAVED], Held.YES),
        (None, [SAVED, POST], Held.YES),
        (1, [POST, POST], Held.NO),
        (True, [POST, SAVED], Held.NO),
    ],
)
def test_an_answer_comes_before_what_the_app_said_while_its_body_was_read(
    behind: object, claimed: list[object], expected: Held
) -> None:
    """
    "Saved" that was said because of the answer is not taken for one that was said before it, and the other
    way round; the evidence keeps the numbers of the record.
    """
    late = {} if behind is None else {"behind": behind}
    builder = WindowBuilder().click().pending("POST", "/api/orders").signal("first").signal("saved")
    builder.answered("n1", "POST", "/api/orders", 201, **late)
    window = builder.quiet(1_000).build()
    told = evaluate(parse({"kind": "sequence", "predicates": claimed}), window)
    assert told.held is expected, told.failure
    known = {event.seq: event.type for event in window.events}
    for fact in told.evidence:
        assert known[int(str(fact["seq"]))] == ("net.request" if "url" in fact else "signal")


@pytest.mark.parametrize(
    ("came", "expected", "why"),
    [
        (["post", "saved"], Held.YES, None),
        (["post", "get", "saved"], Held.YES, None),
        (["saved", "post", "saved"], Held.YES, None),
        (["saved", "post"], Held.NO, "part 2: it came, but not after part 1"),
        (["post"], Held.NO, "part 2: no signal 'saved'; none was seen"),
        (["saved"], Held.NO, "part 1: no POST to …/api/orders…; no request was seen at all"),
    ],
)
def test_the_order_counts(came: list[str], expected: Held, why: str | None) -> None:
    """
    "It is saved before it says so" does not hold for an app that says so first.
    """
    told = outcome(ordered(*came), kind="sequence", predicates=[POST, SAVED])
    assert (told.held, told.failure) == (expected, why)


def test_the_same_twice_needs_two() -> None:
    """
    One request is not its own successor.
    """
    twice = {"kind": "sequence", "predicates": [POST, POST]}
    assert outcome(ordered("post"), **twice).held is Held.NO
    assert outcome(ordered("post", "post"), **twice).held is Held.YES


def test_a_lost_part_of_a_sequence_is_not_a_no() -> None:
    """
    Where requests may have been dropped, what was not seen is unknown.
    """
    told = outcome(ordered("saved").loss("net"), kind="sequence", predicates=[POST, SAVED])
    assert told.held is Held.UNKNOWN


@pytest.mark.parametrize(("after_ms", "expected"), [(100, Held.YES), (480, Held.YES), (600, Held.NO)])
def test_soon_is_measured_from_the_start(after_ms: int, expected: Held) -> None:
    """
    A search that is sent too late does not meet "within 500 ms", and the answer says that it came.
    """
    builder = WindowBuilder().wait(after_ms).signal("saved")
    told = outcome(builder, kind="within", ms=500, predicate=SAVED)
    assert told.held is expected
    if expected is Held.NO:
        assert told.failure == "it came, but later than 500 ms after the start"
        assert told.final


def test_too_early_to_say_that_it_did_not_come_in_time() -> None:
    """
    Before the time is over the answer is open, with the time that is left.
    """
    told = evaluate(
        parse({"kind": "within", "ms": 500, "predicate": SAVED}), WindowBuilder().quiet(200).build()
    )
    assert (told.held, told.retry_after_ms) == (Held.UNKNOWN, 300)


def test_never_takes_its_whole_time() -> None:
    """
    "No second request within a second" is told after a second, and says how long it watched before.
    """
    claim = parse({"kind": "never", "ms": 1_000, "predicate": POST})
    early = evaluate(claim, WindowBuilder().quiet(400).build())
    assert (early.held, early.retry_after_ms) == (Held.UNKNOWN, 600)
    assert evaluate(claim, WindowBuilder().quiet(1_000).build()).held is Held.YES
    broken = evaluate(claim, ordered("post").quiet(100).build())
    assert (broken.held, broken.final) == (Held.NO, True)


@pytest.mark.parametrize(
    ("channel", "held"), [("dom.added", Held.UNKNOWN), ("visible", Held.UNKNOWN), ("net", Held.YES)]
)
def test_a_text_that_may_have_come_up_unseen_leaves_a_never_open(channel: str, held: Held) -> None:
    """
    Where the events that tell of texts were lost, "it never came up" is not known.
    """
    window = WindowBuilder().click().text("Error", there=False).loss(channel).quiet(2_000)
    assert outcome(window, kind="never", predicate=ERROR).held is held


def test_a_text_that_came_up_and_went_breaks_a_never() -> None:
    """
    An error that flashed for a moment was there, also when nobody looked at that moment.
    """
    absent = {"matched": False, "count": 0}
    quiet = WindowBuilder().click().reading("text", {"contains": "Error"}, absent)
    assert outcome(quiet, kind="never", predicate=ERROR).held is Held.YES
    flashed = (
        WindowBuilder().click().shown("alert", "Error 17").reading("text", {"contains": "Error"}, absent)
    )
    told = outcome(flashed, kind="never", predicate=ERROR)
    assert (told.held, told.final) == (Held.NO, True)
    assert told.failure is not None
    assert told.failure.startswith('"Error 17" came up')


def test_grades_are_those_of_the_parts() -> None:
    """
    A sequence is as strong as its strongest part; a never at most as a request.
    """
    window = ordered("post", "saved").quiet(1_000).build()
    for claim, expected in [
        ({"kind": "sequence", "predicates": [POST, SAVED]}, Grade.SIGNAL),
        ({"kind": "within", "ms": 900, "predicate": POST}, Grade.NET),
        ({"kind": "never", "predicate": {"kind": "signal", "name": "other"}}, Grade.NET),
    ]:
        predicate = parse(claim)
        assert grade(predicate, evaluate(predicate, window)) is expected


def test_an_order_that_held_is_a_yes() -> None:
    """
    The whole road: a claim of order over a sound window passes.
    """
    window = ordered("post").dom_added("status", "Saved").signal("saved").quiet(1_000).build()
    assert decide(parse({"kind": "sequence", "predicates": [POST, SAVED]}), window).verified is Verified.YES


@pytest.mark.parametrize(
    "claim",
    [
        {"kind": "sequence", "predicates": [POST, ERROR]},
        {"kind": "sequence", "predicates": [POST, {**SAVED, "count": 0}]},
        {"kind": "sequence", "predicates": [{"not": POST}]},
        {"kind": "within", "ms": 500, "predicate": ERROR},
        {"kind": "within", "ms": 500, "predicate": {"kind": "console", "absent": True}},
        {"kind": "within", "predicate": POST},
        {"kind": "never", "predicate": {"kind": "element", "query": {"role": "alert"}}},
        {"kind": "never", "ms": 30_001, "predicate": POST},
        {"kind": "never", "predicate": {"kind": "settled"}},
    ],
)
def test_parts_without_a_moment_are_refused(claim: dict[str, object]) -> None:
    """
    What cannot be placed in time is refused with what can, and nothing runs.
    """
    with pytest.raises(Refusal) as caught:
        parse(claim)
    assert caught.value.code == "bad_predicate"


@pytest.mark.parametrize(
    "claim",
    [
        {"kind": "sequence", "predicates": [POST, SAVED]},
        {"kind": "within", "ms": 500, "predicate": {"kind": "allOf", "predicates": [POST, SAVED]}},
        {"kind": "never", "ms": 1_000, "predicate": {"kind": "anyOf", "predicates": [POST, ERROR]}},
        {"kind": "never", "ms": 300, "predicate": ERROR},
    ],
)
def test_a_stored_claim_reads_as_it_was(claim: dict[str, object]) -> None:
    """
    What a verdict keeps of its claim means the same later.
    """
    assert as_json(parse(claim)) == claim
    assert parse(as_json(parse(claim))) == parse(claim)
