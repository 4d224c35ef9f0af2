"""
Every part of one daemon, built and wired: the architecture as code.

No rule stands here and nothing starts; ``daemon`` gives the parts their lifetime.
"""

from __future__ import annotations

import os
import secrets
from functools import partial
from pathlib import Path
from typing import Any

import attrs
from twisted.web.resource import IResource

from reticle import page as page_script
from reticle._version import __version__
from reticle.bridge.late import LateDirectory
from reticle.bridge.late_server_facts import LateServerFacts
from reticle.browser.late import LateBrowser
from reticle.dispatch.conversations import Conversations
from reticle.dispatch.grant_notices import GrantNotices
from reticle.dispatch.notices import Notices
from reticle.dispatch.rpc import Rpc
from reticle.dispatch.shared import Shared
from reticle.domain.daemon_life import DaemonLife
from reticle.domain.trust import is_pairing_token
from reticle.model.codes import Toolset
from reticle.model.limits import STALE_SECONDS
from reticle.model.trust import Principal, Secret
from reticle.ports import Page
from reticle.service.bridging import late_directory
from reticle.service.clock import ReactorClock
from reticle.service.detecting import detection_of
from reticle.service.doors import build_doors
from reticle.service.driving import driven_browser
from reticle.service.loading import Loading
from reticle.service.offering import offer
from reticle.settings import Settings
from reticle.storage.postgres.address import PostgresAddress
from reticle.storage.store import Store
from reticle.transport.ingest import Intake, ingest_leaf, logs_leaf, traces_leaf
from reticle.transport.metrics import Metrics
from reticle.transport.page_socket import PageSocketLeaf
from reticle.transport.rpc_socket import RpcFactory
from reticle.transport.site import build_mcp_root, build_root
from reticle.transport.status import DaemonStatus, PageStatus
from reticle.transport.streamable_http import StreamableHttp
from reticle.transport.streams import StreamSet
from reticle.transport.token_watch import TokenWatch


@attrs.define
class Whereabouts:
    """
    Where this daemon serves; known once the port is taken.

    ``port`` is None while embedded below an application's own Site. ``second_url`` is the second listener's.
    """

    url: str
    port: int | None = None
    second_url: str | None = None

    @property
    def mcp_url(self) -> str:
        """
        What the endpoint file says (DESIGN §2).
        """
        return f"{self.second_url or self.url}/mcp"


@attrs.frozen
class Parts:
    """
    The parts of one daemon that ``daemon`` starts, stops or shows.
    """

    life: DaemonLife
    directory: LateDirectory
    browser: LateBrowser
    page_socket: PageSocketLeaf
    streams: StreamSet
    streamable: StreamableHttp
    store: Store
    conversations: Conversations
    metrics: Metrics
    root: IResource
    mcp_root: IResource
    rpc: RpcFactory
    whereabouts: Whereabouts
    clock: ReactorClock
    grant_notices: GrantNotices
    token_watch: TokenWatch
    loading: Loading
    ingest_token: Secret


def compose(
    settings: Settings, *, state_dir: Path, reactor: Any, keepalive_seconds: float, started_at: float
) -> Parts:
    """
    Build everything.

    Args:
        settings: What the daemon was told.
        state_dir: Prepared by ``storage.directories``.
        reactor: The reactor that everything lives on.
        keepalive_seconds: Time between two keepalives of event streams.
        started_at: Seconds since the epoch.
    """
    clock = ReactorClock(reactor)
    life = DaemonLife()
    whereabouts = Whereabouts(f"http://127.0.0.1:{settings.port}")
    store = Store(
        state_dir,
        reactor,
        clock.now,
        settings.port,
        full_sync=settings.audit_durability == "full",
        soon=partial(reactor.callLater, 0),
        postgres=None
        if settings.database_url is None
        else PostgresAddress(Secret(settings.database_url.reveal())),
        journal=(settings.journal_mib, settings.journal_hours) if settings.journal else None,
    )
    doors = build_doors(settings, store.tokens, life, clock, lambda: store.fault)
    server_facts = LateServerFacts(clock.monotonic)
    ingest_token = Secret(secrets.token_urlsafe(32))
    intake = Intake(
        server_facts,
        store.audit,
        life,
        ingest_token,
        needs_token=settings.require_token,
        seconds=clock.monotonic,
        wall=clock.now,
    )
    notices = Notices()
    metrics = Metrics(
        mcp_sessions=lambda: streams.session_count + streamable.session_count,
        pages=lambda: len(directory.all()),
        journal=lambda: None if store.journal is None else store.journal.figures(),
    )
    directory = late_directory(
        store,
        notices,
        reactor,
        clock,
        check_token=lambda token: is_pairing_token(doors.policy, token),
        pairing_token=lambda: doors.policy.pairing_token,
        on_redacted=metrics.secrets_redacted,
        daemon_url=lambda: whereabouts.url,
        gate=lambda: shared.gate,
        server_facts=server_facts,
    )
    streams = StreamSet(reactor, keepalive_seconds=keepalive_seconds)
    streamable = StreamableHttp(
        reactor, streams, life, boot=secrets.token_hex(4), now=clock.now, random=secrets.token_bytes
    )
    page_socket = PageSocketLeaf(directory, doors.pages.decide, reactor, on_refused=metrics.request_refused)
    browser = driven_browser(
        settings,
        state_dir=state_dir,
        directory=directory,
        reactor=reactor,
        clock=clock,
        daemon_url=lambda: whereabouts.url,
    )
    shared = offer(
        store,
        directory,
        notices,
        clock,
        browser=browser,
        new_id=_new_id,
        daemon_url=lambda: whereabouts.url,
        on_call=metrics.call_ended,
        toolsets=frozenset(map(Toolset, settings.toolsets)),
        detection=detection_of(settings),
    )
    root = build_root(
        checker=doors.front,
        life=life,
        streams=streams,
        streamable=streamable,
        metrics=metrics,
        status=_Status(
            life,
            browser,
            streams,
            streamable,
            metrics,
            shared,
            store,
            whereabouts,
            clock,
            started_at,
            server_facts,
        ),
        page_script=page_script.joined(),
        page_script_sha256=page_script.content_hash(),
        unguarded_page_socket=page_socket,
        ingest=ingest_leaf(intake),
        otlp_traces=traces_leaf(intake),
        otlp_logs=logs_leaf(intake),
    )
    conversations = Conversations(
        shared,
        new_id=_new_id,
        state_key=lambda: store.mcp_sessions.signing_key.derive("request state"),
    )
    rpc = RpcFactory(Rpc(shared), doors.strict.decide, life, reactor)
    return Parts(
        life=life,
        directory=directory,
        browser=browser,
        page_socket=page_socket,
        streams=streams,
        streamable=streamable,
        store=store,
        conversations=conversations,
        metrics=metrics,
        root=root,
        mcp_root=build_mcp_root(
            checker=doors.strict, life=life, streams=streams, streamable=streamable, metrics=metrics
        ),
        rpc=rpc,
        whereabouts=whereabouts,
        clock=clock,
        grant_notices=GrantNotices(notices, store.tokens, reactor, clock.now),
        token_watch=TokenWatch(reactor, clock.now, store.tokens, [streams, streamable, rpc, conversations]),
        loading=Loading(
            reactor,
            [lambda: shared.features, lambda: directory.made, page_socket.load, conversations.load],
        ),
        ingest_token=ingest_token,
    )


def _new_id() -> str:
    return secrets.token_hex(8)


@attrs.frozen
class _Status:
    """
    Reads the present status off the parts; a ``StatusSource``.
    """

    life: DaemonLife
    browser: LateBrowser
    streams: StreamSet
    streamable: StreamableHttp
    metrics: Metrics
    shared: Shared
    store: Store
    whereabouts: Whereabouts
    clock: ReactorClock
    started_at: float
    server_facts: LateServerFacts

    def __call__(self, principal: Principal) -> DaemonStatus:
        visible = self.shared.gate.visible(principal)
        return DaemonStatus(
            version=__version__,
            pid=os.getpid(),
            started_at=self.started_at,
            uptime_seconds=self.clock.now() - self.started_at,
            port=self.whereabouts.port,
            state=self.life.state,
            mcp_sessions=self.streams.session_count + self.streamable.session_count,
            pages=[_page_status(page) for page in visible.all()],
            browser_leases=len(self.browser.leases()),
            refused_dials=visible.refused_dials(),
            secrets_redacted=self.metrics.secrets_total,
            calls_total=self.metrics.calls_total,
            calls_in_flight=self.shared.gate.calls_in_flight,
            storage_fault=self.store.fault,
            journal=None if self.store.journal is None else self.store.journal.figures(),
            audit_head=self.store.audit.head,
            probes=self.server_facts.probes(),
            skipped=visible.skipped_insertions(),
        )


def _page_status(page: Page) -> PageStatus:
    identity, health = page.identity, page.health()
    return PageStatus(
        page_id=identity.page_id,
        url=identity.url,
        title=identity.title,
        silent_seconds=health.silent_seconds,
        throttled=health.throttled(STALE_SECONDS),
    )
