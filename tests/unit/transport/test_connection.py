"""
The connection under a response, where it is no plain HTTP/1 channel.
"""

from __future__ import annotations

from twisted.internet.defer import Deferred

from reticle.transport.connection import Connection


class Multiplexed:
    """
    A request on a carrier of many requests, such as HTTP/2.
    """

    def __init__(self) -> None:
        self.channel = self
        self.transport = object()
        self.finished: Deferred[None] = Deferred()

    def notifyFinish(self) -> Deferred[None]:
        """
        Ready when the response is over.
        """
        return self.finished


def test_a_finished_response_counts_as_a_lost_connection() -> None:
    """
    Where many responses share a socket, a stream is gone when its response is.
    """
    request, lost = Multiplexed(), []
    connection = Connection(
        request,  # type: ignore[arg-type]  # as much of a request as is looked at
        on_lost=lambda: lost.append(True),
        on_pipelined=lambda: None,
    )
    connection.abort()
    assert lost == []
    request.finished.callback(None)
    assert lost == [True]


def test_a_broken_response_counts_as_well() -> None:
    """
    A peer that resets its stream is gone too, and its failure is nobody's unhandled error.
    """
    request, lost = Multiplexed(), []
    Connection(
        request,  # type: ignore[arg-type]  # as above
        on_lost=lambda: lost.append(True),
        on_pipelined=lambda: None,
    )
    request.finished.errback(ConnectionResetError())
    assert lost == [True]
