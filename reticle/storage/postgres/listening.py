"""
A connection of its own on which a daemon hears of the others' changes, and by which one of them leads.

It has a thread of its own, which sleeps until the server or this daemon has something to say. A connection
that is lost is made again; since something may have been said meanwhile, the daemon is told then to look at
everything once.
"""

from __future__ import annotations

import contextlib
import os
import queue
import select
import threading
from collections.abc import Callable
from typing import Final

from twisted.application.service import Service
from twisted.internet.defer import Deferred, succeed
from twisted.logger import Logger

from reticle.errors import ConfigurationFault
from reticle.model.limits import POSTGRES_LISTEN_AGAIN_SECONDS, POSTGRES_UNHEARD_SECONDS
from reticle.storage.database import CallFromThread
from reticle.storage.postgres.address import PostgresAddress
from reticle.storage.postgres.connection import connect
from reticle.storage.postgres.faults import refusal_from
from reticle.storage.postgres_driver import LOCK_KEY, PostgresDriver, channel_of, lock_name

_ROLE: Final = "listener"

Lead = tuple[str, Deferred[bool]]


class PostgresListening(Service):
    """
    Args:
        address: The database.
        origin: This daemon's name; its own words are not heard.
        call_from_thread: How the thread gives back.
        heard: Called in the reactor's thread with each subject that another daemon told (``dialect.tell``).
        look: Called in the reactor's thread when something may have been missed: once connected, and each
            time after a loss.
    """

    _log = Logger()

    def __init__(
        self,
        address: PostgresAddress,
        origin: str,
        call_from_thread: CallFromThread,
        *,
        heard: Callable[[str], object],
        look: Callable[[], object],
    ) -> None:
        self._address = address
        self._origin = origin
        self._call_from_thread = call_from_thread
        self._heard = heard
        self._look = look
        self._asked: queue.SimpleQueue[Lead] = queue.SimpleQueue()
        self._leading: set[str] = set()
        self._lost = False
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None
        self._wake_read = self._wake_write = -1
        self._stop_waiters: list[Deferred[None]] = []

    def startService(self) -> None:
        """
        Begin to listen. A server that is away is tried again until the stop.
        """
        super().startService()  # type: ignore[no-untyped-call]  # Twisted leaves it untyped
        self._wake_read, self._wake_write = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        self._thread = threading.Thread(target=self._serve, name="reticle-listening", daemon=True)
        self._thread.start()

    def stopService(self) -> Deferred[None]:
        """
        Ready when the connection is closed; what this daemon led, another may lead then.
        """
        if self._thread is None:
            return succeed(None)
        if self.running:
            super().stopService()  # type: ignore[no-untyped-call]  # Twisted leaves it untyped
            self._ended.set()
            self._wake()
        stopped: Deferred[None] = Deferred()
        self._stop_waiters.append(stopped)
        return stopped

    def leads(self, what: str) -> Deferred[bool]:
        """
        Whether this daemon is the one that does ``what``: the first that asked, until its connection ends.
        False while there is no connection.
        """
        answer: Deferred[bool] = Deferred()
        if not self.running:
            return succeed(False)
        self._asked.put((what, answer))
        self._wake()
        return answer

    def _wake(self) -> None:
        # A full pipe wakes as well.
        with contextlib.suppress(BlockingIOError):
            os.write(self._wake_write, b"!")

    # --- the thread --------------------------------------------------------------------------

    def _serve(self) -> None:
        while not self._ended.is_set():
            try:
                driver = connect(self._address, self._origin, _ROLE)
            except Exception as fault:  # noqa: BLE001 - whatever it is, the next try may be better
                self._tell(fault)
                self._refuse_leads()
                self._ended.wait(POSTGRES_LISTEN_AGAIN_SECONDS)
                continue
            try:
                self._listen(driver)
            except Exception as fault:  # noqa: BLE001 - as above
                self._tell(fault)
            finally:
                with contextlib.suppress(Exception):  # it may be lost
                    if self._leading:
                        # The server notices a closed connection a moment later.
                        driver.connection.execute("SELECT pg_advisory_unlock_all()")
                    driver.connection.close()
                self._leading.clear()
        self._refuse_leads()
        self._call_from_thread(self._stopped)

    def _listen(self, driver: PostgresDriver) -> None:
        connection, channel = driver.connection, channel_of(driver.schema)
        connection.add_notify_handler(lambda word: self._hear_word(word.payload))
        connection.execute(f"LISTEN {channel}".encode())
        if self._lost:
            self._lost = False
            self._log.info("listening at {place} again", place=self._address.shown)
        # Behind LISTEN: from here on nothing is missed.
        self._call_from_thread(self._look)
        ends = select.poll()
        for descriptor in (connection.fileno(), self._wake_read):
            ends.register(descriptor, select.POLLIN)
        while not self._ended.is_set():
            ready = {descriptor for descriptor, _event in ends.poll(POSTGRES_UNHEARD_SECONDS * 1000)}
            if self._wake_read in ready:
                os.read(self._wake_read, 4096)
            while not self._asked.empty():
                self._answer(driver, *self._asked.get())
            if not ready:
                connection.execute("SELECT 1")
            self._hear(driver)

    def _hear(self, driver: PostgresDriver) -> None:
        connection = driver.connection.pgconn
        connection.consume_input()
        while (word := connection.notifies()) is not None:
            self._hear_word(word.extra.decode("utf-8", "replace"))

    def _hear_word(self, text: str) -> None:
        """
        Also while a statement of ours runs: psycopg hands over then what it has read.
        """
        origin, _, subject = text.partition(" ")
        if origin != self._origin:
            self._call_from_thread(self._heard, subject)

    def _answer(self, driver: PostgresDriver, what: str, answer: Deferred[bool]) -> None:
        try:
            if what not in self._leading:
                name = lock_name(driver.schema, f"lead {what}")
                row = driver.execute(f"SELECT pg_try_advisory_lock({LOCK_KEY})", (name,)).fetchone()
                if row is not None and row[0]:
                    self._leading.add(what)
        except BaseException:
            self._call_from_thread(answer.callback, False)
            raise
        self._call_from_thread(answer.callback, what in self._leading)

    def _refuse_leads(self) -> None:
        while not self._asked.empty():
            _what, answer = self._asked.get()
            self._call_from_thread(answer.callback, False)

    def _tell(self, fault: BaseException) -> None:
        """
        Once for each loss, however often it is tried again.
        """
        # What no retry mends, such as a missing psycopg, the store says as it opens.
        said = isinstance(fault, ConfigurationFault)
        if not self._lost and not said and not self._ended.is_set():
            refusal = refusal_from(fault, self._address.shown)
            told = refusal.message if refusal is not None else f"{type(fault).__name__}: {fault}"
            self._log.warn("changes of other daemons are not heard: {told}", told=told)
        self._lost = True

    def _stopped(self) -> None:
        assert self._thread is not None
        self._thread.join()
        self._thread = None
        for end in (self._wake_read, self._wake_write):
            os.close(end)
        waiters, self._stop_waiters = self._stop_waiters, []
        for waiter in waiters:
            waiter.callback(None)
