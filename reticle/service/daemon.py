"""
The life of the daemon as a Twisted service.

Up: the port opens (503 to MCP) → the store opens → the gate is attached → announced, ready.
Down: nothing new → calls in flight are answered → farewells → streams gone → browser ended → pages told →
store closed.
"""

from __future__ import annotations

import os
import secrets
from functools import partial
from typing import Any

from twisted.application.service import MultiService
from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IListeningPort
from twisted.internet.task import LoopingCall
from twisted.logger import Logger
from twisted.python.failure import Failure
from twisted.web.resource import IResource

from reticle.errors import ConfigurationFault, LocalMisuse, Refusal
from reticle.model.limits import SSE_KEEPALIVE_SECONDS, STORAGE_LOOK_SECONDS
from reticle.service.announcement import Announcement, announcement
from reticle.service.bootstrap import operators_name
from reticle.service.clock import ReactorClock
from reticle.service.composition import Parts, compose
from reticle.service.driving import sweep_runs
from reticle.service.listeners import Listeners, open_listeners, with_second
from reticle.service.operator_door import OperatorDoor
from reticle.service.sweeping import Sweeper
from reticle.settings import Settings
from reticle.storage.directories import Directories, prepare_directories
from reticle.transport.answering import answered_in_time
from reticle.transport.fast_lane import choose_channel
from reticle.transport.site import build_site


class Daemon(MultiService):
    """
    One daemon. Start it once; a stopped one is not started again.

    ``when_serving`` is ready with the base URL once calls are answered, and fails with
    ``ConfigurationFault`` when that can never be, also because it was stopped first.

    Args:
        settings: What the daemon was told.
        reactor: The reactor it lives on.
        listeners: Sockets taken beforehand; None opens them at the start.
        listen: False in an application that mounts ``resource`` below its own Site.
        keepalive_seconds: Time between two keepalives of event streams.
    """

    _log = Logger()

    def __init__(
        self,
        settings: Settings,
        *,
        reactor: Any,
        listeners: Listeners | None = None,
        listen: bool = True,
        keepalive_seconds: float = SSE_KEEPALIVE_SECONDS,
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # Twisted leaves it untyped
        self.settings = settings
        self._reactor = reactor
        self._listeners = listeners
        self._listen = listen
        self._started_at = ReactorClock(reactor).now()
        self._directories: Directories = prepare_directories(
            settings.state_dir, settings.runtime_dir, os.environ
        )
        self.parts: Parts = compose(
            settings,
            state_dir=self._directories.state,
            reactor=reactor,
            keepalive_seconds=keepalive_seconds,
            started_at=self._started_at,
        )
        self.parts.streams.setServiceParent(self)  # type: ignore[no-untyped-call]  # as above
        # A ``TimerService`` would load another 15 modules.
        self._looking = LoopingCall(self._look_again)
        store = self.parts.store
        self._sweeper = Sweeper(
            store.work,
            leads=partial(store.leads, "sweep"),
            alone=settings.database_url is None,
            now=self.parts.clock.now,
            clock=reactor,
            random=secrets.token_bytes,
        )
        self._looking.clock = reactor
        self._ports: list[IListeningPort] = []
        self._announcement: Announcement | None = None
        self._operator = OperatorDoor(
            self._directories.runtime,
            self.parts.store.tokens,
            self.parts.rpc,
            now=self.parts.clock.now,
            well=lambda: self.parts.store.fault is None,
            reactor=reactor,
            name=operators_name(self.parts.store.daemon_id),
        )
        self._serving: list[str | Failure] = []
        self._waiters: list[Deferred[str]] = []

    @property
    def resource(self) -> IResource:
        """
        The tree of resources, to mount below an application's own Site.
        """
        return self.parts.root

    def when_serving(self) -> Deferred[str]:
        """
        Ready with the base URL once calls are answered; may be asked any number of times.
        """
        waiter: Deferred[str] = Deferred()
        if self._serving:
            waiter.callback(self._serving[0])
        else:
            self._waiters.append(waiter)
        return waiter

    def startService(self) -> None:
        """
        Open the port, then begin to open what stands behind it.

        Raises:
            ConfigurationFault: The port is taken, or the state directory has another daemon.
        """
        for note in self.settings.notes:
            self._log.warn("{note}", note=note)
        if self._listen:
            self._open_ports()
        try:
            self.parts.store.startService()
        except ConfigurationFault:
            self._close_ports()
            raise
        super().startService()  # type: ignore[no-untyped-call]  # Twisted leaves it untyped
        looking = self._looking.start(STORAGE_LOOK_SECONDS)
        looking.addErrback(lambda failure: self._log.failure("the state is looked at no more", failure))
        attaching = Deferred.fromCoroutine(self._attach())
        attaching.addErrback(self._cannot_serve)

    def stopService(self) -> Deferred[None]:
        """
        Ready when everybody was told and everything is closed; at most a few seconds.
        """
        self.parts.life.drain()
        return Deferred.fromCoroutine(self._stop())

    def _open_ports(self) -> None:
        listeners = self._listeners or self._take_listeners()
        for note in listeners.notes:
            self._log.warn("{note}", note=note)
        whereabouts = self.parts.whereabouts
        whereabouts.port, whereabouts.url = listeners.port, listeners.url
        self._serve(listeners, self.parts.root)
        if listeners.second is not None:
            whereabouts.second_url = listeners.second.url
            self._serve(listeners.second, self.parts.mcp_root)

    def _take_listeners(self) -> Listeners:
        settings, runtime = self.settings, self._directories.runtime
        first = open_listeners(settings.host, settings.port, runtime)
        return with_second(first, settings.mcp_http_addr, runtime)

    def _serve(self, listeners: Listeners, root: IResource) -> None:
        site = build_site(
            root,
            reactor=self._reactor,
            observers=(self.parts.metrics.request_ended,),
            channel=choose_channel(fast_lane=self.settings.fast_lane),
        )
        for listening in listeners.sockets:
            port = self._reactor.adoptStreamPort(listening.fileno(), listening.family, site)
            # The reactor has a duplicate now.
            listening.close()
            self._ports.append(port)

    def _close_ports(self) -> list[Deferred[None]]:
        ports, self._ports = self._ports, []
        return [closed for port in ports if (closed := port.stopListening()) is not None]

    async def _attach(self) -> None:
        parts = self.parts
        try:
            await parts.store.whenOpen()
        except ConfigurationFault:
            raise
        except Refusal as refusal:
            # Each call will say so with its recovery, and the store opens again once that was followed.
            self._log.error("{message}: {recovery}", message=refusal.message, recovery=refusal.recovery)
        if parts.life.draining:
            return
        sweep_runs(self._directories.state, self._reactor)
        parts.streams.attach(parts.conversations)
        parts.streamable.attach(parts.conversations, parts.store.mcp_sessions)
        parts.token_watch.start()
        if parts.whereabouts.port is not None:
            await self._operator.open(parts.whereabouts.port)
            if parts.life.draining:
                return
        self._sweeper.start()
        # Behind the operator's token: that a start makes one changes nobody's lists.
        parts.grant_notices.start()
        parts.life.attached()
        if self._listen:
            self._announce()
        self._settle(parts.whereabouts.url)
        parts.loading.start()

    def _look_again(self) -> None:
        self.parts.store.look_again()
        self._operator.look_again()

    def _announce(self) -> None:
        port = self.parts.whereabouts.port
        if port is None:
            raise LocalMisuse("a daemon without a port cannot be announced")
        self.parts.store.note_port(port)
        self._announcement = announcement(
            self._directories.runtime,
            url=self.parts.whereabouts.url,
            mcp_url=self.parts.whereabouts.mcp_url,
            port=port,
            started_at=self._started_at,
            state_dir=self._directories.state,
            ingest_token=self.parts.ingest_token,
            socket=self._operator.socket,
            client_token=self._operator.client_token,
        )
        try:
            self._announcement.make()
        except OSError as error:
            # Clients that know the port are served all the same.
            self._log.error("cannot announce the daemon in the runtime directory: {error}", error=error)
        self._log.info("listening on {url}", url=self.parts.whereabouts.url)
        if self.parts.whereabouts.second_url is not None:
            self._log.info("listening for capability tokens on {url}", url=self.parts.whereabouts.mcp_url)

    def _cannot_serve(self, failure: Failure) -> None:
        if not failure.check(ConfigurationFault):
            self._log.failure("the daemon could not attach its parts", failure)
        self._settle(failure)

    def _settle(self, outcome: str | Failure) -> None:
        self._serving.append(outcome)
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            waiter.callback(outcome)

    async def _stop(self) -> None:
        parts = self.parts
        closing = self._close_ports()
        parts.loading.stop()
        if self._looking.running:
            self._looking.stop()
        self._sweeper.stop()
        parts.grant_notices.stop()
        parts.token_watch.stop()
        if self._announcement is not None:
            try:
                self._announcement.take_back()
            except OSError as error:
                self._log.error("cannot take the announcement back: {error}", error=error)
        drained = [
            parts.streams.drain(),
            parts.streamable.drain(),
            Deferred.fromCoroutine(self._operator.close()),
            answered_in_time(self._reactor, [parts.conversations.drain_tasks("it was told to")]),
        ]
        for each in drained:
            await each
        # before the bridge: its pages go with it
        await parts.browser.stop()
        pages_gone = parts.page_socket.stop()
        parts.directory.close_all()
        await pages_gone
        # The streams' own sweeps end here; their connections are gone already.
        await self._stop_children()
        await parts.store.stopService()
        for closed in closing:
            await closed
        parts.life.stopped()
        if not self._serving:
            self._settle(
                Failure(ConfigurationFault("the daemon was stopped before it could serve", "start it"))
            )
        self._log.info("stopped")

    def _stop_children(self) -> Deferred[Any]:
        stopped: Deferred[Any] = super().stopService()  # type: ignore[no-untyped-call]  # as above
        return stopped


def make_service(
    settings: Settings,
    *,
    reactor: Any = None,
    listeners: Listeners | None = None,
    listen: bool = True,
    keepalive_seconds: float = SSE_KEEPALIVE_SECONDS,
) -> Daemon:
    """
    A daemon to set below an application's own service, or to run by itself.

    Args:
        settings: What the daemon was told; ``Settings()`` is the default port on loopback.
        reactor: The reactor to live on; None takes the installed one, at the call and not at import.
        listeners: Sockets taken beforehand, as ``open_listeners`` gives them.
        listen: False where the application mounts ``reticle.resource(daemon)`` below its own Site.
        keepalive_seconds: Time between two keepalives of event streams.

    Raises:
        ConfigurationFault: A directory cannot be used; nothing was started.
    """
    if reactor is None:
        from twisted.internet import reactor as installed  # noqa: PLC0415, TID251 - the embedding edge

        reactor = installed
    return Daemon(
        settings, reactor=reactor, listeners=listeners, listen=listen, keepalive_seconds=keepalive_seconds
    )
