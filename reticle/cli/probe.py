"""
Asks what listens on a port whether it is a reticle daemon, and how it is.

Standard library only; an open port alone proves nothing.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import threading
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

import attrs

from reticle.settings import SecretText

_SECONDS: Final = 2.0
_BODY_BYTES: Final = 4 * 1024 * 1024


@attrs.frozen
class Answering:
    """
    A reticle daemon answered; ``status`` is its ``/status`` object.
    """

    status: Mapping[str, object]


@attrs.frozen
class Unauthorised:
    """
    Something asks for a token that we do not have.
    """

    message: str


@attrs.frozen
class Stranger:
    """
    Something else listens there; ``sign`` is what gave it away.
    """

    sign: str


@attrs.frozen
class Silent:
    """
    Nothing listens, or what listens does not answer; ``listening`` tells the two apart.
    """

    listening: bool
    reason: str


Reply = Answering | Unauthorised | Stranger | Silent


def ask_status(url: str, token: SecretText | None, timeout_seconds: float = _SECONDS) -> Reply:
    """
    GET ``/status`` of the daemon at ``url``; never raises for what the other side does.

    Waits ``timeout_seconds`` for a first byte and twice that for the whole answer.
    """
    where = urlsplit(url)
    connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=timeout_seconds)
    headers = {} if token is None else {"Authorization": f"Bearer {token.reveal()}"}
    try:
        connection.connect()
    except OSError as fault:
        return Silent(listening=False, reason=fault.strerror or str(fault))
    # The socket's own limit begins anew with each byte, so a stream that drips would hold us for ever.
    deadline = threading.Timer(2 * timeout_seconds, _hang_up, [connection.sock])
    deadline.daemon = True
    deadline.start()
    try:
        connection.request("GET", "/status", headers=headers)
        response = connection.getresponse()
        return _judge(response.status, response.read(_BODY_BYTES))
    except TimeoutError:
        return Silent(listening=True, reason=f"no answer within {timeout_seconds:g} s")
    except http.client.HTTPException as fault:
        return Stranger(f"no HTTP ({type(fault).__name__})")
    except OSError as fault:
        return Silent(listening=True, reason=fault.strerror or str(fault))
    finally:
        deadline.cancel()
        connection.close()


def _hang_up(sock: socket.socket) -> None:
    with contextlib.suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)


def _judge(status: int, body: bytes) -> Reply:
    try:
        parsed = json.loads(body)
    except ValueError:
        parsed = None
    if status == http.client.OK and isinstance(parsed, dict) and parsed.get("name") == "reticle":
        return Answering(parsed)
    error = parsed.get("error") if isinstance(parsed, dict) else None
    if status in (401, 403) and isinstance(error, dict):
        return Unauthorised(str(error.get("message", f"HTTP {status}")))
    return Stranger(f"HTTP {status} without a reticle status")
