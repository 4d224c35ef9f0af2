"""
A page that runs another page script than this daemon serves (field reports SN-11).

A service worker or a page opened before an upgrade keeps an old script alive, and a fix that is in the new
one then seems not to work. ``/sdk.js`` is never stored by the browser itself; what a worker keeps, or a
tab runs since yesterday, only the script can tell: its hello carries its content hash.
"""

from __future__ import annotations

from reticle.bridge.wire import Hello
from reticle.model.ids import DocumentId
from reticle.model.page import PageIdentity


def is_other_script(hello: Hello, served: str | None) -> bool:
    """
    Whether a page runs our script in another text than the one served.

    A script of ours that gives no hash is older than the hash. The published packages have versions of
    their own and are never meant.

    Args:
        hello: What the page said.
        served: The content hash of the script that is served; None where none is, then nothing is other.
    """
    return served is not None and hello.own_script and hello.script_hash != served


class SkewNotice:
    """
    The one time per document that a tool result speaks of the skew; the list of pages always shows it.
    """

    def __init__(self) -> None:
        self._told: DocumentId | None = None

    def take(self, identity: PageIdentity) -> bool:
        """
        Whether to speak of it now; True at most once while the page keeps its document.
        """
        if not identity.version_skew or self._told == identity.document_id:
            return False
        self._told = identity.document_id
        return True
