"""
SQLite in a file: the tables, what is in them at first, and a connection for each request.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from flask import current_app, g

SCHEMA = """
CREATE TABLE ticket (
    id INTEGER PRIMARY KEY, subject TEXT NOT NULL, customer TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'open', priority TEXT NOT NULL DEFAULT 'normal', created TEXT NOT NULL
);
CREATE TABLE reply (
    id INTEGER PRIMARY KEY, ticket INTEGER NOT NULL REFERENCES ticket(id) ON DELETE CASCADE,
    author TEXT NOT NULL, words TEXT NOT NULL
);
CREATE TABLE entry (
    id INTEGER PRIMARY KEY, ticket INTEGER NOT NULL REFERENCES ticket(id) ON DELETE CASCADE,
    minutes INTEGER NOT NULL, what TEXT NOT NULL, billed INTEGER NOT NULL DEFAULT 0
);
"""
SUBJECTS = (
    "Printer does not print", "Cannot sign in", "Invoice has the wrong address", "Screen flickers",
    "Mail is slow", "Please reset my password", "Keyboard is missing a key", "Wrong name on the badge",
    "Door does not open", "Projector is too dark", "Phone rings twice", "Backup failed at night",
    "Licence has expired", "New mouse for Pat", "Calendar shows the wrong week", "Scanner jams",
    "Wifi in the kitchen", "Update breaks the report", "Camera is upside down", "Headset crackles",
    "Report shows last year", "Laptop battery is flat", "Card reader beeps", "Ticket for the archive",
)  # fmt: skip
CUSTOMERS = ("Lee", "Pat", "Sam", "Noor")
CLOSED = {4, 9, 16, 24}
FIRST = "2026-03-27T15:00:00+00:00"


def create(path: Path) -> None:
    """
    Make the tables and fill them.
    """
    with sqlite3.connect(path) as connection:
        connection.executescript(SCHEMA)
        connection.executemany(
            "INSERT INTO ticket (id, subject, customer, status, created) VALUES (?, ?, ?, ?, ?)",
            [
                (number, subject, CUSTOMERS[number % 4], "closed" if number in CLOSED else "open", FIRST)
                for number, subject in enumerate(SUBJECTS, 1)
            ],
        )
        connection.executemany(
            "INSERT INTO reply (ticket, author, words) VALUES (?, ?, ?)",
            [(1, "Pat", "It only hums."), (1, "Kim", "Is there paper in it?")],
        )
        connection.executemany(
            "INSERT INTO entry (ticket, minutes, what, billed) VALUES (?, ?, ?, ?)",
            [(2, 45, "Looked at the log", 1), (2, 30, "Called the customer", 1), (3, 20, "Wrote a mail", 0)],
        )


def connection() -> sqlite3.Connection:
    """
    The request's own connection.
    """
    if "connection" not in g:
        g.connection = sqlite3.connect(current_app.config["DATABASE"])
        g.connection.row_factory = sqlite3.Row
        g.connection.execute("PRAGMA foreign_keys = ON")
    return g.connection


def close() -> None:
    """
    Leave the connection; what was not committed is not kept.
    """
    if "connection" in g:
        g.pop("connection").close()


def rows(statement: str, values: Sequence[object] = ()) -> list[sqlite3.Row]:
    """
    What a statement finds.
    """
    return connection().execute(statement, values).fetchall()


def row(statement: str, values: Sequence[object] = ()) -> sqlite3.Row | None:
    """
    The first that a statement finds.
    """
    found: sqlite3.Row | None = connection().execute(statement, values).fetchone()
    return found


def change(statement: str, values: Sequence[object] = ()) -> int:
    """
    Carry out a change and keep it; gives the id of a row that was added.
    """
    cursor = connection().execute(statement, values)
    connection().commit()
    return cursor.lastrowid or 0
