"""
A page's WebSocket, frame by frame.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from twisted.internet.error import ConnectionDone
from twisted.internet.interfaces import ITCPTransport
from twisted.internet.protocol import Protocol
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport
from twisted.logger import capturedLogs
from twisted.python.failure import Failure
from zope.interface import directlyProvides

from reticle.model.limits import CLOSE_SECONDS, PAGE_MESSAGE_BYTES, PAGE_UNSENT_BYTES, PING_SECONDS
from reticle.ports import SocketWriter
from reticle.testing.browser_socket import BrowserSocket
from reticle.transport.websocket import PageWebSocket, cut_reason


class RecordingLink:
    """
    Provides ``PageLink``; remembers.
    """

    def __init__(self) -> None:
        self.texts: list[bytes] = []
        self.ended: list[tuple[int, str]] = []

    def texts_received(self, payloads: Sequence[bytes]) -> None:
        """
        See ``PageLink``.
        """
        self.texts.extend(payloads)

    def socket_closed(self, code: int, reason: str) -> None:
        """
        See ``PageLink``.
        """
        self.ended.append((code, reason))

    def fetching(self, scripts: int, elements: int) -> None:
        """
        See ``PageLink``; nobody here drives a browser.
        """


class HalfClosing(StringTransport):
    """
    A transport that knows how to stop writing.
    """

    def __init__(self) -> None:
        StringTransport.__init__(self)
        self.half_closed = False

    def value(self) -> bytes:  # noqa: D102
        return bytes(StringTransport.value(self))

    def loseWriteConnection(self) -> None:  # noqa: D102
        self.half_closed = True


class Scene:
    """
    One open socket between a browser and the daemon.
    """

    def __init__(self) -> None:
        self.clock = Clock()
        self.transport = HalfClosing()
        directlyProvides(self.transport, ITCPTransport)
        self.link = RecordingLink()
        self.gone: list[PageWebSocket] = []
        self.writer: SocketWriter | None = None
        self.socket = PageWebSocket(self.open, self.clock, self.gone.append)
        Protocol.makeConnection(self.socket, self.transport)
        self.browser = BrowserSocket(self.transport)

    def open(self, writer: SocketWriter) -> RecordingLink:
        """
        What the bridge would do.
        """
        self.writer = writer
        return self.link

    def receive(self, raw: bytes) -> None:
        """
        Bytes from the browser, and the browser's own reactions to the daemon's.
        """
        self.socket.dataReceived(raw)
        reaction = self.browser.look()
        if reaction:
            self.socket.dataReceived(reaction)

    def hang_up(self) -> None:
        """
        The TCP connection is gone.
        """
        self.socket.connectionLost(Failure(ConnectionDone()))


def test_messages_go_both_ways() -> None:
    """
    Text arrives whole on either side.
    """
    scene = Scene()
    scene.receive(scene.browser.text(b"hello") + scene.browser.text("grüße".encode()))
    scene.socket.send_text(b"command")
    scene.browser.look()
    assert scene.link.texts == [b"hello", "grüße".encode()]
    assert scene.browser.texts == [b"command"]


@given(
    st.lists(st.text(max_size=300), min_size=1, max_size=5),
    st.integers(min_value=1, max_value=40),
    st.integers(min_value=1, max_value=400),
)
def test_any_split_of_bytes_and_frames_gives_the_same_messages(
    texts: list[str], fragment: int, segment: int
) -> None:
    """
    Neither fragments, even inside a character, nor TCP segments change what the page said.
    """
    scene = Scene()
    raw = b""
    for text in texts:
        payload = text.encode()
        pieces = [payload[at : at + fragment] for at in range(0, len(payload), fragment)] or [b""]
        raw += scene.browser.pieces(*pieces) + scene.browser.ping(b"between")
    for at in range(0, len(raw), segment):
        scene.socket.dataReceived(raw[at : at + segment])
    assert scene.link.texts == [text.encode() for text in texts]
    assert scene.link.ended == []


def test_binary_messages_are_ignored() -> None:
    """
    A page that sends binary is not understood, not cut off, told of once, and its text still arrives.
    """
    scene = Scene()
    with capturedLogs() as logs:
        scene.receive(2 * scene.browser.binary(b"\x00\xff") + scene.browser.text(b"after"))
    assert (scene.link.texts, scene.socket.binary_ignored) == ([b"after"], 2)
    assert [event["log_format"] for event in logs] == ["a page sends binary messages; they are ignored"]
    assert scene.browser.closed is None


@pytest.mark.parametrize("pieces", [(b"\xff",), (b"\xc3",), (b"ok\xe2", b"\x28\xa1"), (b"\xed\xa0\x80",)])
def test_text_that_is_no_utf8_ends_with_1007(pieces: tuple[bytes, ...]) -> None:
    """
    Invalid text closes the socket with the code for it and never reaches the bridge.
    """
    scene = Scene()
    scene.receive(scene.browser.pieces(*pieces) + scene.browser.text(b"after"))
    assert scene.browser.closed == (1007, "a text message must be UTF-8")
    assert (scene.link.texts, scene.transport.half_closed) == ([], True)
    scene.hang_up()
    assert scene.link.ended == [(1007, "a text message must be UTF-8")]


def test_a_message_at_the_cap_passes_and_one_over_it_is_1009() -> None:
    """
    4 MiB arrive; one byte more closes with 1009 before it is buffered (WS-06).
    """
    scene = Scene()
    scene.receive(scene.browser.text(b"x" * PAGE_MESSAGE_BYTES))
    assert [len(text) for text in scene.link.texts] == [PAGE_MESSAGE_BYTES]
    scene.socket.dataReceived(scene.browser.text(b"x" * (PAGE_MESSAGE_BYTES + 1))[:100])
    scene.browser.look()
    assert scene.browser.closed is not None
    assert scene.browser.closed[0] == 1009
    assert (scene.transport.half_closed, scene.transport.disconnecting) == (True, False)
    scene.socket.dataReceived(b"x" * 100_000)
    scene.clock.advance(CLOSE_SECONDS)
    assert scene.transport.disconnected
    scene.hang_up()
    assert scene.link.ended[0][0] == 1009


def test_fragments_add_up_to_the_cap() -> None:
    """
    Many small fragments are no way around the cap.
    """
    scene = Scene()
    half = b"x" * (PAGE_MESSAGE_BYTES // 2 + 1)
    scene.receive(scene.browser.pieces(half, half))
    assert scene.browser.closed is not None
    assert (scene.browser.closed[0], scene.link.texts) == (1009, [])


@pytest.mark.parametrize("raw", [b"\x81\x05hello", b"\xf1\x80\x00\x00\x00\x00", b"\x83\x80\x00\x00\x00\x00"])
def test_a_broken_frame_is_1002(raw: bytes) -> None:
    """
    An unmasked frame, reserved bits and unknown opcodes are a protocol error.
    """
    scene = Scene()
    scene.receive(raw)
    assert scene.browser.closed is not None
    assert scene.browser.closed[0] == 1002


def test_a_browsers_close_is_answered() -> None:
    """
    A page that leaves gets its close frame back, and the server closes the connection.
    """
    scene = Scene()
    scene.receive(scene.browser.close(1001, "leaving"))
    assert (scene.browser.closed, scene.transport.disconnecting) == ((1001, "leaving"), True)
    scene.hang_up()
    assert scene.link.ended == [(1001, "leaving")]
    assert (scene.gone, scene.clock.getDelayedCalls()) == ([scene.socket], [])


@pytest.mark.parametrize("fault", [False, True])
def test_what_comes_before_the_end_is_heard(*, fault: bool) -> None:
    """
    The last words of a page that leaves, or breaks the protocol, in one segment with its end are evidence.
    """
    scene = Scene()
    words = scene.browser.pieces(b"last ", b"words")
    scene.receive(words + (b"\x81\x00" if fault else scene.browser.close(1000, "page parked")))
    assert scene.link.texts == [b"last words"]
    assert scene.browser.closed is not None


def test_our_close_waits_for_the_browsers() -> None:
    """
    The page reads code and reason, answers, and only then the connection is closed.
    """
    scene = Scene()
    scene.socket.close(1008, "x" * 200)
    assert not scene.transport.disconnecting
    scene.socket.send_text(b"too late")
    scene.receive(b"")
    assert scene.browser.closed == (1008, "x" * 123)
    assert scene.transport.disconnecting
    scene.hang_up()
    assert (scene.link.ended, scene.browser.texts) == ([(1008, "x" * 123)], [])


def test_a_browser_that_does_not_answer_a_close_is_cut() -> None:
    """
    After 2 s the connection is gone whatever the page does.
    """
    scene = Scene()
    scene.socket.close(1001, "the daemon is stopping")
    scene.clock.advance(CLOSE_SECONDS - 0.1)
    assert not scene.transport.disconnected
    scene.clock.advance(0.1)
    assert scene.transport.disconnected


def test_text_behind_our_close_is_not_delivered() -> None:
    """
    A page that was turned away cannot go on talking.
    """
    scene = Scene()
    scene.socket.close(1008, "no")
    scene.socket.dataReceived(scene.browser.text(b"but"))
    assert scene.link.texts == []


def test_a_connection_that_just_ends_is_told_as_1006() -> None:
    """
    A crashed browser is seen at once.
    """
    scene = Scene()
    scene.hang_up()
    assert scene.link.ended == [(1006, "")]


def test_a_living_browser_is_pinged_for_ever() -> None:
    """
    A silent page whose browser answers stays connected.
    """
    scene = Scene()
    for _ in range(5):
        scene.clock.advance(PING_SECONDS)
        scene.receive(b"")
    assert len(scene.browser.pings) == 5
    assert not scene.transport.disconnected


def test_a_dead_browser_is_cut_after_two_intervals() -> None:
    """
    A peer that answers no ping is gone after its second unanswered one.
    """
    scene = Scene()
    scene.clock.advance(PING_SECONDS)
    scene.clock.advance(PING_SECONDS)
    assert not scene.transport.disconnected
    scene.clock.advance(PING_SECONDS)
    assert scene.transport.disconnected
    scene.hang_up()
    assert (scene.link.ended, scene.clock.getDelayedCalls()) == ([(1006, "")], [])


def test_a_slow_reader_gets_everything_in_order() -> None:
    """
    While the browser does not read, commands wait here and are counted; then they follow.
    """
    scene = Scene()
    scene.socket.pauseProducing()
    for number in range(3):
        scene.socket.send_text(b"%d" % number)
    assert (scene.socket.unsent_bytes(), scene.transport.value()) == (9, b"")
    scene.socket.resumeProducing()
    scene.browser.look()
    assert (scene.browser.texts, scene.socket.unsent_bytes()) == ([b"0", b"1", b"2"], 0)


def test_a_page_that_never_reads_is_cut_off() -> None:
    """
    At 8 MiB unsent it is closed, and after the deadline its memory is free (DL-08).
    """
    scene = Scene()
    scene.socket.pauseProducing()
    for _ in range(20):
        scene.socket.send_text(b"x" * (PAGE_UNSENT_BYTES // 8))
    assert scene.socket.unsent_bytes() < PAGE_UNSENT_BYTES * 9 // 8 + 200
    scene.clock.advance(CLOSE_SECONDS)
    assert scene.transport.disconnected
    scene.hang_up()
    assert scene.link.ended == [(1011, "the page does not read")]
    assert scene.socket.unsent_bytes() == 0


def test_a_close_behind_unsent_bytes_still_arrives() -> None:
    """
    A slow page reads its commands and then the close.
    """
    scene = Scene()
    scene.socket.pauseProducing()
    scene.socket.send_text(b"last")
    scene.socket.dataReceived(scene.browser.close(1001))
    assert not scene.transport.disconnecting
    scene.socket.resumeProducing()
    scene.browser.look()
    assert (scene.browser.texts, scene.browser.closed) == ([b"last"], (1001, ""))
    assert scene.transport.disconnecting


def test_a_flood_of_pings_does_not_fill_the_memory() -> None:
    """
    Pongs to a page that never reads count like everything else.
    """
    scene = Scene()
    scene.socket.pauseProducing()
    flood = scene.browser.ping(b"x" * 125) * 1_000
    for _ in range(80):
        scene.socket.dataReceived(flood)
    assert scene.socket.unsent_bytes() < PAGE_UNSENT_BYTES + 200_000


@given(st.text(max_size=200))
def test_a_close_reason_is_cut_between_characters(reason: str) -> None:
    """
    Whatever the reason says, it fits into the frame and is valid text.
    """
    cut = cut_reason(reason)
    assert len(cut.encode()) <= 123
    assert reason.startswith(cut)
