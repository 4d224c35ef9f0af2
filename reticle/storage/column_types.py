"""
Column types that are the same thing on every database, for the tables and for the migrations.

Imported in the writer thread only, as the tables are.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Integer

Whole: Final = BigInteger().with_variant(Integer(), "sqlite")
"""
A whole number of up to 64 bits: microseconds since the epoch do not fit in PostgreSQL's ``integer``, and only
SQLite's ``INTEGER PRIMARY KEY`` numbers its rows by itself.
"""
