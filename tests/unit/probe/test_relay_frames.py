"""
The client's side of a WebSocket, against an independent server's protocol.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode
from websockets.server import ServerProtocol

from reticle.probe.relay_frames import Closed, RelayFrames, Text


def joined() -> tuple[RelayFrames, ServerProtocol]:
    """
    A client and a server that have shaken hands.
    """
    frames, server = RelayFrames("127.0.0.1:4400", "/reticle"), ServerProtocol(max_size=None)
    server.receive_data(frames.opening)
    (request,) = server.events_received()
    server.send_response(server.accept(request))  # type: ignore[arg-type]  # a request comes first
    assert frames.feed(b"".join(server.data_to_send())) == []
    assert frames.is_open
    return frames, server


def heard(server: ServerProtocol) -> list[Frame]:
    """
    What the server understood.
    """
    return [event for event in server.events_received() if isinstance(event, Frame)]


@pytest.mark.parametrize("length", [0, 1, 125, 126, 65_535, 65_536, 200_001])
def test_a_message_arrives_as_it_was_sent(length: int) -> None:
    """
    Every way of writing a length, both ways.
    """
    frames, server = joined()
    text = "ü" + "x" * length
    frames.say(text)
    server.receive_data(frames.outgoing())
    assert [frame.data for frame in heard(server)] == [text.encode()]
    server.send_text(text.encode())
    assert frames.feed(b"".join(server.data_to_send())) == [Text(text)]


@given(st.lists(st.text(max_size=300), max_size=5), st.integers(1, 40))
def test_any_cut_of_the_stream_gives_the_same_messages(texts: list[str], step: int) -> None:
    """
    TCP cuts where it likes.
    """
    frames, server = joined()
    for text in texts:
        server.send_text(text.encode("utf-8", "replace"))
    data = b"".join(server.data_to_send())
    events = [event for at in range(0, len(data), step) for event in frames.feed(data[at : at + step])]
    assert events == [Text(text.encode("utf-8", "replace").decode()) for text in texts]


def test_parts_of_a_message_are_joined_and_pings_answered() -> None:
    """
    A ping between two parts is no part.
    """
    frames, server = joined()
    server.send_text(b"a", fin=False)
    server.send_ping(b"p")
    server.send_continuation(b"b", fin=True)
    assert frames.feed(b"".join(server.data_to_send())) == [Text("ab")]
    server.receive_data(frames.outgoing())
    assert [(frame.opcode, frame.data) for frame in heard(server)] == [(Opcode.PONG, b"p")]


def test_a_close_is_passed_on_and_answered() -> None:
    """
    The page learns why, and does not come back with what was refused.
    """
    frames, server = joined()
    server.send_close(1008, "refused")
    assert frames.feed(b"".join(server.data_to_send())) == [Closed(1008, "refused")]
    server.receive_data(frames.outgoing())
    assert heard(server)[0].opcode == Opcode.CLOSE


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"HTTP/1.1 403 Forbidden\r\n\r\n", 1013),
        (b"HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: other\r\n\r\n", 1013),
        (b"x" * 20_000, 1002),
    ],
)
def test_what_is_no_acceptance_closes(data: bytes, code: int) -> None:
    """
    A stranger on the daemon's port is not talked to.
    """
    (event,) = RelayFrames("h", "/").feed(data)
    assert isinstance(event, Closed)
    assert event.code == code


@pytest.mark.parametrize(("data", "code"), [(b"\x81\x85abcd", 1002), (b"\x82\x7f" + b"\x01" * 8, 1009)])
def test_what_a_server_may_not_send_closes(data: bytes, code: int) -> None:
    """
    Neither a masked frame nor one without an end is waited for.
    """
    frames, _ = joined()
    (event,) = frames.feed(data)
    assert isinstance(event, Closed)
    assert event.code == code
