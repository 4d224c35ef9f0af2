"""
Which scripts the daemon reads.
"""

from __future__ import annotations

import pytest
from twisted.internet.testing import MemoryReactorClock

from reticle.bridge.sources.atlas import Lost, Script
from reticle.service.sources import source_maps


@pytest.mark.parametrize(
    ("address", "asked"),
    [
        ("http://127.0.0.1:5173/app.js", True), ("https://127.0.0.1:5173/app.js", True),
        ("https://cdn.example/app.js", False), ("http://192.168.1.7/app.js", False),
        ("http://localhost.example/app.js", False), ("http://ada@localhost:5173/app.js", False),
        ("file:///srv/app.js", False), ("ftp://localhost/app.js", False),
    ],
)  # fmt: skip
def test_only_servers_on_this_machine_are_asked(address: str, *, asked: bool) -> None:
    """
    Whatever addresses a page puts into its stacks.
    """
    reactor = MemoryReactorClock()
    atlas = source_maps(reactor)
    atlas.want(Script("d1", address))
    assert bool(reactor.tcpClients) is asked
    assert (atlas.known(Script("d1", address)) == Lost()) is not asked
    atlas.close()
