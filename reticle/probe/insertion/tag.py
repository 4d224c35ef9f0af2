"""
The script tag itself, in ASCII: neither async nor a module, because it must run before the app's scripts.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from reticle.probe.insertion.policy import Permitted

PREFIX = "/__reticle__/"
"""Paths of the app's own origin that the probe answers."""


class Offer(NamedTuple):
    """
    What there is to insert, for one request.

    ``version`` is the script's content hash, ``bridge`` the daemon's WebSocket URL, ``rid`` the request's id,
    ``relay`` what the app's origin offers to a page that cannot dial the daemon (``ws``, ``poll``),
    ``origin`` scheme, host and port under which the page is reached, ``root`` the folder of the app in it.
    """

    version: str
    bridge: str
    rid: str
    relay: str
    origin: str
    root: str = ""

    def tag(self, permitted: Permitted) -> bytes:
        """
        The bytes to insert; every part is plain letters, digits and signs that need no escaping.
        """
        version, bridge, rid, relay, _, root = self
        nonce, is_direct = permitted
        before, after = _around(root, version, bridge, relay, is_direct)
        said = f' nonce="{nonce}"' if nonce else ""
        return f"{before}{rid}{after}{said}></script>".encode("ascii")


@lru_cache(maxsize=64)
def _around(root: str, version: str, bridge: str, relay: str, is_direct: bool) -> tuple[str, str]:  # noqa: FBT001 - a key
    """
    What stands before the request's id and behind it: the same for all pages of an app.
    """
    direct = "" if is_direct else ' data-direct="no"'
    return (
        f'<script src="{root}{PREFIX}sdk.js?v={version}" data-url="{bridge}" data-rid="',
        f'" data-relay="{relay}"{direct}',
    )
