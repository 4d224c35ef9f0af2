"""
``/sdk.js``: the page script, joined in memory at the start.

It is never stored by a browser (an old script in a cached page is a fault that takes hours to find,
field reports SN-11), and any page on this machine may load it, also one that isolates itself.
"""

from __future__ import annotations

from twisted.web.http import CACHED
from twisted.web.iweb import IRequest

from reticle.transport.resource import Leaf


class PageScriptLeaf(Leaf):
    """
    Args:
        script: The bytes of the script, UTF-8.
        sha256: Their digest in hexadecimal; becomes the ETag.
    """

    def __init__(self, script: bytes, sha256: str) -> None:
        super().__init__("sdk_js", {b"GET": self._answer, b"HEAD": self._answer})
        self._script = script
        self._etag = f'"{sha256}"'.encode("ascii")

    def _answer(self, request: IRequest) -> bytes:
        request.setHeader(b"Content-Type", b"text/javascript; charset=utf-8")
        request.setHeader(b"Cache-Control", b"no-store")
        request.setHeader(b"X-Content-Type-Options", b"nosniff")
        request.setHeader(b"Cross-Origin-Resource-Policy", b"cross-origin")
        if request.setETag(self._etag) is CACHED:
            return b""
        return self._script
