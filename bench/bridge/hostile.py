"""
What one misbehaving page does to others: their latency while it is at it.

An attack is a program of its own, so that the interpreter that measures has nothing else to do. Bytes are
made before; each attack goes on until it is ended, and dials again when it is thrown out.
"""

from __future__ import annotations

import json
import os
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from pipeline import Target
from websockets.frames import Frame, Opcode

HELLO = {
    "kind": "hello", "protocolVersion": 1, "script": "reticle", "documentId": "k3v9x0ab",
    "url": "http://localhost:8000/", "title": "Bench",
}  # fmt: skip
MESSAGE = 4 * 1024 * 1024
CALM_MS = 2.0


def _text(payload: bytes) -> bytes:
    return Frame(Opcode.TEXT, payload).serialize(mask=True)


def _event(data: bytes) -> bytes:
    return b'{"kind":"event","event":{"type":"net.request","data":%b}}' % data


def _full(part: bytes, around: bytes = b"%b", joint: bytes = b",") -> bytes:
    """
    Parts without an end, up to the message limit.
    """
    return around % joint.join([part] * ((MESSAGE - 200) // (len(part) + len(joint))))


def _many(event: str, size: int, part: str = "a=%d&") -> bytes:
    """
    As many events as one message may hold, each filled up to ``size``.
    """
    parts = "".join(part % number for number in range(size // len(part))).rstrip("&,")
    return b'{"kind":"events","events":[%b]}' % ",".join(event % (n, parts) for n in range(1_000)).encode()


def _keys() -> bytes:
    return b"{%b}" % b",".join(b'"%x":1' % number for number in range(400_000))


ATTACKS: Mapping[str, Callable[[], bytes]] = {
    "a flood, one event per frame": lambda: _text(_event(b'{"id":"n1","url":"/"}')) * 1_000,
    "a flood of frames without a byte": lambda: _text(b"") * 20_000,
    "a flood of pings": lambda: Frame(Opcode.PING, b"x" * 125).serialize(mask=True) * 1_000,
    "full messages of garbage": lambda: _text(b"\x01" * (MESSAGE - 1)),
    "full messages of deep JSON": lambda: _text(b"[" * (MESSAGE - 1)),
    "deep JSON in an event": lambda: _text(_event(b"[" * 2_000_000 + b"]" * 2_000_000)),
    "400,000 keys in an event": lambda: _text(_event(_keys())),
    "400,000 keys in a message": lambda: _text(_keys()),
    "400,000 keys in a hello": lambda: _text(b'{"kind":"hello","protocolVersion":1,"x":' + _keys() + b"}"),
    "400,000 keys in a result": lambda: _text(
        b'{"kind":"command_result","id":"c","ok":true,"result":' + _keys() + b"}"
    ),
    "a full message of empty events": lambda: _text(_full(b"{}", b'{"kind":"events","events":[%b]}')),
    "a full message of small events": lambda: _text(
        _full(b'{"type":"a"}', b'{"kind":"events","events":[%b]}')
    ),
    "small events and one that is none": lambda: _text(
        _full(b'{"type":"a"}', b'{"kind":"events","events":[0,%b]}')
    ),
    "lone surrogates": lambda: _text(_event(b'{"message":"%b"}' % _full(rb"\ud800", joint=b""))),
    "backslashes without an end": lambda: _text(_event(b'{"message":"%b"}' % _full(rb"\\", joint=b""))),
    "text that is no UTF-8": lambda: _text(_event(b'{"message":"%b\xff"}' % _full(b"aaa", joint=b""))),
    "more than the limit": lambda: _text(b"x" * (MESSAGE + 1)),
    "big numbers": lambda: _text(_event(_full(b"9" * 300, b"[%b]"))),
    "flagged elements": lambda: _text(
        _many('{"type":"human.mark","data":{"note":"n%d","anchor":"%s"}}', 400)
    ),
    "routes with our parameters": lambda: _text(
        _many('{"type":"route.change","data":{"to":"/%d?__reticle_session=1&%s"}}', 4_000)
    ),
    "overflows of many names": lambda: _text(
        _many('{"type":"transport.overflow","data":{"dropped":%d,"channels":{%s}}}', 4_000, '"%d":1,')
    ),
    "requests that never end": lambda: b"".join(
        _text(b'{"kind":"event","event":{"type":"net.pending","data":{"id":"n%d","url":"/"}}}' % number)
        for number in range(20_000)
    ),
}
SOCKETS: Mapping[str, str] = {
    "half-open sockets": "100 upgrades begun and never ended, and 100 sockets that say no hello",
    "pages that vanish": "hello, 100 events and a reset, without a pause",
}


def attack(words: str, port: int) -> None:
    """
    Misbehave until the process is ended.
    """
    if words in SOCKETS:
        _sockets(words, port)
    raw = ATTACKS[words]()
    print("ready", flush=True)
    while True:
        with suppress(OSError), _dialled(port, f"attacker-{os.getpid()}") as page:
            page.settimeout(10)
            while True:
                page.sendall(raw)


def _sockets(words: str, port: int) -> None:
    print("ready", flush=True)
    held: list[socket.socket] = []
    number = 0
    while True:
        number += 1
        with suppress(OSError):
            if words == "pages that vanish":
                with _dialled(port, f"vanishing-{number}") as page:
                    page.sendall(_text(_event(b"{}")) * 100)
                    page.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                continue
            begun = socket.create_connection(("127.0.0.1", port))
            begun.sendall(b"GET /reticle HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgr")
            held.append(begun)
            held.append(_upgraded(port))
            if len(held) > 200:
                held.pop(0).close()


def _upgraded(port: int) -> socket.socket:
    page = socket.create_connection(("127.0.0.1", port))
    page.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    page.sendall(
        b"GET /reticle HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n" % port
    )
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        byte = page.recv(1)
        if not byte:
            raise ConnectionResetError
        head += byte
    return page


@contextmanager
def _dialled(port: int, name: str) -> Iterator[socket.socket]:
    with _upgraded(port) as page:
        page.sendall(_text(json.dumps({**HELLO, "sessionId": name}).encode()))
        yield page


def harm(target: Target, words: str, seconds: float) -> Mapping[str, float]:
    """
    Milliseconds that a ping of another page and a call of an agent take, median and worst.

    ``daemon worst_cpu_ms`` is the most that the daemon's loop itself worked during one ping: what is left of
    the worst when the machine has nothing else to do.
    """
    assert target.agent is not None
    port = target.running.port
    attacker = None
    with _dialled(port, "patient") as page:
        # What the attacker before left in the kernel is not this one's.
        while min(_timed(lambda: _pinged(page)) for _ in range(5)) > CALM_MS:
            time.sleep(0.1)
    if words != "nobody":
        attacker = subprocess.Popen([sys.executable, __file__, words, str(port)], stdout=subprocess.PIPE)
        assert attacker.stdout is not None
        attacker.stdout.readline()
    pings, calls, busy = [], [], []
    try:
        with _dialled(port, "bystander") as page:
            page.settimeout(30)
            ends = time.monotonic() + seconds
            while time.monotonic() < ends:
                before = _cpu_ms(target.running.process.pid)
                pings.append(_timed(lambda: _pinged(page)))
                busy.append(_cpu_ms(target.running.process.pid) - before)
                calls.append(_timed(target.counts))
                time.sleep(0.005)
    finally:
        if attacker is not None:
            attacker.kill()
            attacker.communicate()
    return {
        "page p50_ms": statistics.median(pings),
        "page worst_ms": max(pings),
        "agent p50_ms": statistics.median(calls),
        "agent worst_ms": max(calls),
        "daemon worst_cpu_ms": max(busy),
    }


def _cpu_ms(pid: int) -> float:
    return int(Path(f"/proc/{pid}/schedstat").read_text(encoding="ascii").split()[0]) / 1e6


def _pinged(page: socket.socket) -> None:
    page.sendall(Frame(Opcode.PING, b"?").serialize(mask=True))
    answer = b""
    while not answer.endswith(b"\x8a\x01?"):
        got = page.recv(4096)
        if not got:
            raise ConnectionResetError("the bystander was thrown out")
        answer += got


def _timed(what: Callable[[], object]) -> float:
    began = time.perf_counter()
    what()
    return (time.perf_counter() - began) * 1e3


if __name__ == "__main__":
    attack(sys.argv[1], int(sys.argv[2]))
