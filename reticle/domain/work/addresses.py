"""
Whether a page is where a job's plan says: the same origin, and the path or one below it.

Origins are compared as browsers do, so ``localhost`` and ``127.0.0.1`` are two: another program may listen at
the other. Query and fragment of the plan's address are not looked at. A path without an end names a folder
too: ``/cart`` is met by ``/cart`` and ``/cart/7``, and by none of ``/carts``.
"""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

from reticle.model.origins import origin_of

_NONE = "null"


def is_address(url: str) -> bool:
    """
    Whether a text is an absolute http or https address.
    """
    return origin_of(url) != _NONE


def shows_address(wanted: str, url: str, opened_url: str | None) -> bool:
    """
    Whether a page at ``url``, opened by the daemon at ``opened_url`` (None: by somebody else), is the one
    that is wanted. It must still be at the origin that it was opened at; a path may be met by either.
    """
    addresses = [url] if opened_url is None else [url, opened_url]
    origins = {origin_of(each) for each in addresses}
    return origins == {origin_of(wanted)} and any(_is_at(wanted, each) for each in addresses)


def _is_at(wanted: str, url: str) -> bool:
    folder = _path(wanted)
    path = _path(url)
    return path[: len(folder)] == folder


def _path(url: str) -> list[str]:
    """
    The names in a path as browsers resolve it.
    """
    names: list[str] = []
    for part in map(unquote, urlsplit(url).path.split("/")):
        if part == "..":
            names = names[:-1]
        elif part not in {"", "."}:
            names.append(part)
    return names
