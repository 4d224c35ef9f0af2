"""
A value inside of JSON, by its path: keys and positions joined by dots, and ``length`` of a list or text.
"""

from __future__ import annotations

from collections.abc import Mapping

from reticle.domain.predicate.kinds import UNSET


def at_path(value: object, path: str) -> object:
    """
    What stands there, or ``UNSET``. A key that has dots itself is found too: the longest that fits is taken.
    """
    if path == "":
        return value
    if isinstance(value, Mapping):
        return _in_object(value, path)
    head, _, rest = path.partition(".")
    if isinstance(value, list | tuple):
        if head == "length":
            return at_path(len(value), rest)
        if not head.isdecimal() or head != str(int(head)) or int(head) >= len(value):
            return UNSET
        return at_path(value[int(head)], rest)
    return len(value) if isinstance(value, str) and path == "length" else UNSET


def _in_object(value: Mapping[object, object], path: str) -> object:
    steps = path.split(".")
    for used in range(len(steps), 0, -1):
        key = ".".join(steps[:used])
        if key in value:
            found = at_path(value[key], ".".join(steps[used:]))
            if found is not UNSET:
                return found
    return UNSET
