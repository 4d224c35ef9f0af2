"""
Connections for client tests without a socket: what comes in is written down beforehand.
"""

from __future__ import annotations

from collections.abc import Sequence

from reticle.client.errors import CannotConnect
from reticle.client.link import Link


class ScriptedLink:
    """
    A link whose peer sends the given chunks, one per read, and then closes.

    A None among the chunks is a read that waits in vain. ``sent`` is what our side wrote.
    """

    def __init__(self, chunks: Sequence[bytes | None]) -> None:
        self._chunks = list(chunks)
        self.sent = b""
        self.closed = False

    def send(self, payload: bytes, timeout_seconds: float) -> None:  # noqa: ARG002 - the contract has it
        """
        Note what was written.
        """
        self.sent += payload

    def receive(self, timeout_seconds: float) -> bytes | None:  # noqa: ARG002 - the contract has it
        """
        The next chunk of the script; empty at its end.
        """
        return self._chunks.pop(0) if self._chunks else b""

    def close(self) -> None:
        """
        Note that the client hung up.
        """
        self.closed = True


class ScriptedDial:
    """
    Gives the links in order, as a ``Dial``; when none is left nobody answers. ``dialled`` lists where to.
    """

    def __init__(self, links: Sequence[Link]) -> None:
        self._links = list(links)
        self.dialled: list[tuple[str, int]] = []

    def __call__(self, host: str, port: int, timeout_seconds: float) -> Link:  # noqa: ARG002 - as above
        """
        The next link. Raises ``CannotConnect`` when the script has no more.
        """
        self.dialled.append((host, port))
        if not self._links:
            raise CannotConnect(f"nothing answers at {host}:{port}")
        return self._links.pop(0)
