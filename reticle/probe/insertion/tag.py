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
        before, after, whole = _around(root, version, bridge, relay, is_direct)
        if nonce:
            return before + f'{rid}{after} nonce="{nonce}"></script>'.encode("ascii")
        return before + rid.encode("ascii") + whole


@lru_cache(maxsize=64)
def _around(root: str, version: str, bridge: str, relay: str, is_direct: bool) -> tuple[bytes, str, bytes]:  # noqa: FBT001 - a key
    """
    What stands before the request's id and behind it, and that with the tag's end: the same for all pages of
    an app.
    """
    direct = "" if is_direct else ' data-direct="no"'
    before = f'<script src="{root}{PREFIX}sdk.js?v={version}" data-url="{bridge}" data-rid="'
    after = f'" data-relay="{relay}"{direct}'
    return before.encode("ascii"), after, f"{after}></script>".encode("ascii")
