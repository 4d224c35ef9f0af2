"""
The probe of the command line against real listeners.
"""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator

import pytest

from reticle.cli.probe import Silent, Stranger, ask_status
from reticle.settings import SecretText


class OneAnswer:
    """
    A listener that takes one connection, keeps what it got and answers with fixed bytes.
    """

    def __init__(self, answer: bytes, drips: bytes = b"") -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.received = b""
        self._answer = answer
        self._drips = drips
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        peer, _ = self._listener.accept()
        with peer:
            self.received = peer.recv(4_096)
            peer.sendall(self._answer)
            with contextlib.suppress(OSError):
                while self._drips:
                    peer.sendall(self._drips)
                    time.sleep(0.02)

    def close(self) -> None:
        """
        Wait for the end.
        """
        self._thread.join()
        self._listener.close()


@pytest.fixture
def stranger() -> Iterator[OneAnswer]:
    """
    Something that speaks no HTTP.
    """
    server = OneAnswer(b"220 mail.example.org\r\n")
    yield server
    server.close()


def test_the_token_goes_into_the_header_only(stranger: OneAnswer) -> None:
    """
    A token is sent as Authorization and never in the URL; a mail server is no daemon.
    """
    assert ask_status(stranger.url, SecretText("s3cret")) == Stranger("no HTTP (BadStatusLine)")
    assert stranger.received.startswith(b"GET /status HTTP/1.1\r\n")
    assert b"Authorization: Bearer s3cret\r\n" in stranger.received


def test_a_server_that_accepts_and_says_nothing_is_not_waited_for() -> None:
    """
    A wedged process on the port costs the timeout and is told from a closed port.
    """
    with socket.create_server(("127.0.0.1", 0)) as wedged:
        url = f"http://127.0.0.1:{wedged.getsockname()[1]}"
        assert ask_status(url, None, timeout_seconds=0.05) == Silent(
            listening=True, reason="no answer within 0.05 s"
        )
    assert ask_status(url, None) == Silent(listening=False, reason="Connection refused")


def test_a_stream_without_an_end_does_not_hold_the_command() -> None:
    """
    ``reticle status`` on the port of an event stream ends, although a byte comes now and again.
    """
    dripping = OneAnswer(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n", drips=b": x\n\n")
    began = time.monotonic()
    reply = ask_status(dripping.url, None, timeout_seconds=0.2)
    dripping.close()
    assert reply == Stranger("HTTP 200 without a reticle status")
    assert time.monotonic() - began < 2
