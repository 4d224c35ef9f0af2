"""
The states of one stream, as a table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Serve = Callable[..., Any]

END = b"event: reticle-shutdown\ndata: {}\n\n"


def stream_in(state: str, serve: Serve) -> tuple[Any, Any, Any]:
    """
    A daemon, a wire and its stream, brought into a state.
    """
    served = serve()
    wire, path = served.open_stream()
    stream = served.streams.find(path.partition("=")[2])
    if state in ("ending", "gone"):
        stream.end(END)
    if state == "gone":
        wire.hang_up()
    return served, wire, stream


ENDING = (0, 1, 1)
GONE = (0, 0, 1)


@pytest.mark.parametrize(
    ("state", "given_input", "after"),
    [
        ("live", "end", ENDING),
        ("live", "overflow", ENDING),
        ("live", "pipelined", ENDING),
        ("live", "lost", GONE),
        ("ending", "end", ENDING),
        ("ending", "overflow", ENDING),
        ("ending", "pipelined", ENDING),
        ("ending", "lost", GONE),
        ("gone", "end", GONE),
        ("gone", "overflow", GONE),
    ],
)
def test_every_state_answers_every_input(
    serve: Serve, state: str, given_input: str, after: tuple[int, int, int]
) -> None:
    """
    Whichever side begins the end, and however often: sessions, connections and closed conversations are
    counted right, and a stream says one last frame at most.
    """
    served, wire, stream = stream_in(state, serve)
    match given_input:
        case "end":
            stream.end(END)
        case "overflow":
            stream.send(b"x" * 40_000_000)
        case "pipelined":
            wire.send(b"GET / HTTP/1.1\r\n")
        case "lost":
            wire.hang_up()
    [conversation] = served.conversations.opened
    counted = (served.streams.session_count, served.streams.connection_count, conversation.closed)
    assert counted == after
    last_frames = wire.received().count(b"event: reticle-")
    assert last_frames == (0 if (state, given_input) == ("live", "lost") else 1)


def test_an_end_that_nobody_reads_is_cut_and_leaves_no_timer(serve: Serve) -> None:
    """
    The deadline of an ending stream is set with its end and taken away with its connection.
    """
    served, wire, stream = stream_in("live", serve)
    wire.transport.producer.pauseProducing()
    stream.end(END, within_seconds=0.5)
    [deadline] = served.clock.getDelayedCalls()
    assert deadline.getTime() == 0.5
    served.clock.advance(0.5)
    assert wire.transport.disconnected
    wire.hang_up()
    assert served.clock.getDelayedCalls() == []


def test_many_farewells_let_the_loop_breathe(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    A stop with many streams writes its farewells in turns, so that none is cut before it could leave.
    """
    monkeypatch.setattr("reticle.transport.streams.FAREWELLS_PER_TURN", 2)
    served = serve()
    wires = [served.open_stream()[0] for _ in range(5)]
    served.streams.drain("SIGTERM")
    told = []
    for _ in range(2):
        told.append(sum(b"reticle-shutdown" in wire.received() for wire in wires))
        served.clock.advance(0)
    assert told == [2, 5]
