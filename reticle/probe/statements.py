"""
What an SQL statement does, read from its text: verb, tables, and the text with every literal taken out.

No parser of a dialect: a reader of words, strings and brackets that is right for the statements people and
ORMs write, and that errs towards saying less.
"""

from __future__ import annotations

import re
from typing import Final

from reticle.probe.limits import KEPT_STATEMENT_CHARS, KEPT_STATEMENTS, SMALL_CHARS, STATEMENT_CHARS, TABLES
from reticle.probe.redaction import cut

WRITES: Final = frozenset({"INSERT", "UPDATE", "DELETE", "REPLACE", "MERGE", "UPSERT", "TRUNCATE", "COPY"})
"""Verbs that change rows."""

CONTROL: Final = frozenset({
    "BEGIN", "START", "COMMIT", "END", "ROLLBACK", "ABORT", "SAVEPOINT", "RELEASE",
})  # fmt: skip
"""Verbs that begin and end transactions."""

_VERBS: Final = frozenset({"SELECT", "VALUES", *WRITES})
_LONGEST: Final = 100_000
"""Characters read; what comes after them is rows of a bulk insert."""

_TOKEN: Final = re.compile(
    r"""(?P<space>\s+|--[^\n]*|\#\s[^\n]*|/\*.*?(?:\*/|\Z))"""
    r"""|(?P<string>[eEnNbBxX]?'(?:[^'\\]|''|\\.)*(?:'|$)|\$(?P<tag>\w*)\$.*?(?:\$(?P=tag)\$|$))"""
    r"""|(?P<quoted>"(?:[^"]|"")*(?:"|$)|`[^`]*(?:`|$)|\[[A-Za-z_][^\]]*\])"""
    r"""|(?P<mark>%\(\w+\)s|%s|\?\d*|\$\d+|:[A-Za-z_]\w*)"""
    r"""|(?P<number>(?<![\w$])(?:0[xX][0-9a-fA-F]+|\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+))"""
    r"""|(?P<word>[^\W\d]\w*)"""
    r"""|(?P<other>::|.)""",
    re.DOTALL,
)
_RUN_OF_MARKS: Final = re.compile(r"(%s|\?), (?:\1, ){2,}|(:|\$)\w+, (?:\2\w+, ){2,}|(?:%\(\w+\)s, ){3,}")
_NAMES_NO_TABLE: Final = frozenset({"EXTRACT", "SUBSTRING", "TRIM", "OVERLAY", "POSITION"})
_BEFORE_TABLE: Final = frozenset({"FROM", "JOIN", "INTO", "UPDATE", "TABLE", "USING"})
_NAME_BEHIND: Final = frozenset({
    "FROM", "JOIN", "INTO", "UPDATE", "TABLE", "AS", "ONLY", "SELECT", "DISTINCT", "EXISTS", "INDEX", "ON",
    "VIEW", "COLUMN", "REFERENCES", "CONSTRAINT", "SAVEPOINT", "RELEASE", "TO", "USING", "ADD", "RETURNING",
    "WITH", "RECURSIVE", "ALL", "SET", "WHERE", "HAVING", ".", "ORDER BY", "GROUP BY", "PARTITION BY", "COPY",
})  # fmt: skip
"""What a quoted name follows."""

_NAME_BEFORE: Final = re.compile(
    r"\s*(?:\.|=|<|>|!|(?:IS|IN|LIKE|ILIKE|BETWEEN|NOT|ASC|DESC)\b)", re.IGNORECASE
)
"""What follows a quoted name, and no text."""

_MAKES: Final = frozenset({"CREATE", "ALTER", "DROP"})
_NO_NAME: Final = frozenset({
    "SELECT", "SET", "ONLY", "LATERAL", "IF", "NOT", "EXISTS", "WHERE", "VALUES", "UNNEST", "IGNORE", "OR",
    "OF", "NOWAIT", "SKIP", "DUPLICATE", "CASCADE", "RESTRICT",
})  # fmt: skip
_PASSED_OVER: Final = frozenset({"ONLY", "LATERAL", "IF", "NOT", "EXISTS", "IGNORE", "TABLE", "LOW_PRIORITY"})


class Statement:
    """
    ``text`` without literals, ``verb`` in capitals (empty where there is none), ``tables`` in order.
    ``returns``: it has RETURNING. ``inserted``: rows that its VALUES insert, where that is sure.

    It is never changed. No tuple, and what is asked of it each time it runs is decided once: an attribute of
    a tuple with names costs six times one of these, and two of them are the same only where they are one.
    """

    __slots__ = ("inserted", "is_control", "is_short", "is_write", "returns", "tables", "text", "verb")

    def __init__(
        self,
        text: str,
        verb: str,
        tables: tuple[str, ...],
        returns: bool = False,  # noqa: FBT001, FBT002 - as it is read
        inserted: int | None = None,
    ) -> None:
        self.text: Final = text
        self.verb: Final = verb
        self.tables: Final = tables
        self.returns: Final = returns
        self.inserted: Final = inserted
        self.is_write: Final = verb in WRITES
        self.is_control: Final = verb in CONTROL
        self.is_short: Final = len(text) <= SMALL_CHARS


class _Read(dict[str, Statement]):
    """
    Equal texts are read once; a look into it is the cheapest way to a statement that ran before.
    """

    def __missing__(self, sql: str) -> Statement:
        statement = _read(sql)
        if len(sql) > KEPT_STATEMENT_CHARS:
            return statement
        if len(self) >= KEPT_STATEMENTS:
            self.clear()
        self[sql] = statement
        return statement


statements: Final = _Read()
"""Each statement by its text, which must be a ``str`` and no kind of one; those not read yet too."""


def read_statement(sql: str) -> Statement:
    """
    Read one.
    """
    return statements[sql]


def _read(sql: str) -> Statement:
    tokens = _tokens(sql[:_LONGEST])
    words = [value for kind, value in tokens if kind != "space"]
    kinds = [kind for kind, _ in tokens if kind != "space"]
    verb = _verb(words, kinds)
    upper = [word.upper() for word in words]
    returns = "RETURNING" in upper
    return Statement(_text(tokens), verb, _tables(words, kinds), returns, _inserted(upper, verb))


def _tokens(sql: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    place = _Place()
    at = 0
    while (match := _TOKEN.match(sql, at)) is not None:
        kind = match.lastgroup or "other"
        kind = "string" if kind == "tag" else kind
        value, at = match[0], match.end()
        if kind == "quoted" and value[0] == '"' and not place.takes_a_name(sql[at : at + 12]):
            kind = "string"
        if kind == "string" and _is_doubtful(value):
            at = max(at, sql.rfind(value[-1]) + 1)
        if kind in {"string", "number"}:
            value = "?"
        elif kind == "space":
            value = " "
        found.append((kind, value))
        if kind != "space":
            place.passed(kind, value.upper())
    return found


def _is_doubtful(text: str) -> bool:
    """
    Whether a backslash stands before a quote: if it hides it is the database's choice, so nothing up to the
    last quote may be shown.
    """
    return text[-1] in "'\"" and text[0] not in "eE" and f"\\{text[-1]}" in text


class _Place:
    """
    Where in a statement we are, as far as it says whether double quotes make a name or, as MySQL and SQLite
    have it, a text. In doubt they make a text, which is not shown.
    """

    def __init__(self) -> None:
        self._first = ""
        self._previous = ""
        self._in_values = False
        self._into = False
        self._lists: list[bool] = []

    def takes_a_name(self, rest: str) -> bool:
        """
        Whether a name may stand here, and ``rest`` behind it.
        """
        if rest[:1] == "." or self._previous == ".":
            return True
        if self._in_values or self._previous in {"=", "<", ">", "LIKE", "ILIKE", "DEFAULT"}:
            return False
        if self._first in _MAKES or self._previous in _NAME_BEHIND:
            return True
        if self._previous in {"(", ","}:
            is_listed = self._lists[-1] if self._lists else self._first == "SELECT"
            return is_listed or _NAME_BEFORE.match(rest) is not None
        return _NAME_BEFORE.match(rest) is not None

    def passed(self, kind: str, value: str) -> None:
        """
        This was next.
        """
        self._first = self._first or value
        if value == "(":
            self._lists.append(self._into)
            self._into = False
        elif value == ")" and self._lists:
            self._lists.pop()
        elif kind == "word":
            self._in_values = value == "VALUES" or (
                self._in_values and value not in {"ON", "RETURNING", "AS"}
            )
            self._into = value == "INTO" or (self._into and value not in {"SELECT", "SET", "VALUES"})
        if value == "BY" and kind == "word":
            value = f"{self._previous} BY"
        elif value == "USER" and self._first in _MAKES:
            self._first = value
        self._previous = value


def _text(tokens: list[tuple[str, str]]) -> str:
    written = "".join(value for _, value in tokens).strip().rstrip(";").rstrip()
    written = re.sub(r" {2,}", " ", written)
    return cut(_RUN_OF_MARKS.sub(_first_of_run, written), STATEMENT_CHARS)


def _first_of_run(run: re.Match[str]) -> str:
    """
    Of a long list of placeholders the first, so that lists of any length read alike.
    """
    return f"{run[0].partition(', ')[0]}, …, "


def _verb(words: list[str], kinds: list[str]) -> str:
    """
    The first word; behind ``WITH`` the first verb outside of brackets.
    """
    first = next((word.upper() for word, kind in zip(words, kinds, strict=True) if kind == "word"), "")
    if first != "WITH":
        return first
    depth = 0
    for word in words:
        depth += (word == "(") - (word == ")")
        if depth == 0 and word.upper() in _VERBS:
            return word.upper()
    return first


def _inserted(upper: list[str], verb: str) -> int | None:
    """
    The groups behind VALUES; None where a conflict may leave some out.
    """
    if verb != "INSERT" or "VALUES" not in upper or not {"CONFLICT", "IGNORE", "SELECT"}.isdisjoint(upper):
        return None
    depth = groups = 0
    for word in upper[upper.index("VALUES") + 1 :]:
        groups += word == "(" and depth == 0
        depth += (word == "(") - (word == ")")
        if depth == 0 and word not in {"(", ")", ","}:
            break
    return groups or None


def _tables(words: list[str], kinds: list[str]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    made = _names_of_with(words, kinds)
    brackets: list[bool] = []
    upper = [word.upper() for word in words]
    if upper[:1] == ["COPY"] and (copied := _names_at(words, kinds, 1, is_list=False)):
        return tuple(copied)  # what stands behind FROM is where the rows come from
    for at, word in enumerate(upper):
        if word == "(":
            brackets.append(at > 0 and upper[at - 1] in _NAMES_NO_TABLE)
        elif word == ")":
            if brackets:
                brackets.pop()
        elif kinds[at] == "word" and word in _BEFORE_TABLE and _leads_to_table(upper, at, brackets):
            for name in _names_at(words, kinds, at + 1, is_list=word == "FROM"):
                if name.lower() not in made:
                    found[name] = None
    return tuple(found)[:TABLES]


def _leads_to_table(upper: list[str], at: int, brackets: list[bool]) -> bool:
    before = upper[at - 1] if at else ""
    word = upper[at]
    if word == "FROM":
        return not (brackets and brackets[-1]) and before != "DISTINCT"
    if word == "UPDATE":
        return before not in {"FOR", "DO", "KEY", "NO"} and "ON" not in upper[max(0, at - 1) : at]
    return True


def _names_at(words: list[str], kinds: list[str], at: int, *, is_list: bool) -> list[str]:
    """
    The table's name that begins here, and after commas the others'.
    """
    names: list[str] = []
    while at < len(words):
        while at < len(words) and words[at].upper() in _PASSED_OVER:
            at += 1
        if at >= len(words) or kinds[at] not in {"word", "quoted"} or words[at].upper() in _NO_NAME:
            break
        name = words[at]
        while at + 2 < len(words) and words[at + 1] == "." and kinds[at + 2] in {"word", "quoted"}:
            at += 2
            name = words[at]
        if at + 1 < len(words) and words[at + 1] == "(" and kinds[at] == "word" and is_list:
            break  # a function that gives rows
        names.append(name.strip('"`[]'))
        at += 1
        # An alias, with or without AS.
        if at < len(words) and words[at].upper() == "AS":
            at += 1
        if is_list and at + 1 < len(words) and kinds[at] in {"word", "quoted"} and words[at + 1] == ",":
            at += 1
        if not is_list or at >= len(words) or words[at] != ",":
            break
        at += 1
    return names


def _names_of_with(words: list[str], kinds: list[str]) -> set[str]:
    """
    Names that ``WITH`` gives to parts of the statement, which are no tables.
    """
    if not words or words[0].upper() != "WITH":
        return set()
    return {
        words[at - 1].strip('"`[]').lower()
        for at in range(1, len(words) - 1)
        if words[at].upper() == "AS" and kinds[at - 1] in {"word", "quoted"} and words[at + 1] == "("
    } | {
        words[at].strip('"`[]').lower()
        for at in range(1, 3)
        if at < len(words) and kinds[at] == "word" and words[at].upper() != "RECURSIVE"
    }
