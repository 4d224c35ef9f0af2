"""
The short road for text frames beside the long one.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import CloseCode

from reticle.transport.text_frames import TextFrames
from tests.unit.transport.test_websocket import Scene

LENGTHS = st.sampled_from([0, 1, 5, 125, 126, 127, 300, 65_535, 65_536])
CLOSE = 0x88
HEADS = st.sampled_from(
    [0x81, 0x81, 0x81, 0x81, 0x01, 0x80, 0x00, 0x82, 0x02, 0x89, 0x8A, CLOSE, 0xC1, 0x83, 0x09]
)
FAULTS = frozenset({CloseCode.PROTOCOL_ERROR, CloseCode.INVALID_DATA, CloseCode.MESSAGE_TOO_BIG})
MASK = b"\x5a\xa5\x01\xff"


def frame(head: int, length: int, *, good: bool = True, masked: bool = True) -> bytes:
    """
    One frame; what is not ``good`` holds a byte that no UTF-8 has.
    """
    payload = b"\x03\xe8"[:length] + b"x" * (length - 2) if head == CLOSE else b"x" * length
    payload = payload if good else payload[:-1] + b"\xff"
    size = len(payload)
    bit = 0x80 if masked else 0
    if size < 126:
        said = bytes([bit | size])
    elif size < 65_536:
        said = bytes([bit | 126]) + size.to_bytes(2, "big")
    else:
        said = bytes([bit | 127]) + size.to_bytes(8, "big")
    if not masked:
        return bytes([head]) + said + payload
    return bytes([head]) + said + MASK + bytes(byte ^ MASK[at % 4] for at, byte in enumerate(payload))


FRAMES = st.builds(
    frame,
    HEADS,
    LENGTHS,
    good=st.sampled_from([True] * 9 + [False]),
    masked=st.sampled_from([True] * 19 + [False]),
)


def failed(scene: Scene) -> bool:
    """
    Whether the page was told that it broke the protocol. Ends the scene.
    """
    scene.hang_up()
    return scene.link.ended[0][0] in FAULTS


def outcome(scene: Scene) -> object:
    """
    All that the page and the bridge see of a socket.
    """
    seen = scene.transport.value(), scene.transport.half_closed, scene.transport.disconnecting
    return (*seen, scene.link.ended, scene.socket.binary_ignored)


@given(st.lists(FRAMES, max_size=8), st.sampled_from([1, 3, 7, 64, 1_000, 65_536, 1_000_000]), st.data())
def test_both_roads_give_the_same_messages(frames: list[bytes], segment: int, data: st.DataObject) -> None:
    """
    Whatever frames a page sends and however they are cut, it is understood as by the library alone.

    Two things are left open: which of two ends in one segment is told, and whether a fault is told before the
    head that has it is whole.
    """
    missing = data.draw(st.sampled_from([0, 0, 0, 1, 5]))
    raw = b"".join(frames)
    raw = raw[: len(raw) - missing]
    segment = max(segment, len(raw) // 2_000)
    short, long = Scene(), Scene()
    for at in range(0, len(raw), segment):
        short.socket.dataReceived(raw[at : at + segment])
    long.socket._frames = Unsplit(long.socket._other)  # type: ignore[assignment]  # the road without us
    for at in range(0, len(raw), segment):
        long.socket.dataReceived(raw[at : at + segment])
    short_failed, long_failed = failed(short), failed(long)
    assert short.link.texts == long.link.texts
    assert short_failed == long_failed or missing or segment > 1
    if not short_failed and not long_failed:
        assert outcome(short) == outcome(long)


class Unsplit:
    """
    Stands for ``TextFrames`` and leaves everything to the library.
    """

    def __init__(self, on_other: object) -> None:
        self._on_other = on_other

    def feed(self, data: bytes) -> None:
        """
        As it came.
        """
        assert callable(self._on_other)
        self._on_other(data)


class Cut:
    """
    What a ``TextFrames`` made of its bytes.
    """

    def __init__(self, *, follow: bool = True) -> None:
        self.texts: list[bytes] = []
        self.others: list[bytes] = []
        self.follow = follow
        self.frames = TextFrames(self._texts, self._other, max_bytes=100_000)

    def _texts(self, payloads: list[bytes]) -> bool:
        self.texts.extend(payloads)
        return self.follow

    def _other(self, data: bytes) -> bool:
        self.others.append(data)
        return self.follow


def test_texts_in_one_segment_need_nobody_else() -> None:
    """
    A page that floods with text costs only the short road.
    """
    cut = Cut()
    cut.frames.feed(b"".join(frame(0x81, length) for length in (0, 125, 126, 70_000)))
    assert ([len(text) for text in cut.texts], cut.others) == ([0, 125, 126, 70_000], [])


def test_other_frames_go_on_whole_and_texts_follow() -> None:
    """
    A ping between two messages neither delays nor swallows the second.
    """
    cut = Cut()
    cut.frames.feed(frame(0x81, 5) + frame(0x89, 3) + frame(0x81, 6))
    assert (cut.texts, cut.others) == ([b"x" * 5, b"x" * 6], [frame(0x89, 3)])


def test_nothing_is_taken_for_text_once_that_is_over() -> None:
    """
    What a page says behind its end is for whoever knows that it ended; what came in one piece came together.
    """
    cut = Cut(follow=False)
    cut.frames.feed(frame(0x81, 5) + frame(0x81, 6))
    cut.frames.feed(frame(0x81, 7))
    assert (cut.texts, cut.others) == ([b"x" * 5, b"x" * 6], [frame(0x81, 7)])


@pytest.mark.parametrize("size", [100_001, 2**63 - 1])
def test_a_frame_over_the_limit_is_not_kept(size: int) -> None:
    """
    A page that announces more than the limit costs no memory: each piece goes on as it comes.
    """
    cut = Cut()
    cut.frames.feed(b"\x81\xff" + size.to_bytes(8, "big") + MASK)
    cut.frames.feed(b"x" * 1_000)
    assert (cut.texts, [len(piece) for piece in cut.others]) == ([], [14, 1_000])
