"""
Which statements share a transaction, and how it ended.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from reticle.probe.context import begin
from reticle.probe.limits import OPEN_PARTS, RELEASED_PARTS, UNENDED_REQUESTS
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


def test_a_connection_that_is_never_committed_keeps_few_requests(kept: KeptFacts) -> None:
    """
    An app with one connection for all and no commit does not keep every request for ever.
    """
    of = Transactions()
    for _ in range(UNENDED_REQUESTS + 5):
        request = begin("POST", "/")
        of.joined(writes=True, place=HERE)
        request.end(200)
    told = [fields["outcome"] for fields in kept.of("transaction")]
    assert told == ["open"] * (UNENDED_REQUESTS + 5)
    of.commit()
    assert [fields["outcome"] for fields in kept.of("transaction")][len(told) :] == (
        ["committed"] * UNENDED_REQUESTS
    )


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
    assert [(fields["outcome"], fields["rid"]) for fields in kept.of("transaction")] == [
        ("open", request.rid), ("rolled_back", request.rid),
    ]  # fmt: skip
    assert kept.kinds[-2] == "request.handled"


def test_the_end_of_a_shared_transaction_belongs_to_all_that_wrote_in_it(kept: KeptFacts) -> None:
    """
    A later request that closes the connection loses the writes of the earlier ones, not only its own.
    """
    of = Transactions()
    rids = []
    for _ in range(2):
        request = begin("POST", "/pay")
        of.joined(writes=True, place=HERE)
        request.end(200)
        rids.append(request.rid)
    begin("GET", "/other")
    of.rollback()
    ended = [fields["rid"] for fields in kept.of("transaction") if fields["outcome"] == "rolled_back"]
    assert ended == rids


@pytest.mark.parametrize(
    "words",
    [
        ("SAVEPOINT one", "ROLLBACK TO SAVEPOINT one"),
        ("SAVEPOINT One", "ROLLBACK TRANSACTION TO ONE"),
        ('savepoint "one"', 'rollback to savepoint "one"'),
        ("SAVEPOINT [one]", "ROLLBACK TO one"),
    ],
)
def test_a_savepoint_is_known_in_every_spelling(kept: KeptFacts, words: tuple[str, str]) -> None:
    """
    Writes behind a savepoint are gone whatever way it was named in.
    """
    of = Transactions()
    of.control(words[0], "SAVEPOINT")
    inner = of.joined(writes=True, place=HERE)
    of.control(words[1], "ROLLBACK")
    of.commit()
    assert outcomes(kept) == {inner: "rolled_back"}


def test_a_commit_behind_a_failed_statement_is_none_where_the_database_says_so(kept: KeptFacts) -> None:
    """
    PostgreSQL takes the commit of a transaction in which a statement failed, and keeps nothing of it.
    """
    of = Transactions(is_aborted_by_faults=True)
    lost = of.joined(writes=True, place=HERE)
    of.failed()
    of.commit()
    of.savepoint("a")
    of.joined(writes=True, place=HERE)
    of.failed()
    of.rollback_to("a")
    kept_one = of.joined(writes=True, place=HERE)
    of.commit()
    told = outcomes(kept)
    assert (told[lost], told[kept_one]) == ("rolled_back", "committed")


def test_a_fault_after_other_work_takes_no_commit_back(kept: KeptFacts) -> None:
    """
    A connection that breaks later does not undo what was committed before.
    """
    of = Transactions()
    tx = of.joined(writes=True, place=HERE)
    of.commit()
    of.rollback()
    of.commit_failed()
    assert outcomes(kept) == {tx: "committed"}


def test_a_commit_that_failed_after_it_was_told_is_taken_back(kept: KeptFacts) -> None:
    """
    The last word on a transaction is the true one.
    """
    of = Transactions()
    tx = of.joined(writes=True, place=HERE)
    of.commit()
    of.commit_failed()
    assert outcomes(kept) == {tx: "rolled_back"}


def test_savepoints_without_end_are_few_and_what_is_not_told_is_counted(kept: KeptFacts) -> None:
    """
    An import that makes a savepoint for each row keeps no memory of all of them, and hides none.
    """
    request = begin("POST", "/import")
    whole = Transactions()
    for number in range(RELEASED_PARTS + 20):
        whole.savepoint(f"s{number}")
        whole.joined(writes=True, place=("/app/views.py", 3))
        whole.release(f"s{number}")
    assert len(request.uncommitted) == RELEASED_PARTS
    whole.commit()
    missed = [fields for fields in kept.of("gap") if fields["kinds"] == {"transaction": 1}]
    assert (len(missed), len(kept.of("transaction"))) == (20, RELEASED_PARTS)
    assert request.uncommitted == {}
    request.end(200)


def lost(kept: KeptFacts) -> int:
    """
    Ends of transactions that were told as lost.
    """
    return len([fields for fields in kept.of("gap") if fields["kinds"] == {"transaction": 1}])


def opened(count: int) -> Transactions:
    """
    So many savepoints with a write each, none of them released.
    """
    whole = Transactions()
    whole.begin()
    for number in range(count):
        whole.savepoint(f"s{number}")
        whole.joined(writes=True, place=HERE)
    return whole


def test_savepoints_that_nobody_releases_do_not_gather(kept: KeptFacts) -> None:
    """
    An import that opens one inside the other for each row keeps no memory of all of them, and hides none.
    """
    request = begin("POST", "/import")
    whole = opened(OPEN_PARTS + 20)
    assert len(request.uncommitted) < OPEN_PARTS
    whole.commit()
    ended = list(outcomes(kept).values())
    assert ended == ["committed"] * (OPEN_PARTS - 1)
    assert lost(kept) == 21
    assert request.uncommitted == {}
    request.end(200)


def test_back_to_a_savepoint_that_was_let_go_loses_all_that_came_after_it(kept: KeptFacts) -> None:
    """
    What is known was written later than that, so none of it is told as committed.
    """
    whole = opened(OPEN_PARTS + 20)
    whole.rollback_to("s3")
    whole.commit()
    assert set(outcomes(kept).values()) == {"rolled_back"}


def test_released_into_a_savepoint_that_was_let_go_nothing_is_told(kept: KeptFacts) -> None:
    """
    Whether the app goes back to that one cannot be known any more, so the ends are lost and no success.
    """
    whole = opened(OPEN_PARTS + 20)
    whole.release("s3")
    whole.rollback_to("s2")
    whole.commit()
    assert outcomes(kept) == {}
    assert lost(kept) == OPEN_PARTS + 20


def test_what_nobody_ended_is_told_apart_from_what_the_app_rolled_back(kept: KeptFacts) -> None:
    """
    A connection that goes without a commit is a forgotten one, not a rollback that somebody wrote.
    """
    for end in (Transactions.rollback, Transactions.drop):
        transactions = Transactions()
        transactions.joined(writes=True, place=("/app/views.py", 3))
        end(transactions)
    assert [(fields["outcome"], fields.get("dropped")) for fields in kept.of("transaction")] == [
        ("rolled_back", None),
        ("rolled_back", True),
    ]


def test_a_part_says_of_which_transaction_it_was_and_what_was_refused_in_it(kept: KeptFacts) -> None:
    """
    Whoever judges a rolled back savepoint sees that the database asked for it, and what came of the rest.
    """
    of = Transactions()
    whole = of.joined(writes=True, place=HERE)
    of.savepoint("a")
    lost = of.joined(writes=True, place=HERE)
    of.savepoint("b")
    inner = of.joined(writes=True, place=HERE)
    of.failed(("orders",))
    of.failed(("orders", "payments"), is_conflict=True)
    of.release("b")
    of.rollback_to("a")
    kept_one = of.joined(writes=True, place=HERE)
    of.release("a")
    of.commit()
    told = {fields["tx"]: fields for fields in kept.of("transaction")}
    why = {"within": whole, "refused": ["orders", "payments"], "conflict": True}
    for tx in (lost, inner):
        assert {name: told[tx].get(name) for name in why} == why
    assert (told[kept_one]["within"], told[kept_one].get("refused")) == (whole, None)
    assert "within" not in told[whole]


def test_what_was_refused_in_a_part_is_forgotten_with_it(kept: KeptFacts) -> None:
    """
    A second part under the same savepoint is judged by itself, and the whole by none of its parts.
    """
    of = Transactions()
    of.savepoint("a")
    of.failed(("orders",), is_conflict=True)
    of.rollback_to("a")
    again = of.joined(writes=True, place=HERE)
    of.rollback_to("a")
    of.failed(("orders",))
    of.rollback()
    [told] = kept.of("transaction")
    assert (told["tx"], told.get("refused"), told.get("conflict")) == (again, None, None)
