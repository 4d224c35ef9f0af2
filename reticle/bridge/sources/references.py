"""
Where a script says that its source map is: the header, or the comment at its end (ECMA-426 §11).
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import Final
from urllib.parse import unquote_to_bytes, urljoin

from reticle.bridge.sources.vlq import DamagedMapError

_COMMENT: Final = re.compile(
    rb"(?://[#@][ \t]*sourceMappingURL=(?P<line>[^\s'\"`]+)"
    rb"|/\*[#@][ \t]*sourceMappingURL=(?P<block>[^\s*'\"`]+)[ \t]*\*/)"
    rb"(?P<after>[^\r\n]*)"
)
_TRAILING: Final = re.compile(rb"(?>\s++|//[^\r\n]*+|/\*.*?\*/)*+", re.DOTALL)
"""
What may stand behind the comment: nothing that runs. What was read is never read in another way: a row of
slashes, or of short comments, could be parted in more ways than there is time for.
"""

_MARK: Final = b"sourceMappingURL="
_DATA: Final = re.compile(r"data:[^,]*,")
_OPENING_CHARS: Final = 16
"""How far before the mark the comment opens, at most."""


def find_reference(script: bytes, header: str | None) -> str | None:
    """
    The address of a script's map as the script gives it, None where it gives none; the header wins.

    A comment inside the code, as in what a bundler evaluates piece by piece, is not the script's own.
    """
    if header:
        return header.strip()
    at = script.rfind(_MARK)
    if at < 0:
        return None
    slash = script.rfind(b"/", max(at - _OPENING_CHARS, 0), at)
    found = _COMMENT.match(script, max(slash - 1, 0)) or _COMMENT.match(script, max(slash, 0))
    if found is None or not _TRAILING.fullmatch(script, found.start("after")):
        return None
    return (found["line"] or found["block"]).decode("utf-8", "replace")


def map_in_reference(reference: str) -> bytes | None:
    """
    The map itself where the reference holds it, as ``data:`` does; None for one that names an address.

    Raises:
        DamagedMapError: for data that cannot be read.
    """
    if not reference.startswith("data:"):
        return None
    head = _DATA.match(reference)
    if head is None:
        raise DamagedMapError("a data address without data")
    data = reference[head.end() :]
    if not head[0].lower().endswith(";base64,"):
        return unquote_to_bytes(data)
    try:
        return base64.b64decode(unquote_to_bytes(data), validate=True)
    except binascii.Error as fault:
        raise DamagedMapError(f"unreadable data: {fault}") from fault


def map_address(script_address: str, reference: str) -> str:
    """
    Where a map that the reference names is to be got from.
    """
    return urljoin(script_address, reference)
