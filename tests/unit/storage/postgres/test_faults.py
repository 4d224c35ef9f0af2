"""
What failures of PostgreSQL mean, and which failures are bugs.
"""

from __future__ import annotations

import pytest

from reticle.errors import ConfigurationFault
from reticle.model.trust import Secret
from reticle.storage.postgres.address import PostgresAddress
from reticle.storage.postgres.connection import PostgresPlace
from reticle.storage.postgres.faults import is_contention, is_lost, refusal_from, unknown_outcome

psycopg = pytest.importorskip("psycopg", reason="psycopg is not installed")

SHOWN = "PostgreSQL at db:5432/work"


def failure(state: str | None, text: str = "SELECT secret FROM somewhere") -> BaseException:
    """
    An error as psycopg raises it.
    """
    fault: BaseException = (
        psycopg.OperationalError(text) if state is None else psycopg.errors.lookup(state)(text)
    )
    return fault


@pytest.mark.parametrize(
    ("state", "text", "message", "recovery"),
    [
        ("53100", "", f"the disk of {SHOWN} is full", "Free disk space"),
        ("57P01", "", f"{SHOWN} is stopping or starting", "Start it"),
        ("25006", "", f"{SHOWN} takes no changes: it is a standby", "primary"),
        ("42501", "", f"{SHOWN} does not let us change its tables", "owner"),
        (None, "", f"{SHOWN} cannot be reached", "Start it"),
        (None, 'FATAL: password authentication failed for user "x"', f"{SHOWN} does not let us in", "Mend"),
        (None, 'FATAL: database "x" does not exist', f"{SHOWN} does not exist", "createdb"),
        (None, "FATAL: sorry, too many clients already", f"{SHOWN} has too many connections", "max_conn"),
    ],
)
def test_a_failure_of_the_server_is_a_refusal_with_a_recovery(
    state: str | None, text: str, message: str, recovery: str
) -> None:
    """
    Each kind of failure says what to do, and none repeats the server's words.
    """
    refusal = refusal_from(failure(state, text or "SELECT secret"), SHOWN)
    assert refusal is not None
    assert (refusal.code, refusal.message) == ("storage_failed", message)
    assert recovery in refusal.recovery
    assert "secret" not in refusal.message + refusal.recovery


@pytest.mark.parametrize("state", ["23505", "42601", "42P01", "22P02"])
def test_wrong_statements_are_bugs(state: str) -> None:
    """
    A bug of ours is not dressed up as a trouble of the server.
    """
    assert refusal_from(failure(state), SHOWN) is None
    assert not is_lost(failure(state))
    assert refusal_from(KeyError("x"), SHOWN) is None


def test_what_helps_is_told_apart() -> None:
    """
    A deadlock is tried again, a lost connection is made again, and a commit in the dark says so.
    """
    assert [is_contention(failure(state)) for state in ("40001", "40P01", "55P03", "53100")] == [True] * 3 + [
        False
    ]
    assert [is_lost(failure(state)) for state in (None, "57P01", "08006", "40P01")] == [True] * 3 + [False]
    assert unknown_outcome(SHOWN).details == {"outcome": "unknown"}


def test_a_url_that_libpq_does_not_understand_is_not_repeated() -> None:
    """
    Who mistypes the URL is told so, without the password that stands in it.
    """
    place = PostgresPlace(PostgresAddress(Secret("postgresql://me:hunter2@h/db?nonsense=1")), "test")
    with pytest.raises(ConfigurationFault) as caught:
        place.open(full_sync=False)
    assert "hunter2" not in caught.value.message + caught.value.recovery + repr(caught.value.__cause__)
