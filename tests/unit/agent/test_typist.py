"""
How a prompt is typed: when, and with its submit key apart.
"""

from __future__ import annotations

from twisted.internet.task import Clock

from reticle.agent.readiness import Signs
from reticle.agent.typist import Typing, Typist


class PlayedProgram:
    """
    A program that becomes ready when it is told to.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.reads_keys = False
        self.bracketed_paste = False
        self.typed: list[tuple[float, bytes]] = []

    def signs(self) -> Signs:
        """
        What is seen of it.
        """
        return Signs(0.0, 0.0, self.reads_keys)

    def type(self, keys: bytes) -> None:
        """
        Keep what was typed, and when.
        """
        self.typed.append((round(self._clock.seconds(), 1), keys))


def test_the_submit_key_comes_apart_and_later() -> None:
    """
    A text box takes the text first, and then the key.
    """
    clock = Clock()
    program = PlayedProgram(clock)
    Typist(clock, program, "hello\nagent", Typing()).begin()
    clock.pump([0.1] * 10)
    assert program.typed == []
    program.reads_keys = True
    clock.pump([0.1] * 20)
    assert program.typed == [(1.1, b"hello agent"), (1.9, b"\r")]
    assert clock.getDelayedCalls() == []


def test_a_paste_is_marked_where_that_is_wanted() -> None:
    """
    A program that asked for it is told where the text begins and ends; key and delay are the operator's.
    """
    clock = Clock()
    program = PlayedProgram(clock)
    program.reads_keys = program.bracketed_paste = True
    Typist(clock, program, "hello", Typing(b"\x1b\r", 2.0, 5.0)).begin()
    clock.pump([0.125] * 80)
    assert program.typed == [(5.0, b"\x1b[200~hello\x1b[201~"), (7.0, b"\x1b\r")]


def test_an_end_ends_the_typing() -> None:
    """
    Nothing is typed to a program that has ended; stopping twice does no harm.
    """
    clock = Clock()
    program = PlayedProgram(clock)
    typist = Typist(clock, program, "hello", Typing())
    typist.begin()
    typist.stop()
    typist.stop()
    clock.pump([0.1] * 100)
    assert program.typed == []
