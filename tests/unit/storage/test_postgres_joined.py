"""
Writes that go to PostgreSQL as one statement.
"""

from __future__ import annotations

from reticle.storage.postgres_joined import Unsent, as_one, in_groups

JOB = Unsent("UPDATE work_job SET a = ? WHERE b = ?", (1, 2), expected=1)
LEASE = Unsent("INSERT INTO work_lease (c) VALUES (?)", (3,))
LOCK = Unsent("SELECT pg_advisory_xact_lock(?)", (4,))


def test_writes_to_different_tables_are_one_statement() -> None:
    """
    They keep their parameters in order, and the one that must meet a row is checked by the server.
    """
    (group,) = in_groups([JOB, LEASE])
    assert as_one(group) == (
        (
            "WITH w0 AS (UPDATE work_job SET a = ? WHERE b = ? RETURNING 1),"
            " w1 AS (INSERT INTO work_lease (c) VALUES (?)) SELECT 1 / count(*) FROM w0"
        ),
        [1, 2, 3],
    )


def test_what_must_come_in_its_order_is_not_joined() -> None:
    """
    A second write to a table sees what the first one left, and nothing moves past a lock.
    """
    other = JOB._replace(row=(5, 6))
    assert in_groups([JOB, other, LEASE, LOCK, JOB]) == [[JOB], [other, LEASE], [LOCK], [JOB]]


def test_a_write_that_may_meet_any_number_of_rows_says_so_itself() -> None:
    """
    What is not checked goes as it is, and what expects another number than one is looked at by us.
    """
    none = JOB._replace(expected=0)
    assert in_groups([LEASE, none, LEASE]) == [[LEASE], [none], [LEASE]]
    assert as_one([LEASE]) == (LEASE.text, LEASE.row)
    assert as_one([none]) == (none.text, none.row)
