"""
The script tag itself, in ASCII: neither async nor a module, because it must run before the app's scripts.
"""

from __future__ import annotations

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
        direct = "" if permitted.is_direct else ' data-direct="no"'
        nonce = f' nonce="{permitted.nonce}"' if permitted.nonce else ""
        return (
            f'<script src="{self.root}{PREFIX}sdk.js?v={self.version}" data-url="{self.bridge}"'
            f' data-rid="{self.rid}" data-relay="{self.relay}"{direct}{nonce}></script>'
        ).encode("ascii")
