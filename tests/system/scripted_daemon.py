"""
Something that speaks just enough HTTP to be taken for a daemon, and fails where a test wants it to.
"""

from __future__ import annotations

import contextlib
import json
import queue
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

ACCEPTED = b"HTTP/1.1 202 Accepted\r\nContent-Length: 8\r\n\r\nAccepted"
STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
ENDPOINT = b"event: endpoint\ndata: /mcp/message?sessionId=s1\n\n"
WAIT_SECONDS = 20.0
TOOLS = [{"name": "reticle_snapshot", "annotations": {"readOnlyHint": True}}, {"name": "reticle_act"}]

Answer = Callable[["ScriptedDaemon", dict[str, Any]], bytes | None]
"""Gives the bytes that answer a POST, or None to hang up without one."""


def status(code: int, text: str = "no") -> bytes:
    """
    A whole answer with that status.
    """
    return f"HTTP/1.1 {code} X\r\nContent-Length: {len(text)}\r\n\r\n{text}".encode()


class ScriptedDaemon:
    """
    Listens on a free port. ``taken`` holds every message that came, ``streams`` counts the streams.

    Args:
        answer: What a POST gets; without one 202, and tool calls an empty result.
        opening: What the GET of a stream gets, by its number from 1.
    """

    def __init__(
        self, answer: Answer | None = None, opening: Callable[[int], bytes] = lambda _: STREAM + ENDPOINT
    ) -> None:
        self.taken: list[dict[str, Any]] = []
        self.streams = 0
        self._answer = answer or accept
        self._opening = opening
        self._stream: socket.socket | None = None
        self._opened: queue.Queue[int] = queue.Queue()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._threads = [threading.Thread(target=self._serve, daemon=True)]
        self._threads[0].start()

    @property
    def url(self) -> str:
        """
        For ``--url``.
        """
        return f"http://127.0.0.1:{self.port}"

    def wait_for_stream(self) -> int:
        """
        Wait until one more stream was opened; gives its number.
        """
        return self._opened.get(timeout=WAIT_SECONDS)

    def say(self, message: object, cuts: int = 0) -> None:
        """
        Send one message on the stream, in pieces of ``cuts`` bytes when that is not 0.
        """
        assert self._stream is not None
        frame = b"event: message\ndata: " + json.dumps(message).encode() + b"\n\n"
        for start in range(0, len(frame), cuts or len(frame)):
            self._stream.sendall(frame[start : start + (cuts or len(frame))])

    def end_stream(self) -> None:
        """
        Close the stream, as a daemon does that was killed.
        """
        assert self._stream is not None
        self._stream.shutdown(socket.SHUT_RDWR)

    def methods(self) -> list[str]:
        """
        The methods of the messages that came.
        """
        return [str(message.get("method")) for message in self.taken]

    def close(self) -> None:
        """
        Stop listening and hang up.
        """
        # A thread waits in accept: closing alone would not wake it.
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._threads:
            thread.join(WAIT_SECONDS)

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                accepted, _ = self._listener.accept()
                self._threads.append(threading.Thread(target=self._talk, args=[accepted], daemon=True))
                self._threads[-1].start()

    def _talk(self, link: socket.socket) -> None:
        with link, contextlib.suppress(OSError):
            for head, body in requests(link):
                if head.startswith(b"GET"):
                    self.streams += 1
                    self._stream = link
                    link.sendall(self._opening(self.streams))
                    self._opened.put(self.streams)
                    continue
                message = json.loads(body)
                self.taken.append(message)
                reply = self._answer(self, message)
                if reply is None:
                    link.shutdown(socket.SHUT_RDWR)
                    return
                link.sendall(reply)


def requests(link: socket.socket) -> Iterator[tuple[bytes, bytes]]:
    """
    Head and body of each request on a connection, until it ends.
    """
    got = b""
    while True:
        while b"\r\n\r\n" not in got:
            chunk = link.recv(65_536)
            if not chunk:
                return
            got += chunk
        head, _, got = got.partition(b"\r\n\r\n")
        lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
        size = int(lengths[0].partition(b":")[2]) if lengths else 0
        while len(got) < size:
            got += link.recv(65_536)
        yield head, got[:size]
        got = got[size:]


def accept(daemon: ScriptedDaemon, message: dict[str, Any]) -> bytes:
    """
    202, and an answer on the stream to whatever is a request.
    """
    if "id" in message and "method" in message:
        listed = message["method"] == "tools/list"
        result = {"tools": TOOLS} if listed else {"served": message["method"]}
        daemon.say({"jsonrpc": "2.0", "id": message["id"], "result": result})
    return ACCEPTED
