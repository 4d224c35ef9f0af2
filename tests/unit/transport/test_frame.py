"""
The text of an event stream (field reports TR-12).
"""

from __future__ import annotations

import json
import re

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.mcp.sse_frames import KEEPALIVE
from reticle.transport.frame import (
    end_frame,
    endpoint_frame,
    message_frame,
)


def read_strictly(stream: bytes) -> list[tuple[str, str]]:
    """
    An event stream as the HTML standard reads it (section 9.2.6): CRLF, CR and LF end lines.
    """
    events: list[tuple[str, str]] = []
    lines: list[str] = []
    event = "message"
    for line in re.split("\r\n|\r|\n", stream.decode()):
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if not line:
            if lines:
                events.append((event, "\n".join(lines)))
            event, lines = "message", []
        elif name == "event":
            event = value
        elif name == "data":
            lines.append(value)
    return events


def read_naively(stream: bytes) -> list[tuple[str, str]]:
    """
    An event stream as documented minimal clients read it: split on a blank line, match per line.
    """
    events = []
    for block in stream.decode().split("\n\n")[:-1]:
        event = re.search(r"^event: (.*)$", block, re.MULTILINE)
        body = re.search(r"^data: (.*)$", block, re.MULTILINE)
        events.append((event[1] if event else "message", body[1] if body else ""))
    return events


def read_by_unicode_lines(stream: bytes) -> list[str]:
    """
    The data lines as a client sees them that splits with Python's own idea of a line.
    """
    return [line.removeprefix("data: ") for line in stream.decode().splitlines() if line.startswith("data: ")]


@given(
    st.recursive(
        st.text() | st.integers() | st.none(), lambda inner: st.dictionaries(st.text(), inner), max_leaves=10
    )
)
def test_every_reader_gets_the_same_json(value: object) -> None:
    """
    Whatever text an answer holds, a strict, a naive and a Unicode-aware reader parse the same message.
    """
    stream = KEEPALIVE + message_frame(msgspec.json.encode(value)) + KEEPALIVE + KEEPALIVE
    stream += message_frame(b'{"last":true}')
    for events in (read_strictly(stream), read_naively(stream)):
        assert [(event, json.loads(body)) for event, body in events] == [
            ("message", value),
            ("message", {"last": True}),
        ]
    assert [json.loads(line) for line in read_by_unicode_lines(stream)] == [value, {"last": True}]


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\x85"])
def test_what_unicode_calls_a_line_end_is_escaped(separator: str) -> None:
    """
    A separator inside a string travels as its escape and arrives as itself.
    """
    frame = message_frame(msgspec.json.encode(f"a{separator}b"))
    assert separator not in frame.decode()
    assert read_by_unicode_lines(frame) == [f'"a\\u{ord(separator):04x}b"']


def test_indented_json_becomes_one_line() -> None:
    """
    A message with line breaks between its tokens is one data line all the same.
    """
    frame = message_frame(b'{\r\n "a": 1\r}')
    assert frame == b'event: message\ndata: {   "a": 1 }\n\n'


def test_the_exact_frames() -> None:
    """
    Clients compare these bytes.
    """
    assert endpoint_frame("/mcp/message?sessionId=x") == (
        b"event: endpoint\ndata: /mcp/message?sessionId=x\n\n"
    )
    assert message_frame(b"{}") == b"event: message\ndata: {}\n\n"
    assert end_frame("reticle-shutdown", "SIGTERM") == (
        b'event: reticle-shutdown\ndata: {"reason":"SIGTERM"}\n\n'
    )
    assert KEEPALIVE == b": keepalive\n"


def test_a_one_megabyte_line_stays_one_line() -> None:
    """
    Size does not fold a message.
    """
    body = msgspec.json.encode("x" * 1_000_000)
    assert message_frame(body) == b"event: message\ndata: " + body + b"\n\n"
