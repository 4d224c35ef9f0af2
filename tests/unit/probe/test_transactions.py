"""
Which statements share a transaction, and how it ended.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from reticle.probe.context import begin
from reticle.probe.transactions import Transactions
from reticle.testing.kept_facts import KeptFacts, keeping_facts

HERE = ("/srv/shop/views.py", 3)


@pytest.fixture
def kept() -> Iterator[KeptFacts]:
    """
    The probe is on, and facts stay here.
    """
    with keeping_facts() as sink:
        yield sink


def outcomes(kept: KeptFacts) -> dict[str, str]:
    """
    Each transaction's end.
    """
    return {fields["tx"]: fields["outcome"] for fields in kept.of("transaction")}


def test_all_of_a_transaction_ends_as_one(kept: KeptFacts) -> None:
    """
    Two writes of one transaction are committed together, and the next is another.
    """
    of = Transactions()
    first = of.joined(writes=True, place=HERE)
    assert of.joined(writes=True, place=HERE) == first
    of.commit()
    second = of.joined(writes=True, place=HERE)
    of.rollback()
    assert outcomes(kept) == {first: "committed", second: "rolled_back"}


def test_reads_have_no_outcome(kept: KeptFacts) -> None:
    """
    A session that is closed after reading rolled nothing back.
    """
    of = Transactions()
    of.joined(writes=False, place=HERE)
    of.rollback()
    assert kept.facts == []


def test_a_savepoint_that_is_rolled_back_loses_its_writes_alone(kept: KeptFacts) -> None:
    """
    A write in an inner block that failed is gone although the request was committed.
    """
    of = Transactions()
    outer = of.joined(writes=True, place=HERE)
    of.savepoint("s1")
    inner = of.joined(writes=True, place=HERE)
    of.rollback_to("s1")
    of.release("s1")
    of.savepoint("s2")
    kept_inner = of.joined(writes=True, place=HERE)
    of.release("s2")
    of.commit()
    assert outcomes(kept) == {inner: "rolled_back", outer: "committed", kept_inner: "committed"}


def test_a_released_part_falls_with_the_whole(kept: KeptFacts) -> None:
    """
    What was released into a transaction that is rolled back is gone too, at any depth.
    """
    of = Transactions()
    of.savepoint("a")
    of.savepoint("b")
    deep = of.joined(writes=True, place=HERE)
    of.release("b")
    middle = of.joined(writes=True, place=HERE)
    of.release("a")
    of.rollback()
    assert outcomes(kept) == {deep: "rolled_back", middle: "rolled_back"}


@pytest.mark.parametrize(
    ("statements", "outcome"),
    [
        (["COMMIT"], "committed"),
        (["END"], "committed"),
        (["ROLLBACK"], "rolled_back"),
        (["SAVEPOINT x", "RELEASE SAVEPOINT x", "COMMIT"], "committed"),
        (["SAVEPOINT x", "RELEASE x", "COMMIT"], "committed"),
        (['SAVEPOINT "x"', 'ROLLBACK TO SAVEPOINT "x"', "COMMIT"], "committed"),
        (["RELEASE nothing", "ROLLBACK TO nothing", "COMMIT"], "committed"),
    ],
)
def test_statements_of_the_app_end_it_too(kept: KeptFacts, statements: list[str], outcome: str) -> None:
    """
    An app that writes COMMIT itself is understood.
    """
    of = Transactions()
    tx = of.joined(writes=True, place=HERE)
    for sql in statements:
        of.control(sql, sql.partition(" ")[0])
    assert outcomes(kept) == {tx: outcome}


def test_an_end_after_the_request_belongs_to_it(kept: KeptFacts) -> None:
    """
    A connection that is closed when its request is over is still that request's.
    """
    of = Transactions()
    request = begin("POST", "/pay")
    of.joined(writes=True, place=HERE)
    request.end(200)
    of.rollback()
    (fields,) = kept.of("transaction")
    assert fields["rid"] == request.rid
