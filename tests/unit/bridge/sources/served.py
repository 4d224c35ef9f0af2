"""
A web server in memory, for what reads scripts and maps.
"""

from __future__ import annotations

from twisted.internet.defer import Deferred
from twisted.internet.task import Clock

from reticle.bridge.sources.atlas import Atlas, Fetched, UnreadableError
from reticle.bridge.sources.source_map import SourceMap

ORIGIN = "http://localhost:8000"


class Served:
    """
    Provides ``Fetch``; answers when told to, if ``waits`` is set.
    """

    def __init__(self) -> None:
        self.files: dict[str, Fetched] = {}
        self.asked: list[str] = []
        self.waits = False
        self.open: list[Deferred[None]] = []

    async def __call__(self, address: str, most_bytes: int) -> Fetched:
        """
        See ``Fetch``.
        """
        self.asked.append(address)
        if self.waits:
            gate: Deferred[None] = Deferred()
            self.open.append(gate)
            await gate
        found = self.files.get(address)
        if found is None:
            raise UnreadableError("HTTP 404")
        if len(found.body) > most_bytes:
            raise UnreadableError("too long")
        return found

    def put(self, path: str, body: str | bytes, header: str | None = None) -> None:
        """
        Serve a file at a path of ``ORIGIN``.
        """
        self.files[ORIGIN + path] = Fetched(body.encode() if isinstance(body, str) else body, header)


def atlas_of(served: Served, clock: Clock | None = None) -> Atlas:
    """
    An atlas that may ask ``localhost`` alone.
    """

    async def here(read: object) -> SourceMap:
        assert callable(read)
        made = read()
        assert isinstance(made, SourceMap)
        return made

    return Atlas(served, lambda address: address.startswith("http://localhost"), here, clock or Clock())
