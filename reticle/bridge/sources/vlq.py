"""
The base64 VLQ numbers of a source map's mappings (ECMA-426 §9).
"""

from __future__ import annotations

from typing import Final

_DIGITS: Final = {
    character: value
    for value, character in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
}
_MORE: Final = 32
"""The bit of a digit after which another one follows."""

_LAST_SHIFT: Final = 30
"""Numbers have 32 bits at most: seven digits."""


class DamagedMapError(ValueError):
    """
    What was read is no source map of version 3. A retry makes sense once the script was built anew.
    """


def decode_segment(text: str) -> tuple[int, ...]:
    """
    The numbers of one segment, each relative to the one before in its column.

    Raises:
        DamagedMapError: for what is not one, four or five whole numbers.
    """
    numbers: list[int] = []
    value = shift = 0
    for character in text:
        digit = _DIGITS.get(character)
        if digit is None or shift > _LAST_SHIFT:
            raise DamagedMapError(f"no number: {text[:40]!r}")
        value |= (digit & 31) << shift
        if digit & _MORE:
            shift += 5
        else:
            numbers.append(-(value >> 1) if value & 1 else value >> 1)
            value = shift = 0
    if shift or len(numbers) not in (1, 4, 5):
        raise DamagedMapError(f"no segment: {text[:40]!r}")
    return tuple(numbers)
