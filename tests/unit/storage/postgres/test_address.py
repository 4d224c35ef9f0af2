"""
How a database is called before people.
"""

from __future__ import annotations

import pytest

from reticle.model.trust import Secret
from reticle.storage.postgres.address import PostgresAddress


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://me:hunter2@db.example:6432/work?sslmode=require", "db.example:6432/work"),
        ("postgres://me:hun%40ter2@db/work", "db/work"),
        ("postgresql://me:a@b@db/work", "db/work"),
        ("postgresql:///work?host=/run/postgresql&password=hunter2", "/run/postgresql/work"),
        ("postgresql://[::1]:5432/work", "[::1]:5432/work"),
        ("postgresql://one:1,two:2/work", "one:1,two:2/work"),
        ("postgresql://", "default/default"),
    ],
)
def test_the_place_is_shown_and_the_password_never(url: str, shown: str) -> None:
    """
    Whatever form a URL has, its place is told without its secret.
    """
    address = PostgresAddress(Secret(url))
    assert address.shown == f"PostgreSQL at {shown}"
    assert "hun" not in repr(address) + address.shown
