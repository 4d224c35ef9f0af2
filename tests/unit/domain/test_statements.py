"""
What an SQL statement tells without its values.
"""

from __future__ import annotations

import time

import pytest

from reticle.domain.statements import shape_of, tables_of, verb_of


@pytest.mark.parametrize(
    ("statement", "verb", "tables"),
    [
        ("select a from b where c = ?", "SELECT", ["b"]),
        ('  INSERT INTO "shop"."orders" (a) VALUES (%s)', "INSERT", ["shop.orders"]),
        ("UPDATE ONLY orders o SET a = 1 FROM lines l", "UPDATE", ["orders", "lines"]),
        ("DELETE FROM `carts` WHERE id = 1", "DELETE", ["carts"]),
        ("/* by: view */ SELECT 1 FROM a JOIN b ON a.i = b.i JOIN a x ON 1", "SELECT", ["a", "b"]),
        ("", "", []),
        ("(((", "", []),
    ],
)
def test_verb_and_tables(statement: str, verb: str, tables: list[str]) -> None:
    """
    A claim about a table finds it however it is quoted.
    """
    assert (verb_of(statement), tables_of(statement)) == (verb, tables)


def test_one_shape_for_every_row_of_a_loop() -> None:
    """
    Values, lists of any length and spaces make no difference; another column does.
    """
    shapes = {
        shape_of("SELECT a FROM b WHERE id = 7"),
        shape_of("SELECT a\n  FROM b WHERE id = 19"),
        shape_of("SELECT a FROM b WHERE id = 'x'"),
    }
    assert len(shapes) == 1
    assert shape_of("SELECT a FROM b WHERE i IN (?, ?)") == shape_of("SELECT a FROM b WHERE i IN (?,?,?, ?)")
    assert shape_of("SELECT a FROM b WHERE id = ?") != shape_of("SELECT a FROM b WHERE name = ?")


def test_no_statement_takes_long() -> None:
    """
    Hostile texts are read in linear time.
    """
    began = time.process_time()
    for text in ("from " * 400, "(" + "?," * 900, "'" * 2_000, "/*" * 1_000, "from " + "a." * 900):
        tables_of(text), verb_of(text), shape_of(text)
    assert time.process_time() - began < 1
