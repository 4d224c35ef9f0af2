"""
Unfinished responses, and the wait for their last bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twisted.web.iweb import IRequest
from twisted.web.server import NOT_DONE_YET, Site

from reticle.transport.http_answer import HttpAnswer
from reticle.transport.open_responses import OpenResponses
from reticle.transport.resource import Leaf
from reticle.transport.site import build_site

Serve = Callable[..., Any]


class Slow:
    """
    A site with one endpoint that answers when told.
    """

    def __init__(self, clock: Any) -> None:
        self.responses = OpenResponses(clock)
        self.requests: list[IRequest] = []
        self.site: Site = build_site(Leaf("slow", {b"GET": self._take}), reactor=clock)

    def _take(self, request: IRequest) -> int:
        self.responses.add(request)
        self.requests.append(request)
        return NOT_DONE_YET


def test_a_stop_waits_until_the_last_answer_has_left(serve: Serve) -> None:
    """
    The connection ends behind its response; only then is the wait over.
    """
    served = serve()
    slow = Slow(served.clock)
    served.site = slow.site
    wire = served.ask("GET", "/")
    slow.responses.close_behind()
    gone: list[object] = []
    slow.responses.gone(within_seconds=1.0).addCallback(gone.append)
    slow.responses.finish(slow.requests[0], HttpAnswer(200, b"late"))
    assert wire.response().text == "late"
    assert wire.transport.disconnecting
    assert gone == []
    wire.hang_up()
    assert gone == [None]
    assert len(slow.responses) == 0
    assert [call for call in served.clock.getDelayedCalls() if call.active()] == []


def test_a_reader_that_does_not_read_is_cut(serve: Serve) -> None:
    """
    A stop ends in time whatever a client does.
    """
    served = serve()
    slow = Slow(served.clock)
    served.site = slow.site
    wire = served.ask("GET", "/")
    slow.responses.close_behind()
    gone: list[object] = []
    slow.responses.gone(within_seconds=1.0).addCallback(gone.append)
    served.clock.advance(1.0)
    assert wire.transport.disconnecting
    wire.hang_up()
    assert gone == [None]


def test_nothing_open_needs_no_wait(serve: Serve) -> None:
    """
    A daemon without unfinished responses stops at once.
    """
    served = serve()
    slow = Slow(served.clock)
    gone: list[object] = []
    slow.responses.close_behind()
    slow.responses.gone(within_seconds=1.0).addCallback(gone.append)
    assert gone == [None]


def test_who_has_hung_up_is_not_answered(serve: Serve) -> None:
    """
    An answer that comes too late is dropped without a fault.
    """
    served = serve()
    slow = Slow(served.clock)
    served.site = slow.site
    served.ask("GET", "/").hang_up()
    slow.responses.finish(slow.requests[0], HttpAnswer(204))
    assert len(slow.responses) == 0
