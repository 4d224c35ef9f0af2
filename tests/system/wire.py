"""
Plain sockets for tests that must send what no client library would.
"""

from __future__ import annotations

import json
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager

WAIT_SECONDS = 10.0


@contextmanager
def dialled(port: int) -> Iterator[socket.socket]:
    """
    A connection to the daemon; every wait on it ends after ten seconds.
    """
    with socket.create_connection(("127.0.0.1", port), WAIT_SECONDS) as connected:
        connected.settimeout(WAIT_SECONDS)
        yield connected


def request(method: str, target: str, *fields: str, body: bytes = b"", host: str = "127.0.0.1") -> bytes:
    """
    One HTTP/1.1 request with exactly these fields; a length is added when there is a body.
    """
    lines = [f"{method} {target} HTTP/1.1", f"Host: {host}", *fields]
    if body:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


def post(target: str, message: object, *fields: str) -> bytes:
    """
    One JSON-RPC message as a request that closes its connection.
    """
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    return request("POST", target, "Content-Type: application/json", "Connection: close", *fields, body=body)


def exchange(port: int, payload: bytes) -> bytes:
    """
    Send, and read until the daemon closes.
    """
    with dialled(port) as connected:
        connected.sendall(payload)
        return read_to_end(connected)


def read_to_end(connected: socket.socket) -> bytes:
    """
    Everything until the peer closes; a reset counts as closed.
    """
    got = bytearray()
    try:
        while chunk := connected.recv(65_536):
            got += chunk
    except ConnectionError:
        pass
    return bytes(got)


def read_until(connected: socket.socket, mark: bytes) -> bytes:
    """
    Bytes up to and with ``mark``, and what came in the same segment.
    """
    got = bytearray()
    while mark not in got:
        chunk = connected.recv(65_536)
        assert chunk, f"the connection ended before {mark!r}: {bytes(got)!r}"
        got += chunk
    return bytes(got)


def status_of(answer: bytes) -> int:
    """
    The status of an HTTP answer; 0 when there was none.
    """
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.1 ") else 0


def open_stream(connected: socket.socket, *fields: str) -> str:
    """
    Ask for a session stream on a connection; gives the announced path.
    """
    connected.sendall(request("GET", "/mcp/sse", "Accept: text/event-stream", *fields))
    head = read_until(connected, b"\n\n")
    head += b"" if b"data: " in head else read_until(connected, b"\n\n")
    return head.split(b"data: ", 1)[1].split(b"\n", 1)[0].strip().decode()


def reset(connected: socket.socket) -> None:
    """
    Close with a reset instead of an orderly end.
    """
    connected.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connected.close()


def port_is_free(port: int) -> bool:
    """
    Whether a new listener could take the port now.
    """
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def eventually(holds: object, what: str, seconds: float = WAIT_SECONDS) -> None:
    """
    Wait until a condition holds, looking every 20 ms.
    """
    assert callable(holds)
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, f"not within {seconds:g} s: {what}"
        time.sleep(0.02)
