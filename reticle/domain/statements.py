"""
What can be read off an SQL statement without its values: verb, tables, shape.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_FIRST_WORD: Final = re.compile(r"\s*(?:/\*[^*]{0,500}\*/\s*)?([A-Za-z]{1,20})")
_TABLE: Final = re.compile(
    r"\b(?:from|join|into|update)\s+(?:only\s+)?((?:[\w$]{1,100}|\"[^\"]{1,100}\"|`[^`]{1,100}`)"
    r"(?:\.(?:[\w$]{1,100}|\"[^\"]{1,100}\"|`[^`]{1,100}`)){0,2})",
    re.IGNORECASE,
)
_LITERAL: Final = re.compile(r"'[^']*'|\b\d+(?:\.\d+)?\b")
_LIST: Final = re.compile(
    r"\(\s*(?:\?|%s|%\(\w+\)s|:\w+|\$\d+)(?:\s*,\s*(?:\?|%s|%\(\w+\)s|:\w+|\$\d+))*\s*\)"
)
_SPACE: Final = re.compile(r"\s+")
_TABLES: Final = 20


def verb_of(statement: str) -> str:
    """
    The first word in capitals, empty where there is none.
    """
    found = _FIRST_WORD.match(statement[:1_000])
    return found[1].upper() if found else ""


def tables_of(statement: str) -> Sequence[str]:
    """
    The tables that it names behind FROM, JOIN, INTO and UPDATE, each once, without quotes.
    """
    named = (each.replace('"', "").replace("`", "") for each in _TABLE.findall(statement)[:_TABLES])
    return list(dict.fromkeys(named))


def shape_of(statement: str) -> str:
    """
    The statement without values, spaces and the length of its lists: the same for every row of a loop.
    """
    plain = _SPACE.sub(" ", _LITERAL.sub("?", statement)).strip()
    return _LIST.sub("(?)", plain)
