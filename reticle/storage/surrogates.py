"""
Half surrogate pairs, which JSON from a page may hold and UTF-8 cannot; and NUL, which PostgreSQL cannot.
"""

from __future__ import annotations


def without_surrogates(value: object) -> object:
    """
    A value of JSON with ``?`` in place of each half pair, in keys and texts at any depth.
    """
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {without_surrogates(key): without_surrogates(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [without_surrogates(item) for item in value]
    return value


def storable(text: str) -> str:
    """
    A text of the caller's as a column of any database takes it: ``?`` stands for what it cannot hold.
    """
    if "\0" in text:
        text = text.replace("\0", "?")
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
