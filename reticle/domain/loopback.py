"""
Which spellings of an address, a Host and an Origin mean this machine.

Everything here is strict: a spelling that a resolver might send elsewhere is not loopback.
Names below ``localhost`` (``app.localhost``) count, in Host and Origin alike: RFC 6761 §6.3 reserves
them, browsers resolve them to loopback without asking DNS, so they cannot be rebound.
Field reports AU-01 lists the spellings that real clients send.
"""

from __future__ import annotations

import ipaddress
import re
from functools import lru_cache

_HOST = re.compile(r"(?:\[(?P<six>[0-9A-Fa-f:.]+)\]|(?P<name>[A-Za-z0-9._-]+))(?::(?P<port>[0-9]{1,5}))?")
"""RFC 9110 §7.2 without percent-encoding: no user, no zone, at most one port."""

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://(?P<host>[^/?#\\]*)(?P<rest>[/?#].*)?", re.DOTALL)
"""Scheme, authority and the rest; a backslash is no separator here because some parsers think it is."""

_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")


@lru_cache(maxsize=64)
def is_loopback_address(address: str) -> bool:
    """
    True for the address of a TCP peer on this machine: 127/8, ``::1`` and 127/8 mapped into IPv6.
    """
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(parsed, ipaddress.IPv6Address) and parsed.ipv4_mapped is not None:
        return parsed.ipv4_mapped.is_loopback
    return parsed.is_loopback


def is_loopback_host(host: str) -> bool:
    """
    True for a Host header's value, or a URL's authority, that can only mean this machine.
    """
    match = _HOST.fullmatch(host)
    if match is None or int(match["port"] or 0) > 65535:
        return False
    if match["six"] is not None:
        return ":" in match["six"] and is_loopback_address(match["six"])
    name = match["name"].lower().removesuffix(".")
    if name == "localhost" or (name[:1].isdigit() and is_loopback_address(name)):
        return True
    *labels, last = name.split(".")
    return last == "localhost" and all(_LABEL.fullmatch(label) for label in labels)


def is_loopback_origin(origin: str) -> bool:
    """
    True for an Origin header's value whose host is this machine. ``null`` is not: any page can have it.
    """
    match = _URL.fullmatch(origin)
    return match is not None and match["rest"] is None and is_loopback_host(match["host"])


def is_loopback_referer(referer: str) -> bool:
    """
    True for a Referer header's value that names a page on this machine.
    """
    match = _URL.fullmatch(referer)
    return match is not None and is_loopback_host(match["host"])


def is_loopback_web_address(address: str) -> bool:
    """
    True for an address of a page, script or file that a web server on this machine has.
    """
    return address.lower().startswith(("http://", "https://")) and is_loopback_referer(address)


def shown_origin(url: str) -> str:
    """
    As much of an Origin or Referer as may be shown: scheme and authority, never a path or a user.
    """
    match = _URL.fullmatch(url)
    if match is None:
        return "null" if url == "null" else "(unreadable)"
    return f"{url[: match.start('host')]}{match['host'].rpartition('@')[2]}"
