"""
Types the first prompt: once the program can be typed to, and the submit key apart from the text.

A key that comes in one write with the text is taken for a line end in the text (field report S#101, PT-01).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol

import attrs

from reticle.agent.bootstrap import keystrokes
from reticle.agent.readiness import Signs, is_ready

SUBMIT_SECONDS: Final = 0.75
"""Between the text and the submit key, unless the operator says otherwise."""

SUBMIT_KEY: Final = b"\r"
_LOOK_SECONDS: Final = 0.1


class Typable(Protocol):
    """
    A program on a terminal, as far as typing goes.
    """

    def signs(self) -> Signs:
        """
        What has been seen of it.
        """
        ...

    @property
    def bracketed_paste(self) -> bool:
        """
        Whether it has asked to be told where a paste begins and ends.
        """
        ...

    def type(self, keys: bytes) -> None:
        """
        Type to it.
        """
        ...


@attrs.frozen
class Typing:
    """
    How a prompt is typed.

    ``least_seconds`` after the start it is not typed yet, whatever the program looks like.
    """

    submit_key: bytes = SUBMIT_KEY
    submit_seconds: float = SUBMIT_SECONDS
    least_seconds: float = 0.0


class Typist:
    """
    One prompt for one program.

    Args:
        clock: ``IReactorTime``.
        program: To type to.
        prompt: The text.
        typing: How.
    """

    def __init__(self, clock: Any, program: Typable, prompt: str, typing: Typing) -> None:
        self._clock = clock
        self._program = program
        self._prompt = prompt
        self._typing = typing
        self._call: Any = None

    def begin(self) -> None:
        """
        Wait for the program, then type.
        """
        if is_ready(self._program.signs(), self._clock.seconds(), self._typing.least_seconds):
            self._program.type(keystrokes(self._prompt, bracketed_paste=self._program.bracketed_paste))
            self._later(self._typing.submit_seconds, self._submit)
        else:
            self._later(_LOOK_SECONDS, self.begin)

    def _submit(self) -> None:
        self._call = None
        self._program.type(self._typing.submit_key)

    def _later(self, seconds: float, what: Callable[[], None]) -> None:
        self._call = self._clock.callLater(seconds, what)

    def stop(self) -> None:
        """
        Type nothing more; may be called again.
        """
        call, self._call = self._call, None
        if call is not None and call.active():
            call.cancel()
