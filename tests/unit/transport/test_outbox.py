"""
The bounded queue between a conversation and its stream.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reticle.transport.outbox import Outbox, Overflow


class SlowTransport:
    """
    A transport that pauses its producer at every write once it is told to.
    """

    def __init__(self, *, max_bytes: int = 1000, max_frames: int = 10) -> None:
        self.written: list[bytes] = []
        self.overflows: list[Overflow] = []
        self.full = False
        self.outbox = Outbox(self.write, self.overflows.append, max_bytes=max_bytes, max_frames=max_frames)

    def write(self, chunk: bytes) -> None:
        """
        Take bytes; pause the producer when full.
        """
        self.written.append(chunk)
        if self.full:
            self.outbox.pauseProducing()


def test_frames_leave_at_once_while_the_reader_keeps_up() -> None:
    """
    A quick reader gets each frame when it is made.
    """
    slow = SlowTransport()
    slow.outbox.put(b"a")
    slow.outbox.put(b"b")
    assert slow.written == [b"a", b"b"]
    assert slow.outbox.idle
    assert slow.outbox.unsent_bytes == 0


def test_frames_wait_in_order_while_the_reader_does_not_read() -> None:
    """
    A slow reader gets everything, in order, when it reads again.
    """
    slow = SlowTransport()
    slow.full = True
    for frame in (b"a", b"b", b"c"):
        slow.outbox.put(frame)
    assert slow.written == [b"a"]
    assert not slow.outbox.idle
    assert slow.outbox.unsent_bytes == 3
    slow.full = False
    slow.outbox.resumeProducing()
    assert b"".join(slow.written) == b"abc"
    assert slow.outbox.unsent_bytes == 0


def test_too_many_bytes_end_the_queue_and_say_what_was_lost() -> None:
    """
    A reader that lets more pile up than the cap loses its stream, with the loss counted.
    """
    slow = SlowTransport(max_bytes=10)
    slow.full = True
    slow.outbox.put(b"1234")
    slow.outbox.put(b"567")
    slow.outbox.put(b"8901")
    assert slow.overflows == [Overflow(frames=2, size_bytes=7)]
    slow.outbox.put(b"x")
    assert slow.overflows == [Overflow(frames=2, size_bytes=7)]
    assert slow.written == [b"1234"]


def test_one_frame_over_the_cap_is_an_overflow_even_when_nothing_waits() -> None:
    """
    The cap holds for a single answer as well.
    """
    slow = SlowTransport(max_bytes=10)
    slow.outbox.put(b"12345678901")
    assert slow.overflows == [Overflow(frames=1, size_bytes=11)]
    assert slow.written == []


def test_too_many_small_frames_are_an_overflow() -> None:
    """
    A flood of tiny frames is bounded by their number.
    """
    slow = SlowTransport(max_frames=2)
    slow.full = True
    for _ in range(4):
        slow.outbox.put(b"x")
    assert slow.overflows == [Overflow(frames=3, size_bytes=3)]


def test_the_last_frame_comes_behind_what_waits() -> None:
    """
    A farewell never overtakes an answer.
    """
    slow = SlowTransport()
    sent: list[bool] = []
    slow.full = True
    slow.outbox.put(b"a")
    slow.outbox.put(b"b")
    slow.outbox.finish(b"bye", lambda: sent.append(True))
    slow.outbox.put(b"late")
    assert sent == []
    slow.full = False
    slow.outbox.resumeProducing()
    assert b"".join(slow.written) == b"abbye"
    assert sent == [True]


def test_giving_up_says_the_reason_without_waiting() -> None:
    """
    After an overflow the reason is written at once and what waited is dropped.
    """
    slow = SlowTransport(max_bytes=4)
    sent: list[bool] = []
    slow.full = True
    slow.outbox.put(b"a")
    slow.outbox.put(b"bcdefg")
    slow.outbox.finish_now(b"why", lambda: sent.append(True))
    assert (slow.written, sent) == ([b"a", b"why"], [True])


def test_a_lost_peer_frees_everything() -> None:
    """
    When the reader is gone nothing is kept and nothing is written.
    """
    slow = SlowTransport()
    sent: list[bool] = []
    slow.full = True
    slow.outbox.put(b"a")
    slow.outbox.put(b"b")
    slow.outbox.finish(b"bye", lambda: sent.append(True))
    slow.outbox.stopProducing()
    slow.outbox.resumeProducing()
    slow.outbox.put(b"c")
    slow.outbox.finish_now(b"bye", lambda: sent.append(True))
    assert (slow.written, sent, slow.outbox.unsent_bytes) == ([b"a"], [], 0)


@given(
    st.lists(
        st.one_of(
            st.integers(0, 40).map(lambda size: ("put", size)),
            st.sampled_from([("full", 0), ("free", 0)]),
        ),
        max_size=40,
    )
)
def test_what_a_reader_gets_is_a_prefix_of_what_was_sent(steps: list[tuple[str, int]]) -> None:
    """
    Whatever the reader's pace, frames are never reordered, repeated or split by a gap, and never more
    than the cap waits.
    """
    slow = SlowTransport(max_bytes=100, max_frames=5)
    sent = b""
    for number, (step, size) in enumerate(steps):
        if step == "put":
            frame = bytes([number % 256]) * size
            sent += frame
            slow.outbox.put(frame)
        else:
            slow.full = step == "full"
            if not slow.full:
                slow.outbox.resumeProducing()
        assert slow.outbox.unsent_bytes <= 100
        assert sent.startswith(b"".join(slow.written))
    slow.full = False
    slow.outbox.resumeProducing()
    if not slow.overflows:
        assert b"".join(slow.written) == sent
