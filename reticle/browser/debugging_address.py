"""
Where a browser that runs takes debuggers: its own answer to ``/json/version``.

Whatever listens at that port may be no browser: nothing of it is followed, waited for or kept without end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec
from twisted.internet.defer import Deferred
from twisted.internet.protocol import Protocol, connectionDone
from twisted.python.failure import Failure

from reticle.model.limits import BROWSER_COMMAND_SECONDS, CDP_VERSION_BYTES

if TYPE_CHECKING:
    from twisted.web.iweb import IResponse


class _Version(msgspec.Struct, frozen=True):
    webSocketDebuggerUrl: str


class Body(Protocol):
    """
    Takes an answer's body of at most ``CDP_VERSION_BYTES``.
    """

    transport: Any

    def __init__(self) -> None:
        self._data = b""
        self.whole: Deferred[bytes] = Deferred(lambda _: self.transport.loseConnection())

    def dataReceived(self, data: bytes) -> None:
        """
        A part of it.
        """
        if self.whole.called:
            return
        self._data += data
        if len(self._data) > CDP_VERSION_BYTES:
            self.transport.loseConnection()
            self.whole.errback(ValueError("it answers with more than a browser says of itself"))

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        """
        Its end. One that broke off is none.
        """
        from twisted.web.client import ResponseDone  # noqa: PLC0415 - when first used

        if self.whole.called:
            return
        if reason.check(ResponseDone):
            self.whole.callback(self._data)
        else:
            self.whole.errback(ValueError("its answer broke off"))


async def debugging_address(reactor: Any, url: str) -> str:
    """
    The ``ws://`` address of the browser at a ``http://`` one, at the host and port that were asked, whatever
    the browser calls itself.

    Raises:
        Exception: Nobody answers there in time, or it is no browser; a retry makes sense once one is.
    """
    from twisted.web.client import Agent  # noqa: PLC0415 - when first used

    # follows no redirect: what is asked stays on this machine
    asking = Agent(reactor).request(b"GET", f"{url.rstrip('/')}/json/version".encode())
    answer: IResponse = await asking.addTimeout(BROWSER_COMMAND_SECONDS, reactor)
    body = Body()
    answer.deliverBody(body)
    told = await body.whole.addTimeout(BROWSER_COMMAND_SECONDS, reactor)
    return address_in(url, answer.code, told)


def address_in(url: str, status: int, told: bytes) -> str:
    """
    The address in an answer of that status.

    Raises:
        ValueError: It is no browser's.
    """
    if status != 200:
        raise ValueError(f"it answers with status {status}")
    try:
        there = msgspec.json.decode(told, type=_Version).webSocketDebuggerUrl
        return f"ws://{urlsplit(url).netloc}{urlsplit(there).path}"
    except ValueError as fault:
        raise ValueError(f"its answer is no browser's: {fault}") from None
