"""
The daemon's page script, fetched and kept by a thread of our own, so that no request of the app ever waits.

While no daemon answers there is no script, and nothing is inserted.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import socket
import threading
import time
from collections.abc import Callable
from typing import Final, NamedTuple

from reticle.probe.limits import (
    ANSWER_SECONDS,
    CONNECT_SECONDS,
    SCRIPT_BYTES,
    SCRIPT_FRESH_SECONDS,
    SCRIPT_PAUSE_SECONDS,
    SCRIPT_REFRESH_SECONDS,
)
from reticle.probe.quiet import own_thread
from reticle.probe.runtime_file import DaemonAddress, find_daemon

_BRIDGE: Final = re.compile(r"wss?://[A-Za-z0-9.:\[\]-]{1,80}/[A-Za-z0-9/_-]{0,80}")
_ETAG: Final = re.compile(r'"[\x21\x23-\x7e]{1,128}"')


class Script(NamedTuple):
    """
    The script's bytes, their content hash, the WebSocket URL that its page dials, and its entity tag there.
    """

    body: bytes
    version: str
    bridge: str
    etag: str


class ScriptCopy:
    """
    What is known of the daemon's script.

    Args:
        find: Where the daemon is.
        fetch: Asks it: the script, the one given where it is still the same, or None where nobody answers.
        now: Monotonic seconds.
    """

    def __init__(
        self,
        find: Callable[[], DaemonAddress | None],
        fetch: Callable[[DaemonAddress, Script | None], Script | None],
        now: Callable[[], float],
    ) -> None:
        self._find = find
        self._fetch = fetch
        self._now = now
        self._known: Script | None = None
        self._heard_at: float | None = None
        self._thread: threading.Thread | None = None
        self._wish = threading.Event()
        self._lock = threading.Lock()

    def current(self) -> Script | None:
        """
        The script, if the daemon answered lately.
        """
        self.watch()
        heard_at = self._heard_at
        if heard_at is None or self._now() - heard_at > SCRIPT_FRESH_SECONDS:
            self._wish.set()  # a page wanted it, so the next one should have it
            return None
        return self._known

    def kept(self) -> Script | None:
        """
        The last known script, for a page that was given its tag already.
        """
        return self._known

    def refresh(self) -> None:
        """
        Ask the daemon now; blocks for at most a few seconds, so only our own thread does.
        """
        address = self._find()
        known = self._known if address is not None and self._heard_at is not None else None
        script = None if address is None else self._fetch(address, known)
        if script is not None:
            self._known = script
        self._heard_at = None if script is None else self._now()

    def watch(self) -> None:
        """
        See to it that the thread runs; costs a look at an attribute when it does.
        """
        if self._thread is not None:
            return
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="reticle-script", daemon=True)
                self._thread.start()

    def after_fork(self) -> None:
        """
        The child has no thread of ours.
        """
        self._thread = None
        self._lock = threading.Lock()
        self._wish = threading.Event()

    def _run(self) -> None:
        own_thread()
        while True:
            self._wish.clear()
            with contextlib.suppress(Exception):
                self.refresh()
            time.sleep(SCRIPT_PAUSE_SECONDS)
            self._wish.wait(SCRIPT_REFRESH_SECONDS)


def fetch(address: DaemonAddress, known: Script | None) -> Script | None:
    """
    Ask a daemon for its script over a plain socket.
    """
    bridge = address.bridge or f"ws://{_authority(address)}/reticle"
    if not _BRIDGE.fullmatch(bridge):
        return None
    condition = f"If-None-Match: {known.etag}\r\n" if known is not None and known.etag else ""
    question = (
        f"GET {address.sdk} HTTP/1.1\r\nHost: {_authority(address)}\r\n{condition}Connection: close\r\n\r\n"
    ).encode("ascii")
    try:
        with socket.create_connection((address.host, address.port), CONNECT_SECONDS) as line:
            line.settimeout(ANSWER_SECONDS)
            line.sendall(question)
            answer = _read(line)
    except OSError:
        return None
    head, _, body = answer.partition(b"\r\n\r\n")
    first, *rows = head.decode("latin-1").split("\r\n")
    fields = {name.strip().lower(): value.strip() for name, _, value in (row.partition(":") for row in rows)}
    status = first.split(" ")[1:2]
    if status == ["304"] and known is not None:
        return known._replace(bridge=bridge)
    length = fields.get("content-length", "")
    if status != ["200"] or not length.isdecimal() or int(length) != len(body):
        return None
    etag = fields.get("etag", "")
    version = hashlib.sha256(body).hexdigest()[:16]
    return Script(body, version, bridge, etag if _ETAG.fullmatch(etag) else "")


def _authority(address: DaemonAddress) -> str:
    host = f"[{address.host}]" if ":" in address.host else address.host
    return f"{host}:{address.port}"


def _read(line: socket.socket) -> bytes:
    """
    Everything up to the end of the connection, bounded in bytes and in time.
    """
    deadline = time.monotonic() + ANSWER_SECONDS
    got = bytearray()
    while chunk := line.recv(65_536):
        got += chunk
        if len(got) > SCRIPT_BYTES or time.monotonic() > deadline:
            raise TimeoutError("an answer without an end")
    return bytes(got)


copy: Final = ScriptCopy(lambda: find_daemon(os.environ), fetch, time.monotonic)
"""The one of this process."""

os.register_at_fork(after_in_child=copy.after_fork)
