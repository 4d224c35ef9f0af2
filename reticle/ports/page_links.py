"""
Where a WebSocket gets its bridge end from, and how the bridge writes to it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from reticle.model.browser import Attestation, Standing


class SocketWriter(Protocol):
    """
    The outgoing half of one page's WebSocket.
    """

    def send_text(self, payload: bytes) -> None:
        """
        Queue one text message of valid UTF-8.
        """

    def close(self, code: int, reason: str) -> None:
        """
        Start the closing handshake; further sends do nothing. The reason is cut to 123 bytes.
        """

    def unsent_bytes(self) -> int:
        """
        Bytes the peer has not taken yet.
        """


class PageLink(Protocol):
    """
    The bridge's end of one page socket; the WebSocket drives it.
    """

    def texts_received(self, payloads: Sequence[bytes]) -> None:
        """
        Whole text messages that came together, oldest first: each valid UTF-8 and at most
        ``PAGE_MESSAGE_BYTES``. What stands behind one that ends the link is not heard. Never raises for bad
        input.
        """

    def fetching(self, scripts: int, elements: int) -> None:
        """
        The browser fetches so many scripts, and so much for elements, for the page now that nothing in the
        page may see; only of pages that the daemon opened, and said again whenever the first of a kind
        begins and the last ends.
        """

    def socket_closed(self, code: int, reason: str) -> None:
        """
        The socket is gone, for whatever reason. Called once.
        """


class PageLinks(Protocol):
    """
    Where the WebSocket gets its bridge ends from.
    """

    def admit(
        self,
        writer: SocketWriter,
        origin: str,
        *,
        needs_token: bool,
        attested: Attestation | None = None,
        standing: Callable[[str], Standing] | None = None,
    ) -> PageLink | None:
        """
        A link that waits for its hello, or None after closing ``writer`` because too many wait.

        ``needs_token`` is set when the upgrade was not trusted by loopback: then the hello must carry
        the pairing token. ``attested`` is for pages that the daemon itself opened, whose link is no socket
        but the browser's own: what becomes ``PageIdentity.attested``. ``standing`` is asked at each hello of
        such a page, with the name that it claims, and what it gives stands in place of what was said.
        """

    def refused(self, origin: str, reason: str, next_step: str) -> None:
        """
        Remember an upgrade that was refused before there was a link.
        """
