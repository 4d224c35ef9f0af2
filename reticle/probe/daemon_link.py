"""
One kept-alive connection to the daemon: posts a batch and reads the short answer.

Written on plain sockets: ``http.client`` is one of the things that the probe observes, and costs the app's
start 15 ms. Used by the sender's thread alone.

That thread must import nothing: a fork in the midst of an import leaves its module locked in the child for
good, and whoever needs it there, the app too, waits for ever. Looking a name up needs ``encodings.idna``, so
it is loaded here; an address is dialled without looking up.
"""

from __future__ import annotations

import contextlib
import encodings.idna  # noqa: F401 - see above
import socket
from collections.abc import Callable
from functools import lru_cache
from typing import Final, NamedTuple

from reticle.probe.limits import ANSWER_BYTES, ANSWER_SECONDS, CONNECT_SECONDS, RETRY_AFTER_SECONDS
from reticle.probe.runtime_file import DaemonAddress
from reticle.probe.words import TOKEN_HEADER

_END: Final = b"\r\n\r\n"


class Unreachable(Exception):
    """
    Nobody answered the dial; nothing was sent, so another try does no harm.
    """


class Broken(Exception):
    """
    The line broke or hung after the batch was sent: nobody knows whether it arrived.
    """


class Answer(NamedTuple):
    """
    The status of an answer, and the pause in seconds that it asks for, or None.
    """

    status: int
    retry_after: float | None


class DaemonLink:
    """
    The connection to one daemon, dialled when first used.

    Args:
        address: Where it is.
        find: Asked where it is now before every further dial: who closed the line may have started again, at
            the same port and with another token.
    """

    def __init__(
        self, address: DaemonAddress, find: Callable[[], DaemonAddress | None] = lambda: None
    ) -> None:
        self._address = address
        self._find = find
        self._has_dialled = False
        self._socket: socket.socket | None = None
        self._beginning = b""

    def post(self, body: bytes) -> Answer:
        """
        Send one batch.

        Raises:
            Unreachable: The daemon cannot be dialled.
            Broken: It did not answer in time, or not in HTTP.
        """
        line = self._live() or self._dial()
        try:
            self._beginning = self._beginning or self._head()
            line.sendall(b"%b%d\r\n\r\n%b" % (self._beginning, len(body), body))
            answer, is_kept = _read_answer(line)
        except (OSError, ValueError) as fault:
            self.close()
            raise Broken(str(fault)) from fault
        if not is_kept:
            self.close()
        return answer

    def close(self) -> None:
        """
        Give up the connection; the next ``post`` dials anew.
        """
        line, self._socket = self._socket, None
        if line is not None:
            with contextlib.suppress(OSError):
                line.close()

    def _live(self) -> socket.socket | None:
        """
        The kept connection, unless the daemon closed it meanwhile.
        """
        line = self._socket
        if line is None:
            return None
        try:
            line.settimeout(0)
            line.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            line.settimeout(ANSWER_SECONDS)
            return line
        except OSError:
            pass
        self.close()  # readable without a question: closed, or out of step
        return None

    def _dial(self) -> socket.socket:
        if self._has_dialled:
            self._address = self._find() or self._address
        self._has_dialled = True
        self._beginning = b""
        try:
            line = _connected(self._address.host, self._address.port)
            line.settimeout(ANSWER_SECONDS)
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError as fault:
            raise Unreachable(str(fault)) from fault
        self._socket = line
        return line

    def _head(self) -> bytes:
        """
        That of each batch, up to its length.
        """
        host = f"[{self._address.host}]" if ":" in self._address.host else self._address.host
        return (
            f"POST {self._address.path} HTTP/1.1\r\nHost: {host}:{self._address.port}\r\n"
            f"Content-Type: application/x-ndjson\r\n{TOKEN_HEADER}: {self._address.token}\r\n"
            "Content-Length: "
        ).encode("ascii")


def _connected(host: str, port: int) -> socket.socket:
    """
    Dial; a literal address directly, a name by looking it up.
    """
    family = _family(host)
    if family is None:
        return socket.create_connection((host, port), CONNECT_SECONDS)
    line = socket.socket(family, socket.SOCK_STREAM)
    try:
        line.settimeout(CONNECT_SECONDS)
        line.connect((host, port))
    except BaseException:
        line.close()
        raise
    return line


def _family(host: str) -> socket.AddressFamily | None:
    for family in (socket.AF_INET, socket.AF_INET6):
        with contextlib.suppress(OSError):
            socket.inet_pton(family, host)
            return family
    return None


def _read_answer(line: socket.socket) -> tuple[Answer, bool]:
    """
    One answer, and whether the connection may be used again.
    """
    got = b""
    while _END not in got:
        got += _more(line, len(got))
    head, _, rest = got.partition(_END)
    answer, length, is_kept = _read_head(head)
    while len(rest) < length:
        rest += _more(line, len(rest))
    return answer, is_kept


@lru_cache(maxsize=4)
def _read_head(head: bytes) -> tuple[Answer, int, bool]:
    """
    The answer, the bytes behind it, and whether the connection may be used again. Nearly all of a second read
    alike, so the last few are kept.
    """
    first, *rows = head.decode("latin-1").split("\r\n")
    version, _, status = first.partition(" ")
    if not version.startswith("HTTP/1."):
        raise ValueError("not an HTTP answer")
    fields = {name.strip().lower(): value.strip() for name, _, value in (row.partition(":") for row in rows)}
    answer = Answer(int(status[:3]), _pause(fields.get("retry-after")))
    if "content-length" not in fields:
        return answer, 0, answer.status == 204
    is_kept = fields.get("connection", "").lower() != "close" and version == "HTTP/1.1"
    return answer, int(fields["content-length"]), is_kept


def _more(line: socket.socket, had: int) -> bytes:
    if had > ANSWER_BYTES:
        raise ValueError("a long answer")
    got = line.recv(8_192)
    if not got:
        raise ConnectionResetError("closed before its answer")
    return got


def _pause(value: str | None) -> float | None:
    if value is None or not value.isdecimal():
        return None
    return min(float(value), RETRY_AFTER_SECONDS)
