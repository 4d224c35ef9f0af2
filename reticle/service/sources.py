"""
The source maps of pages' scripts in the daemon: got over HTTP from this machine alone, large ones read in a
thread.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import attrs
from twisted.internet.threads import deferToThreadPool

from reticle.bridge.sources.atlas import Atlas, Fetch, Fetched
from reticle.domain.loopback import is_loopback_web_address


def source_maps(reactor: Any) -> Atlas:
    """
    An atlas that reads the scripts of development servers on this machine, and nothing else.
    """
    return Atlas(
        _LateFetch(reactor),
        is_loopback_web_address,
        lambda read: deferToThreadPool(reactor, reactor.getThreadPool(), read),
        reactor,
    )


@attrs.define(slots=False)
class _LateFetch:
    """
    A ``Fetch`` whose HTTP client is loaded with the first script.
    """

    reactor: Any

    async def __call__(self, address: str, most_bytes: int) -> Fetched:
        return await self._made(address, most_bytes)

    @cached_property
    def _made(self) -> Fetch:
        from reticle.bridge.sources.fetching import fetch_over_http  # noqa: PLC0415 - when first used

        return fetch_over_http(self.reactor)
