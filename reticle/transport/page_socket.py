"""
The upgrade at ``/reticle``: the trust rule, the WebSocket handshake, and the sockets it opened.

A page is let in by the loopback rule (its Origin may be absent). Where a pairing token could help it is
let in to say hello and nothing else, and the bridge checks the token that the hello carries (DESIGN §3).
Whoever is turned away gets an HTTP answer and is remembered for ``reticle_sessions``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from twisted.internet.defer import Deferred, succeed
from twisted.internet.interfaces import IReactorTime
from twisted.web.iweb import IRequest
from twisted.web.server import NOT_DONE_YET

from reticle.domain.loopback import shown_origin
from reticle.model.limits import RETRY_AFTER_SECONDS
from reticle.model.trust import Decision, Denied, TrustFacts
from reticle.ports import PageLinks
from reticle.transport.channel import channel_of, take_over
from reticle.transport.facts import trust_facts
from reticle.transport.guard import Face, RefusalObserver, answer_refusal
from reticle.transport.request import has_body
from reticle.transport.resource import Leaf, answer_text
from reticle.transport.trace import trace_of

if TYPE_CHECKING:
    from reticle.transport.websocket import PageWebSocket

ROUTE = "reticle"


class PageSocketLeaf(Leaf):
    """
    The resource of the page bridge's WebSocket.

    Args:
        links: Where the bridge takes over.
        decide: The trust rule over a request's facts, token in the query included.
        clock: For the sockets' timers.
        on_refused: Told the code of each refusal, for the metrics.
    """

    def __init__(
        self,
        links: PageLinks,
        decide: Callable[[TrustFacts], Decision],
        clock: IReactorTime,
        *,
        on_refused: RefusalObserver = lambda _: None,
    ) -> None:
        super().__init__(ROUTE, {b"GET": self._upgrade})
        self._links = links
        self._decide = decide
        self._clock = clock
        self._on_refused = on_refused
        self._sockets: set[PageWebSocket] = set()
        self._stopped: Deferred[None] | None = None

    def __len__(self) -> int:
        """
        How many sockets are open.
        """
        return len(self._sockets)

    def load(self) -> None:
        """
        Import what the first upgrade needs, so that it need not.
        """
        from reticle.transport import page_handshake, websocket  # noqa: F401, PLC0415 - as said

    def stop(self) -> Deferred[None]:
        """
        Take no more upgrades. Ready when every socket is gone; the bridge closes them, and each is cut at
        its closing deadline at the latest. May be called twice.
        """
        if self._stopped is None:
            self._stopped = Deferred()
            self._stop_if_empty()
        ready: Deferred[None] = Deferred()
        if self._stopped.called:
            return succeed(None)
        self._stopped.addCallback(lambda _: ready.callback(None))
        return ready

    # --- one upgrade -------------------------------------------------------------------------

    def _upgrade(self, request: IRequest) -> bytes | int:
        if self._stopped is not None:
            request.setHeader(b"Retry-After", b"%d" % RETRY_AFTER_SECONDS)
            return answer_text(request, 503, "the daemon is stopping")
        origin = _origin(request)
        decision = self._decide(trust_facts(request, query_token=True))
        # 401 means that a credential could help: then the hello may bring it.
        needs_token = isinstance(decision, Denied) and decision.status == 401 and not _credentials(request)
        if isinstance(decision, Denied) and not needs_token:
            return self._refuse(request, decision, origin)
        if not isinstance(decision, Denied):
            trace_of(request).principal = decision.principal
        if has_body(request):
            return answer_text(request, 400, "the GET of a WebSocket has no body")
        channel = channel_of(request)
        if channel is None:
            return answer_text(request, 505, "WebSocket needs HTTP/1.1 here")
        # Loaded with the first page: the WebSocket library is no part of a start.
        from reticle.transport.page_handshake import accept, answer_no_handshake  # noqa: PLC0415 - as said
        from reticle.transport.websocket import PageWebSocket  # noqa: PLC0415 - as said

        response = accept(request)
        if response.status_code != 101:
            return answer_no_handshake(request, response)
        request.setResponseCode(101)
        socket = PageWebSocket(
            partial(self._links.admit, origin=origin, needs_token=needs_token), self._clock, self._gone
        )
        self._sockets.add(socket)
        take_over(request, channel, response.serialize(), socket)
        return NOT_DONE_YET

    def _refuse(self, request: IRequest, denied: Denied, origin: str) -> bytes:
        trace_of(request).refused = denied.code
        self._on_refused(denied.code)
        self._links.refused(origin, denied.message, _next_step(denied))
        return answer_refusal(request, denied, Face.JSON_RPC)

    def _gone(self, socket: PageWebSocket) -> None:
        self._sockets.discard(socket)
        self._stop_if_empty()

    def _stop_if_empty(self) -> None:
        if self._stopped is not None and not self._sockets and not self._stopped.called:
            self._stopped.callback(None)


def _origin(request: IRequest) -> str:
    # A real one holds nothing more; a made-up one must not bring a user or a query into logs and answers.
    values = request.requestHeaders.getRawHeaders(b"origin", [])
    return shown_origin(values[0].decode("latin-1")) if values else ""


def _credentials(request: IRequest) -> bool:
    return bool(request.requestHeaders.getRawHeaders(b"authorization")) or b"token" in request.args


def _next_step(denied: Denied) -> str:
    if denied.status == 401:
        return "Give the page the daemon's pairing token (RETICLE_TOKEN) and reload it."
    return "Open the app at localhost or 127.0.0.1, or start the daemon with a pairing token (RETICLE_TOKEN)."
