"""
The tree of resources on one port, and the ``Site`` that serves it.

``build_root`` is what an application mounts anywhere below its own ``Site``; ``build_site`` adds what
only our own listener can have: the body cap, the access record, the channel with the fast roads.
DESIGN §3 lists the paths; what stands behind no guard is named ``unguarded`` here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from twisted.internet.interfaces import IReactorTime
from twisted.web.http import HTTPChannel
from twisted.web.resource import IResource
from twisted.web.server import Site

from reticle.domain.daemon_life import DaemonLife
from reticle.model.limits import HTTP_IDLE_SECONDS, LOGGED_PATH_CHARS
from reticle.model.log_marks import CUT
from reticle.transport.access_log import tell_access
from reticle.transport.checker import Checker
from reticle.transport.guard import Face, Guard
from reticle.transport.health import HealthLeaf, ReadyLeaf
from reticle.transport.metrics import Metrics, MetricsLeaf
from reticle.transport.request import Request
from reticle.transport.resource import Absent, Branch, Render
from reticle.transport.sdk_script import PageScriptLeaf
from reticle.transport.sse import MessageLeaf, OldStreams
from reticle.transport.status import StatusLeaf, StatusSource
from reticle.transport.streamable import StreamableLeaf
from reticle.transport.streamable_http import StreamableHttp
from reticle.transport.streams import StreamSet
from reticle.transport.trace import RequestObserver, RequestRecord
from reticle.transport.wellknown import REGISTER, WELL_KNOWN, UnguardedAbsence


def build_root(
    *,
    checker: Checker,
    life: DaemonLife,
    streams: StreamSet,
    streamable: StreamableHttp,
    metrics: Metrics,
    status: StatusSource,
    page_script: bytes,
    page_script_sha256: str,
    unguarded_page_socket: IResource | None = None,
    ingest: IResource | None = None,
    otlp_traces: IResource | None = None,
    otlp_logs: IResource | None = None,
) -> Branch:
    """
    Every path of the daemon.

    Args:
        checker: Who is trusted.
        life: Whether MCP traffic is accepted.
        streams: The old transport's streams; ``attach`` conversations to it before ``life.attached()``.
        streamable: Streamable HTTP; as above.
        metrics: What is counted.
        status: Gives the present status.
        page_script: What ``/sdk.js`` serves.
        page_script_sha256: Its digest in hexadecimal.
        unguarded_page_socket: The resource of the WebSocket upgrade, which asks the trust rule itself
            because its refusals are its own; absent where the channel takes no upgrades.
        ingest: Where probes send facts; they bring a token of their own.
        otlp_traces: Where OpenTelemetry sends spans, as above.
        otlp_logs: Where it sends log records, as above.
    """
    guard = Guard(checker, on_refused=metrics.request_refused)
    children: dict[bytes, IResource] = {
        b"mcp": _mcp_branch(guard, life, streams, streamable, sse_announces="mcp/message?sessionId="),
        b"status": guard.protect(StatusLeaf(status)),
        b"metrics": guard.protect(MetricsLeaf(metrics)),
        b"ui": guard.protect(Absent()),
        b"sdk.js": guard.protect_without_token(PageScriptLeaf(page_script, page_script_sha256)),
        b"healthz": HealthLeaf(),
        b"readyz": ReadyLeaf(life),
        WELL_KNOWN: UnguardedAbsence(),
        REGISTER: UnguardedAbsence(),
    }
    if unguarded_page_socket is not None:
        children[b"reticle"] = unguarded_page_socket
    if ingest is not None:
        children[b"ingest"] = guard.protect_without_token(ingest)
    if otlp_traces is not None and otlp_logs is not None:
        children[b"v1"] = Branch(
            {
                b"traces": guard.protect_without_token(otlp_traces),
                b"logs": guard.protect_without_token(otlp_logs),
            }
        )
    return Branch(children)


def build_mcp_root(
    *, checker: Checker, life: DaemonLife, streams: StreamSet, streamable: StreamableHttp, metrics: Metrics
) -> Branch:
    """
    Every path of the second listener: MCP and nothing else, and old streams are told the second seed's path.

    Args:
        checker: Who is trusted; of the strict tier.
        life: As for ``build_root``, and so the others.
        streams: The same as the first listener's.
        streamable: As above.
        metrics: As above.
    """
    guard = Guard(checker, on_refused=metrics.request_refused)
    return Branch(
        {b"mcp": _mcp_branch(guard, life, streams, streamable, sse_announces="mcp/messages?session_id=")}
    )


def _mcp_branch(
    guard: Guard, life: DaemonLife, streams: StreamSet, streamable: StreamableHttp, *, sse_announces: str
) -> Branch:
    messages = guard.protect(MessageLeaf(streams, life), face=Face.TEXT, query_token=(b"POST",))
    on_sse = OldStreams(streams, life, announces=sse_announces, depth=2)
    on_mcp = OldStreams(streams, life, announces="mcp/messages?session_id=", depth=1)

    def streamable_leaf(route: str, old_stream: Render) -> IResource:
        leaf = StreamableLeaf(route, streamable, old_stream)
        return guard.protect(leaf, query_token=(b"GET",), answers_refused=(b"POST",))

    return Branch(
        {
            b"sse": streamable_leaf("mcp_sse", on_sse.open),
            b"message": messages,
            b"messages": messages,
            WELL_KNOWN: UnguardedAbsence(),
        },
        index=streamable_leaf("mcp", on_mcp.open_if_meant),
    )


def build_site(
    root: IResource,
    *,
    reactor: IReactorTime,
    observers: Sequence[RequestObserver] = (),
    channel: Callable[[], HTTPChannel] = HTTPChannel,
) -> DaemonSite:
    """
    Serve ``root`` on a listener of our own.

    Args:
        root: As from ``build_root``.
        reactor: Where timeouts are set.
        observers: Told of each ended request, beside the access log.
        channel: Makes the protocol of one connection.
    """
    return DaemonSite(root, reactor=reactor, observers=observers, channel=channel)


class DaemonSite(Site):
    """
    A ``Site`` with our ``Request``, without form parsing, with one structured log line per request.
    """

    # Twisted's own "Starting factory" lines say nothing that our log does not.
    noisy = False

    def __init__(
        self,
        root: IResource,
        *,
        reactor: IReactorTime,
        observers: Sequence[RequestObserver],
        channel: Callable[[], HTTPChannel],
    ) -> None:
        Site.__init__(
            self,
            root,
            requestFactory=Request,
            timeout=HTTP_IDLE_SECONDS,
            reactor=reactor,
            # The form parser reads bodies that are no forms here, at half of all CPU time (DESIGN §12).
            parsePOSTFormSubmission=False,
        )
        self.displayTracebacks = False
        # A plain factory of channels, where the inherited one is a method.
        self.protocol = channel  # type: ignore[method-assign,assignment]  # as above
        self._observers = observers

    def startFactory(self) -> None:
        """
        Nothing to start: the inherited log file and its clock that ticks each second are not used.
        """

    def stopFactory(self) -> None:
        """
        Nothing to stop.
        """

    def log(self, request: Request) -> None:  # type: ignore[override]  # requestFactory makes no other
        """
        Called by ``twisted.web`` when a response is complete.
        """
        self.note(request, aborted=False)

    def note(self, request: Request, *, aborted: bool) -> None:
        """
        Record one ended request: in the log, and for each observer.
        """
        trace = request.trace
        record = RequestRecord(
            _printable(request.method),
            _printable(request.path),
            trace.route,
            request.code,
            self.reactor.seconds() - trace.began,
            "-" if trace.principal is None else trace.principal.name,
            "-" if trace.carrier is None else trace.carrier,
            trace.refused,
            aborted,
        )
        tell_access(record)
        for observer in self._observers:
            observer(record)


@lru_cache(maxsize=256)
def _printable(raw: bytes) -> str:
    # A path may hold any byte; a log line must not.
    text = raw[:LOGGED_PATH_CHARS].decode("latin-1")
    shown = "".join(char if " " < char < "\x7f" else "?" for char in text)
    return shown if len(raw) <= LOGGED_PATH_CHARS else shown + CUT
