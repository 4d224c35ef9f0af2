"""
Small answers: fields that say nothing are left out, long texts are cut with the cut in sight.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from reticle.domain import facts
from reticle.model.limits import ANSWER_CHARS


def told(**fields: object) -> dict[str, object]:
    """
    The fields that say something: None, False, empty texts, lists and objects are left out; 0 stays.
    """
    return {name: value for name, value in fields.items() if not _says_nothing(value)}


def without_defaults(fields: Mapping[str, object], defaults: Mapping[str, object]) -> dict[str, object]:
    """
    ``fields`` without those at their expected value, and without what ``told`` would leave out.
    """
    return {
        name: value
        for name, value in fields.items()
        if not (name in defaults and defaults[name] == value and type(defaults[name]) is type(value))
        and not (name not in defaults and _says_nothing(value))
    }


def cut(text: str, chars: int) -> str:
    """
    At most ``chars`` characters of a text, and how many more there were.
    """
    return text if len(text) <= chars else f"{text[:chars]}…(+{len(text) - chars} chars)"


def cut_values(value: object, chars: int) -> object:
    """
    A JSON value with each text in it cut to ``chars``.
    """
    if isinstance(value, str):
        return cut(value, chars)
    if isinstance(value, Mapping):
        return {key: cut_values(entry, chars) for key, entry in value.items()}
    if isinstance(value, Sequence):
        return [cut_values(entry, chars) for entry in value]
    return value


def newest_that_fit(
    entries: Sequence[Mapping[str, object]], limit: int, chars: int = ANSWER_CHARS
) -> list[Mapping[str, object]]:
    """
    The newest entries, oldest first: at most ``limit``, and at most about ``chars`` characters of JSON.

    One entry is always kept, so that a single large one is seen.
    """
    kept: list[Mapping[str, object]] = []
    spent = 0
    for entry in reversed(entries[-limit:]):
        spent += len(msgspec.json.encode(entry))
        if kept and spent > chars:
            break
        kept.append(entry)
    kept.reverse()
    return kept


def one_line(text: object) -> str:
    """
    A text for a line of an outline, which it cannot leave (``domain.facts``).
    """
    return facts.one_line(str(text))


def quoted(text: object) -> str:
    """
    A text of the page for a line of an outline: in quotes that it cannot end.
    """
    return facts.quoted(str(text), None)


def lines_that_fit(lines: Iterable[str], chars: int = ANSWER_CHARS) -> tuple[list[str], int]:
    """
    The first lines that fit into ``chars`` characters, and how many did not.
    """
    kept: list[str] = []
    left = 0
    spent = 0
    for line in lines:
        spent += len(line) + 1
        if left or spent > chars:
            left += 1
        else:
            kept.append(line)
    return kept, left


def text_of(value: object) -> str:
    """
    A text, or an empty one where the page sent something else.
    """
    return value if isinstance(value, str) else ""


def object_of(value: object) -> Mapping[str, object]:
    """
    An object, or an empty one where the page sent something else.
    """
    return value if isinstance(value, Mapping) else {}


def list_of(value: object) -> Sequence[object]:
    """
    A list, or an empty one where the page sent something else.
    """
    return value if isinstance(value, list | tuple) else ()


def _says_nothing(value: object) -> bool:
    return value is None or value is False or (isinstance(value, str | list | tuple | Mapping) and not value)
