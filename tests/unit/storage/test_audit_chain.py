"""
The audit log cannot be quietly changed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.errors import Refusal
from reticle.model.limits import AUDIT_SEGMENT_ROWS
from reticle.storage.audit_chain import GENESIS, Head, Unchained, append, head_of, prune, row_hash
from reticle.storage.audit_check import begin_check, rows_of
from reticle.storage.connection import open_database


@pytest.fixture
def driver(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """
    A migrated database.
    """
    opened = open_database(tmp_path / "x.sqlite3")
    yield opened.driver
    opened.close()


def row(number: int) -> Unchained:
    """
    A row that differs from every other.
    """
    who = ("local", "mcp", "sse", "reticle_act")
    return (f"audit_{number}", number, *who, None, "allowed", "", "0" * 64, 5, None)


def check(driver: sqlite3.Connection, rows: int = 7, kept: int = 0) -> tuple[int, str | None, int | None]:
    """
    Rows that hold, the kind of the first fault and its number.
    """
    walk = begin_check(driver, kept=kept)
    while not walk.done and walk.fault is None:
        walk.step(driver, rows)
    result = walk.result()
    fault = result.fault
    return (result.rows, None, None) if fault is None else (result.rows, fault.kind, fault.seq)


def test_batches_of_any_size_make_one_chain(driver: sqlite3.Connection) -> None:
    """
    However the rows arrived, the chain is the same and whole.
    """
    for start, end in ((0, 1), (1, 12), (12, 12), (12, 30)):
        append(driver, [row(number) for number in range(start, end)])
    expected = GENESIS
    for number in range(30):
        expected = row_hash(expected, number + 1, row(number))
    assert head_of(driver).row_hash == expected
    for rows in (1, 7, 1000):
        assert check(driver, rows) == (30, None, None)
    assert [each[0] for each in rows_of(driver, 3, 2)] == [4, 5]


COPY_OF_THE_LAST = (
    "INSERT INTO audit SELECT 21, 'audit_new', at_us, principal, transport, carrier, tool, repository_id,"
    " decision, reason, arguments_sha256, duration_us, verdict_id, row_hash FROM audit WHERE seq = 20"
)


@pytest.mark.parametrize(
    ("tampering", "fault", "seq"),
    [
        ("UPDATE audit SET principal = 'token:x' WHERE seq = 4", "altered", 4),
        ("UPDATE audit SET verdict_id = '' WHERE seq = 9", "altered", 9),
        ("UPDATE audit SET decision = 'refused', reason = 'x' WHERE seq = 20", "altered", 20),
        ("UPDATE audit SET row_hash = zeroblob(32) WHERE seq = 4", "altered", 4),
        ("DELETE FROM audit WHERE seq = 4", "missing", 4),
        ("DELETE FROM audit WHERE seq = 1", "missing", 1),
        ("DELETE FROM audit WHERE seq = 20", "missing", 20),
        ("DELETE FROM audit WHERE seq > 12", "missing", 13),
        ("DELETE FROM audit", "missing", 1),
        (COPY_OF_THE_LAST, "inserted", 21),
        ("UPDATE audit_head SET row_hash = zeroblob(32)", "altered", 20),
    ],
)
def test_the_first_row_that_was_touched_is_named(
    driver: sqlite3.Connection, tampering: str, fault: str, seq: int
) -> None:
    """
    Whoever changes, removes or adds a row in the file is seen, with the number of that row.
    """
    append(driver, [row(number) for number in range(20)])
    driver.execute(tampering)
    assert check(driver)[1:] == (fault, seq)


def test_two_rows_cannot_change_places(driver: sqlite3.Connection) -> None:
    """
    The order of rows is part of what is proved.
    """
    append(driver, [row(number) for number in range(6)])
    driver.executescript(
        "UPDATE audit SET seq = 100 WHERE seq = 3; UPDATE audit SET seq = 3 WHERE seq = 4;"
        "UPDATE audit SET seq = 4 WHERE seq = 100;"
    )
    assert check(driver)[1:] == ("inserted", 3)


SHIFT_UP = "UPDATE audit SET seq = -seq - 1 WHERE seq >= 8; UPDATE audit SET seq = -seq WHERE seq < 0;"
SHIFT_DOWN = "UPDATE audit SET seq = -seq + 1 WHERE seq > 8; UPDATE audit SET seq = -seq WHERE seq < 0;"
INTRUDER = (
    "INSERT INTO audit SELECT 8, 'audit_new', at_us, principal, transport, carrier, tool, repository_id,"
    " decision, reason, arguments_sha256, duration_us, verdict_id, row_hash FROM audit WHERE seq = 7"
)


@pytest.mark.parametrize("rows", [1, 7, 8, 1000])
@pytest.mark.parametrize("consistent", [True, False])
def test_a_row_put_between_is_named(driver: sqlite3.Connection, rows: int, consistent: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """
    Who makes room by numbering later rows anew is seen, even when the new row follows on the one before.
    """
    append(driver, [row(number) for number in range(20)])
    driver.executescript(f"{SHIFT_UP} {INTRUDER}; UPDATE audit_head SET seq = 21;")
    if consistent:
        before = driver.execute("SELECT row_hash FROM audit WHERE seq = 7").fetchone()[0]
        intruder: tuple[Any, ...] = next(iter(rows_of(driver, 7, 1)))
        forged = row_hash(before, 8, intruder[1:-1])
        driver.execute("UPDATE audit SET row_hash = ? WHERE seq = 8", (forged,))
    assert check(driver, rows)[1:] == ("inserted", 8)


@pytest.mark.parametrize("rows", [1, 7, 8, 1000])
def test_a_gap_that_was_closed_is_named(driver: sqlite3.Connection, rows: int) -> None:
    """
    Who removes a row and numbers the later ones anew is seen.
    """
    append(driver, [row(number) for number in range(20)])
    driver.executescript(f"DELETE FROM audit WHERE seq = 8; {SHIFT_DOWN} UPDATE audit_head SET seq = 19;")
    assert check(driver, rows)[1:] == ("missing", 8)


@pytest.mark.parametrize(
    "tampering",
    [
        "UPDATE audit SET tool = x'ff00' WHERE seq = 4",
        "UPDATE audit SET tool = CAST(x'ff' AS TEXT) WHERE seq = 4",
        "UPDATE audit SET at_us = 1.5 WHERE seq = 4",
        "UPDATE audit SET row_hash = 'text' WHERE seq = 4",
    ],
)
def test_what_is_no_value_of_ours_is_named_too(driver: sqlite3.Connection, tampering: str) -> None:
    """
    A row that was overwritten with anything at all is found, and does not break the check.
    """
    append(driver, [row(number) for number in range(6)])
    driver.execute(tampering)
    assert check(driver)[1:] == ("altered", 4)


@pytest.mark.parametrize(
    "tampering",
    [
        "DELETE FROM audit_head",
        "UPDATE audit_head SET row_hash = 'text'",
        "INSERT INTO audit_head SELECT 2, seq, row_hash FROM audit_head",
    ],
)
def test_a_log_without_its_head_takes_no_rows(driver: sqlite3.Connection, tampering: str) -> None:
    """
    Who takes the head out, so that a cut end is not seen, stops the daemon from answering.
    """
    append(driver, [row(1)])
    driver.execute(tampering)
    with pytest.raises(Refusal, match="has lost its head"):
        append(driver, [row(2)])
    with pytest.raises(Refusal, match="has lost its head"):
        check(driver)


def test_rows_follow_on_the_stored_end_whatever_was_thought_of_it(driver: sqlite3.Connection) -> None:
    """
    A row that came in between, or another database in the old one's place, makes no break in the chain.
    """
    first = append(driver, [row(1)])
    second = append(driver, [row(2)], first)
    for stale in (first, Head(99, b"x" * 32), Head(2, b"x" * 32)):
        append(driver, [row(3), row(4)], stale)
    walk = begin_check(driver)
    walk.step(driver, 100)
    assert second == Head(2, row_hash(first.row_hash, 2, row(2)))
    assert (walk.result().fault, walk.result().seq) == (None, 8)


def test_a_noted_head_tells_a_chain_that_was_made_anew(driver: sqlite3.Connection) -> None:
    """
    Who rewrites every row so that all of them fit is seen by the hash that an operator noted before.
    """
    append(driver, [row(number) for number in range(4)])
    noted = head_of(driver).row_hash.hex()
    append(driver, [row(number) for number in range(4, 9)])
    assert met(driver, noted) is True
    driver.execute("DELETE FROM audit")
    driver.execute("UPDATE audit_head SET seq = 0, row_hash = ?", (GENESIS,))
    append(driver, [row(number) for number in range(1, 9)])
    assert check(driver)[1] is None
    assert met(driver, noted) is False


def met(driver: sqlite3.Connection, noted: str) -> bool | None:
    """
    Whether a whole check meets a noted hash.
    """
    walk = begin_check(driver, noted)
    while not walk.done:
        walk.step(driver, 3)
    return walk.result().met_expected


def fill(driver: sqlite3.Connection, rows: int) -> None:
    """
    So many rows in large batches.
    """
    for start in range(0, rows, 4_000):
        append(driver, [row(number) for number in range(start, min(start + 4_000, rows))])


def test_old_rows_make_room_by_whole_segments(driver: sqlite3.Connection) -> None:
    """
    The log keeps at least the rows that it promises, and what went is still linked to what stayed.
    """
    fill(driver, 2 * AUDIT_SEGMENT_ROWS + 2_500)
    prune(driver, AUDIT_SEGMENT_ROWS, 7)
    left = driver.execute("SELECT min(seq), count(*) FROM audit").fetchone()
    first_end = driver.execute("SELECT min(last_seq) FROM audit_segment").fetchone()[0]
    assert left == (first_end + 1, 2 * AUDIT_SEGMENT_ROWS + 2_500 - first_end)
    assert check(driver, 3_000) == (left[1], None, None)
    prune(driver, 0, 8)
    assert check(driver, 3_000)[1] is None
    append(driver, [row(99_999)])
    assert check(driver, 3_000)[1] is None


def test_rows_may_make_room_during_a_check(driver: sqlite3.Connection) -> None:
    """
    A check of a busy log does not take rows for missing that went by the rule meanwhile.
    """
    fill(driver, 3 * AUDIT_SEGMENT_ROWS + 2_500)
    walk = begin_check(driver, kept=AUDIT_SEGMENT_ROWS)
    walk.step(driver, 3_000)
    append(driver, [row(number) for number in range(AUDIT_SEGMENT_ROWS)])
    prune(driver, AUDIT_SEGMENT_ROWS, 7)
    while not walk.done and walk.fault is None:
        walk.step(driver, 3_000)
    result = walk.result()
    assert (result.fault, result.seq) == (None, 3 * AUDIT_SEGMENT_ROWS + 2_500)
    assert result.rows + result.pruned == result.seq


@pytest.mark.parametrize(
    "tampering",
    [
        "UPDATE audit_segment SET previous_hash = x'01' WHERE pruned_at_us IS NULL",
        "UPDATE audit_segment SET last_hash = zeroblob(32) WHERE pruned_at_us NOT NULL",
        "UPDATE audit_segment SET previous_hash = x'01' WHERE pruned_at_us NOT NULL",
        "UPDATE audit_segment SET last_hash = zeroblob(32) WHERE pruned_at_us IS NULL",
        "DELETE FROM audit_segment WHERE pruned_at_us NOT NULL",
        "UPDATE audit_segment SET pruned_at_us = 1",
        "UPDATE audit_segment SET last_hash = 'text' WHERE pruned_at_us NOT NULL",
        "UPDATE audit_segment SET previous_hash = 7",
        "UPDATE audit_segment SET last_seq = x'ff' WHERE pruned_at_us IS NULL",
    ],
)
def test_segments_cannot_hide_rows(driver: sqlite3.Connection, tampering: str) -> None:
    """
    Who marks rows as pruned, or forges what pruned ones hashed to, is seen.
    """
    fill(driver, 2 * AUDIT_SEGMENT_ROWS + 2_500)
    prune(driver, AUDIT_SEGMENT_ROWS, 7)
    driver.execute(tampering)
    assert check(driver, 3_000)[1] is not None


PRUNE_BY_HAND = (
    "UPDATE audit_segment SET pruned_at_us = 1 WHERE last_seq <= {last};"
    "DELETE FROM audit WHERE seq <= (SELECT max(last_seq) FROM audit_segment WHERE pruned_at_us NOT NULL);"
)


def test_rows_that_are_to_stay_cannot_be_taken_out_as_old_ones(driver: sqlite3.Connection) -> None:
    """
    Who takes whole segments out in the daemon's own manner is seen: the daemon would have kept those rows.
    """
    fill(driver, 2 * AUDIT_SEGMENT_ROWS + 2_500)
    kept = AUDIT_SEGMENT_ROWS
    prune(driver, kept, 7)
    whole = driver.execute("SELECT min(seq), count(*) FROM audit").fetchone()
    assert check(driver, 3_000, kept) == (whole[1], None, None)
    driver.executescript(PRUNE_BY_HAND.format(last=2 * AUDIT_SEGMENT_ROWS + 2_500))
    assert check(driver, 3_000, kept)[1:] == ("missing", whole[0])


@pytest.mark.parametrize("tampering", ["last_hash = 'text'", "last_seq = 'text'", "last_hash = 7"])
def test_nothing_is_sealed_behind_a_forged_segment(driver: sqlite3.Connection, tampering: str) -> None:
    """
    Calls are refused with what is wrong and what mends it, not as a bug of ours.
    """
    fill(driver, AUDIT_SEGMENT_ROWS)
    driver.execute(f"UPDATE audit_segment SET {tampering}")
    with pytest.raises(Refusal, match="forged"):
        fill(driver, AUDIT_SEGMENT_ROWS)


VALUES = st.lists(st.none() | st.integers(-(2**62), 2**62) | st.text(max_size=6), min_size=1, max_size=5)


@given(VALUES, VALUES)
def test_different_rows_hash_differently(one: list[Any], other: list[Any]) -> None:
    """
    No field can borrow characters of its neighbour.
    """
    same = [*map(type, one), *one] == [*map(type, other), *other]
    assert (row_hash(GENESIS, 1, one) == row_hash(GENESIS, 1, other)) is same


def test_the_form_never_changes() -> None:
    """
    A chain of today can be checked by every later version: this row's hash is for ever.
    """
    ever = "982349b6caa64b78a8ab7454422e150410485c74e2a7c1c74994007a85e28e2d"
    assert row_hash(GENESIS, 1, row(1)).hex() == ever
