"""
A page's connection to the daemon that a thread of ours keeps, for servers without WebSockets.
"""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from typing import Final
from urllib.parse import urlsplit

from reticle.probe.limits import ANSWER_SECONDS, CONNECT_SECONDS, RELAY_IDLE_SECONDS, RELAY_QUEUE_BYTES
from reticle.probe.quiet import own_thread
from reticle.probe.relay_frames import Closed, RelayFrames, Text

_NOT_YET: Final = 0.5
"""How often the thread looks whether the page is still there."""


class RelayLine:
    """
    Args:
        bridge: The WebSocket URL of the daemon.

    Raises:
        OSError: Nobody answers there; another try later makes sense.
    """

    def __init__(self, bridge: str) -> None:
        url = urlsplit(bridge)
        self._frames = RelayFrames(url.netloc, url.path or "/")
        self._waiting: list[str] = []
        self._bytes = 0
        self._closed: Closed | None = None
        self._news = threading.Condition()
        self._asked_at = time.monotonic()
        address = (url.hostname or "127.0.0.1", url.port or 80)
        self._socket = socket.create_connection(address, CONNECT_SECONDS)
        try:
            self._open()
        except BaseException:
            self._socket.close()
            raise
        threading.Thread(target=self._run, name="reticle-relay", daemon=True).start()

    @property
    def is_abandoned(self) -> bool:
        """
        Whether the page has not asked for long.
        """
        return time.monotonic() - self._asked_at > RELAY_IDLE_SECONDS

    def send(self, texts: list[str]) -> None:
        """
        Pass on what the page says.
        """
        with self._news:
            self._asked_at = time.monotonic()
            for text in texts:
                self._frames.say(text)
            self._flush()

    def take(self, hold_seconds: float) -> tuple[list[str], Closed | None]:
        """
        What the daemon said since, waiting for the first word; and whether it closed.
        """
        with self._news:
            self._asked_at = time.monotonic()
            self._news.wait_for(lambda: self._waiting or self._closed, hold_seconds)
            self._asked_at = time.monotonic()
            taken, self._waiting, self._bytes = self._waiting, [], 0
            return taken, self._closed

    def close(self, code: int = 1001, reason: str = "the page is gone") -> None:
        """
        The page is gone.
        """
        with self._news, contextlib.suppress(OSError):
            if self._closed is None:
                self._closed = Closed(code, reason)
                self._frames.close(code, reason)
                self._flush()
                self._socket.shutdown(socket.SHUT_RDWR)
            self._news.notify_all()

    def _open(self) -> None:
        self._socket.settimeout(ANSWER_SECONDS)
        self._socket.sendall(self._frames.opening)
        while not self._frames.is_open:
            data = self._socket.recv(65_536)
            events = self._frames.feed(data)
            if not data or any(isinstance(event, Closed) for event in events):
                raise ConnectionRefusedError("the daemon refused the page")
            self._keep(events)

    def _run(self) -> None:
        own_thread()
        try:
            while self._closed is None and not self.is_abandoned:
                self._hear()
        except OSError:
            pass  # the daemon went away, which `closed` says
        finally:
            self.close(1006, "")
            self._socket.close()

    def _hear(self) -> None:
        self._socket.settimeout(_NOT_YET)
        try:
            data = self._socket.recv(65_536)
        except TimeoutError:
            return
        with self._news:
            if not data:
                self._closed = self._closed or Closed(1006, "")
            else:
                self._keep(self._frames.feed(data))
                self._flush()
            self._news.notify_all()

    def _keep(self, events: list[Text | Closed]) -> None:
        for event in events:
            if isinstance(event, Closed):
                self._closed = event
            elif self._bytes > RELAY_QUEUE_BYTES:
                self._closed = Closed(1013, "the page does not fetch its commands")
            else:
                self._waiting.append(event.text)
                self._bytes += len(event.text)

    def _flush(self) -> None:
        out = self._frames.outgoing()
        if out:
            try:
                self._socket.settimeout(ANSWER_SECONDS)
                self._socket.sendall(out)
            except OSError:
                self._closed = self._closed or Closed(1006, "")
