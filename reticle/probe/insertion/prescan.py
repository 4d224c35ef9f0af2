"""
Keeps a ``<meta charset>`` where browsers look for it.

A browser that was told no encoding looks for one in the first 1,024 bytes (HTML standard, "prescan a byte
stream to determine its encoding"). A tag in front of a declaration that stands late there would push it out,
and the whole page would be read in another encoding.
"""

from __future__ import annotations

import re
from typing import Final

from reticle.probe.insertion.prologue import Decision, NoPlace, Place
from reticle.probe.limits import PRESCAN_BYTES
from reticle.probe.words import Skip

_MARKUP: Final = re.compile(
    rb"<!--.*?-->"
    rb"|<(?P<name>/?[a-zA-Z][^\s/>]*)(?P<rest>(?:[\s/]+(?:[^\s/>=]+(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s>]*))?)?)*)>"
    rb"|<[!/?][^>]*>",
    re.DOTALL,
)
_CHARSET: Final = re.compile(rb"[\s/\"';]charset\s*=", re.IGNORECASE)
_HARMLESS: Final = re.compile(
    rb"(?:\s|<!--.*?-->|<(?:meta|link|base)\b[^>]*>|<title\b[^>]*>[^<]*</title\s*>)*",
    re.DOTALL | re.IGNORECASE,
)
_META_POLICY: Final = re.compile(rb"content-security-policy", re.IGNORECASE)


def declares(bytes_before_body: bytes) -> bool:
    """
    Whether a byte order mark settles the encoding.
    """
    return bytes_before_body.startswith(b"\xef\xbb\xbf")


def beside_charset(held: bytes, offset: int, tag_bytes: int, *, is_whole: bool) -> Decision | None:
    """
    The place with regard to a declaration in the document: at ``offset``, or right behind the declaration.

    Args:
        held: The document from its first byte, as far as it came.
        offset: Where the head begins.
        tag_bytes: Length of what will be inserted.
        is_whole: Nothing comes after ``held``.

    Returns:
        None where more bytes are needed, which never is with ``PRESCAN_BYTES`` of them.
    """
    found = _declaration(held[:PRESCAN_BYTES], offset)
    if found is None:
        return Place(offset) if is_whole or len(held) >= PRESCAN_BYTES else None
    start, end = found
    if end + tag_bytes <= PRESCAN_BYTES:
        return Place(offset)
    before = held[offset:start]
    if _HARMLESS.fullmatch(before) and not _META_POLICY.search(before):
        return Place(end)
    return NoPlace(Skip.CHARSET)


def _declaration(text: bytes, offset: int) -> tuple[int, int] | None:
    """
    Where the first ``<meta>`` with an encoding begins and ends.
    """
    for markup in _MARKUP.finditer(text, offset):
        if (markup["name"] or b"").lower() == b"meta" and _CHARSET.search(markup["rest"]):
            return markup.span()
    return None
