"""
How a prompt is typed: when, and with its submit key apart.
"""

from __future__ import annotations

import pytest
from twisted.internet.defer import Deferred, fail, succeed
from twisted.internet.task import Clock

from reticle.agent.readiness import Signs
from reticle.agent.typist import CALL_SECONDS, UNHEARD, Typing, Typist


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


@pytest.mark.parametrize(
    ("answers", "typed", "said"),
    [
        ([succeed(True)], [b"hello", b"\r"], []),
        ([succeed(False), succeed(True)], [b"hello", b"\r", b"\r"], []),
        ([succeed(False), succeed(False)], [b"hello", b"\r", b"\r"], [UNHEARD]),
        ([fail(OSError("no daemon"))], [b"hello", b"\r"], []),
        ([Deferred()], [b"hello", b"\r"], []),
    ],
    ids=["heard", "heard later", "unheard", "nobody knows", "no answer"],
)
def test_a_prompt_has_arrived_when_a_tool_is_called(
    answers: list[Deferred[bool]], typed: list[bytes], said: list[str]
) -> None:
    """
    A swallowed submit key is pressed once more, never the text; a person is told when that was no help.
    """
    clock = Clock()
    program = PlayedProgram(clock)
    program.reads_keys = True
    heard: list[str] = []
    left = list(answers)
    Typist(clock, program, "hello", Typing(), has_called=lambda: left.pop(0), say=heard.append).begin()
    clock.pump([0.25] * int(CALL_SECONDS * 16))
    assert [keys for _, keys in program.typed] == typed
    assert heard == said
    assert left == []
    assert clock.getDelayedCalls() == []


def test_an_answer_that_comes_after_the_end_types_nothing() -> None:
    """
    The daemon may answer when the agent has ended.
    """
    clock = Clock()
    program = PlayedProgram(clock)
    program.reads_keys = True
    answer: Deferred[bool] = Deferred()
    typist = Typist(clock, program, "hello", Typing(), has_called=lambda: answer)
    typist.begin()
    clock.pump([0.25] * int(CALL_SECONDS * 8))
    typist.stop()
    answer.callback(False)
    assert len(program.typed) == 2
