"""
The origin of an address.
"""

from __future__ import annotations

from urllib.parse import urlsplit

NO_ORIGIN = "null"
"""As browsers write it."""

_DEFAULT_PORTS = {"http": 80, "https": 443}


def origin_of(url: str) -> str:
    """
    The origin of an address as browsers write it; ``null`` where it has none, as a file has none.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return NO_ORIGIN
    if parts.scheme not in _DEFAULT_PORTS or not parts.hostname:
        return NO_ORIGIN
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}" + (
        f":{port}" if port not in {None, _DEFAULT_PORTS[parts.scheme]} else ""
    )
