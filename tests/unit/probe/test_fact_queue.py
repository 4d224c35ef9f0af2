"""
The facts that wait: numbered, bounded, and what is lost is told.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.probe.context import RequestContext
from reticle.probe.fact_queue import FactQueue, Line
from reticle.probe.limits import BATCH_BYTES, FACT_BYTES, QUEUE_BYTES, QUEUE_FACTS, SMALL_CHARS
from reticle.probe.small_facts import HEAD, SQL, Raw
from reticle.probe.statements import Statement


def queue() -> FactQueue:
    """
    An empty one whose clock stands.
    """
    return FactQueue(lambda: 2.5)


def told(batch: list[Line]) -> list[dict[str, Any]]:
    """
    What the daemon reads.
    """
    return [json.loads(line.text) for line in batch]


def test_facts_are_numbered_in_order() -> None:
    """
    The daemon can tell that it has all of them.
    """
    facts = queue()
    facts.put("log", {"rid": None, "message": "a"})
    facts.put("sql", {})
    assert told(facts.take()) == [
        {"kind": "log", "seq": 1, "mono": 2.5, "rid": None, "message": "a"},
        {"kind": "sql", "seq": 2, "mono": 2.5},
    ]
    assert not facts.has_news


def test_one_fact_too_many_costs_the_oldest() -> None:
    """
    After a flood the newest thousand are there, and how many are missing.
    """
    facts = queue()
    for _ in range(QUEUE_FACTS + 3):
        facts.put("log", {"message": "x"})
    gap, first, *_ = told(facts.take())
    assert {key: gap[key] for key in ("kind", "seq", "dropped", "kinds", "from_seq", "to_seq")} == {
        "kind": "gap", "seq": 3, "dropped": 3, "kinds": {"log": 3}, "from_seq": 1, "to_seq": 3,
    }  # fmt: skip
    assert first["seq"] == 4


def test_waiting_bytes_are_bounded() -> None:
    """
    An app never pays with more memory than a mebibyte.
    """
    facts = queue()
    for _ in range(200):
        facts.put("log", {"message": "x" * 15_000})
    assert facts.waiting_bytes <= QUEUE_BYTES
    assert told(facts.take())[0]["kind"] == "gap"


def test_a_fact_out_of_all_bounds_is_a_gap_of_its_own() -> None:
    """
    One monstrous fact is counted and does not stop the others.
    """
    facts = queue()
    facts.put("log", {"message": "x" * FACT_BYTES})
    facts.put("sql", {})
    gap, sql = told(facts.take())
    assert (gap["kind"], gap["seq"], gap["from_seq"], gap["to_seq"], gap["kinds"]) == (
        "gap",
        1,
        1,
        1,
        {"log": 1},
    )
    assert (sql["kind"], sql["seq"]) == ("sql", 2)


def test_a_batch_has_its_size() -> None:
    """
    Many facts go in several batches.
    """
    facts = queue()
    for _ in range(60):
        facts.put("log", {"message": "x" * 5_000})
    sizes = []
    while facts.has_news:
        sizes.append(sum(len(line.text) + 1 for line in facts.take()))
    assert len(sizes) > 1
    assert max(sizes) <= BATCH_BYTES


def test_a_batch_that_was_not_taken_waits_again() -> None:
    """
    A daemon that is busy for a moment misses nothing.
    """
    facts = queue()
    for _ in range(3):
        facts.put("log", {})
    batch = facts.take()
    facts.put("sql", {})
    facts.put_back(batch)
    assert [fact["seq"] for fact in told(facts.take())] == [1, 2, 3, 4]


def test_a_gap_that_is_lost_is_still_told() -> None:
    """
    What was missing before is missing in the next gap too, with its kinds.
    """
    facts = queue()
    facts.drop("sql")
    facts.put("log", {})
    facts.lose(facts.take())
    facts.put("log", {})
    gap, log = told(facts.take())
    assert (gap["from_seq"], gap["to_seq"], gap["dropped"], gap["kinds"]) == (1, 2, 2, {"sql": 1, "log": 1})
    assert log["seq"] == 3


@pytest.mark.parametrize("value", ["x\ud83d", "\x00", "ä😀", "a\nb", 'q"\\'])
def test_any_text_becomes_one_valid_line(value: str) -> None:
    """
    Half a character or a line's end in an app's text does not spoil a batch.
    """
    facts = queue()
    facts.put("log", {"message": value})
    (line,) = facts.take()
    assert b"\n" not in line.text
    assert json.loads(line.text.decode("utf-8"))["message"] == value.replace("\ud83d", "?")


def test_a_value_that_is_no_json_is_told_as_text() -> None:
    """
    A fact with an odd value is not lost.
    """
    facts = queue()
    facts.put("log", {"message": ValueError("odd")})
    assert told(facts.take())[0]["message"] == "odd"


@given(st.lists(st.sampled_from(["put", "miss", "drop", "big", "take", "lose", "back"]), max_size=60))
def test_no_number_is_ever_missing(steps: list[str]) -> None:
    """
    Whatever is lost on the way, every number is in a fact or in a gap's range.
    """
    facts = queue()
    held: list[Line] = []
    seen: set[int] = set()
    last = 0

    def receive(batch: list[Line]) -> None:
        for fact in told(batch):
            seen.update(range(fact.get("from_seq", fact["seq"]), fact["seq"] + 1))

    for step in steps:
        if step in {"put", "big", "drop", "miss"}:
            last += 1
            if step in {"drop", "miss"}:
                (facts.drop if step == "drop" else facts.miss)("log")
            else:
                facts.put("log", {"message": "x" * (FACT_BYTES if step == "big" else 1)})
        elif step == "take":
            receive(facts.take())
        else:
            held = facts.take()
            (facts.lose if step == "lose" else facts.put_back)(held)
    while facts.has_news:
        receive(facts.take())
    assert seen == set(range(1, last + 1))


def statement(text: str, *, seconds: float = 1.0, verb: object = "SELECT") -> Raw:
    """
    One that ran, as a small fact.
    """
    return (SQL, seconds, Statement(text, verb, ()), (), 1, 0.001, None, None, None)  # type: ignore[arg-type]  # the odd one too


def test_a_fact_that_is_none_is_a_gap_and_stops_no_other() -> None:
    """
    A fact that cannot be written down is counted, and the next ones arrive.
    """
    circle: list[object] = []
    circle.append(circle)
    facts = queue()
    with pytest.raises(RecursionError):
        facts.put("log", {"message": circle})
    facts.note(statement("SELECT", verb=7))
    facts.note(statement("x" * FACT_BYTES))
    facts.note(statement("SELECT"))
    *gaps, last = told(facts.take())
    assert [(gap["kind"], gap["seq"], gap["kinds"]) for gap in gaps] == [
        ("gap", 1, {"log": 1}), ("gap", 2, {"sql": 1}), ("gap", 3, {"sql": 1}),
    ]  # fmt: skip
    assert (last["kind"], last["seq"], last["statement"]) == ("sql", 4, "SELECT")


def test_small_facts_that_grow_in_writing_keep_a_batch_within_its_size() -> None:
    """
    Long statements go in several batches, in order, none lost.
    """
    facts = queue()
    for _ in range(500):
        facts.note(statement("x" * SMALL_CHARS))
    seen: list[int] = []
    while facts.has_news:
        batch = facts.take()
        assert sum(len(line.text) + 1 for line in batch) <= BATCH_BYTES
        seen += [line.seq for line in batch]
    assert seen == list(range(1, 501))
    assert facts.waiting_bytes == 0


def test_small_facts_are_bounded_with_the_others() -> None:
    """
    An app pays with no more memory than the bound, whatever its facts are, and the oldest go.
    """
    facts = queue()
    for _ in range(60):
        facts.put("log", {"message": "x" * 15_000})
    for _ in range(QUEUE_FACTS):
        facts.note(statement("SELECT"))
    facts.shrink()
    assert facts.waiting_bytes <= QUEUE_BYTES
    gap, *_ = told(facts.take())
    assert (gap["kind"], gap["kinds"]["log"]) == ("gap", 60)


def test_the_head_of_an_answer_is_the_number_of_the_fact_before() -> None:
    """
    The daemon knows which facts happened before the page could see the answer, lost ones counted.
    """
    early, late = RequestContext("GET", "/", None, "none"), RequestContext("GET", "/", None, "none")
    facts = queue()
    facts.note((HEAD, 0.0, early))
    facts.put("log", {})
    facts.note(statement("SELECT"))
    facts.note((HEAD, 0.0, late))
    facts.put("log", {})
    assert [fact["seq"] for fact in told(facts.take())] == [1, 2, 3]
    assert (early.head, late.head) == (0, 2)
    facts.note(statement("SELECT"))
    facts.note((HEAD, 0.0, early))
    facts.lose_all()
    assert early.head == 4
    assert told(facts.take())[0]["to_seq"] == 4


def test_one_that_cannot_be_told_has_its_place() -> None:
    """
    The daemon learns in order that a fact is missing, and of which kind.
    """
    facts = queue()
    facts.put("sql", {})
    facts.miss("transaction")
    facts.put("sql", {})
    first, gap, last = told(facts.take())
    assert [first["seq"], gap["seq"], last["seq"]] == [1, 2, 3]
    assert (gap["kind"], gap["from_seq"], gap["to_seq"], gap["kinds"]) == ("gap", 2, 2, {"transaction": 1})
    for _ in range(QUEUE_FACTS + 5):
        facts.miss("transaction")
    (gap, *_) = told(facts.take())
    assert (gap["dropped"], gap["kinds"], gap["from_seq"]) == (5, {"transaction": 5}, 4)
