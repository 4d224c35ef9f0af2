"""
The statements of the work as text for the driver, each made once (DESIGN §10): a claim is some twenty of
them, and to build them anew took ten times what the database needs for them.

Names are of our own, values always parameters. ``work_tables`` says what the tables are.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

import msgspec

from reticle.storage.work.rows import TABLES

Kind = type[msgspec.Struct]


@functools.cache
def columns_of(kind: Kind, prefix: str = "") -> str:
    """
    The columns of a value, in the order of its fields. One name is a word of SQL's, so all are quoted.
    """
    return ", ".join(f'{prefix}"{name}"' for name in kind.__struct_fields__)


@functools.cache
def select(
    kind: Kind, equal: Sequence[str], more: str = "", order: str = "", *, limited: bool = False
) -> str:
    """
    Values whose columns are ``equal`` to parameters; ``more`` is a condition with parameters behind those.
    """
    conditions = [*(f'"{name}" = ?' for name in equal), *filter(None, [more])]
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    return (
        f"SELECT {columns_of(kind)} FROM {TABLES[kind]}{where}"  # noqa: S608 - names of our own
        f"{' ORDER BY ' if order else ''}{order}{' LIMIT ?' if limited else ''}"
    )


@functools.cache
def insert(kind: Kind, names: Sequence[str]) -> str:
    """
    A row with these columns.
    """
    listed = ", ".join(f'"{name}"' for name in names)
    marks = ", ".join("?" * len(names))
    return f"INSERT INTO {TABLES[kind]} ({listed}) VALUES ({marks})"  # noqa: S608 - as above


@functools.cache
def update(kind: Kind, names: Sequence[str], guards: Sequence[str]) -> str:
    """
    New values for these columns where the guards are as they were.
    """
    changes = ", ".join(f'"{name}" = ?' for name in names)
    where = " AND ".join(f'"{name}" = ?' for name in guards)
    return f"UPDATE {TABLES[kind]} SET {changes} WHERE {where}"  # noqa: S608 - as above
