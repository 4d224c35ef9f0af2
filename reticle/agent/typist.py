"""
Types the first prompt: once the program can be typed to, and the submit key apart from the text.

A key that comes in one write with the text is taken for a line end in the text (field report S#101, PT-01).
Whether a prompt has arrived is told by the agent's first call of a tool, never by what it prints. Where none
comes, the submit key is pressed once more. That cannot submit a text twice: a submitted box is empty.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Protocol

import attrs

from reticle.agent.bootstrap import keystrokes
from reticle.agent.readiness import Signs, is_ready

if TYPE_CHECKING:  # every command is imported for the help, which needs no Twisted
    from twisted.internet.defer import Deferred

SUBMIT_SECONDS: Final = 0.75
"""Between the text and the submit key, unless the operator says otherwise."""

SUBMIT_KEY: Final = b"\r"
_LOOK_SECONDS: Final = 0.1

CALL_SECONDS: Final = 45.0
"""From the submit key to the first call of a tool: a model thinks before it calls."""

UNHEARD: Final = (
    "the agent has called no tool since its prompt was typed: look at its terminal, it may wait for an answer"
)


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


Ask = Callable[[], "Deferred[bool]"]
"""Whether the agent has called a tool since its start; fails where that cannot be told."""


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
        has_called: Asks whether the prompt has arrived; None leaves it open.
        say: Told once when it seems not to have.
    """

    def __init__(
        self,
        clock: Any,
        program: Typable,
        prompt: str,
        typing: Typing,
        *,
        has_called: Ask | None = None,
        say: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._clock = clock
        self._program = program
        self._prompt = prompt
        self._typing = typing
        self._has_called = has_called
        self._say = say
        self._tried = 0
        self._stopped = False
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
        self._tried += 1
        if self._has_called is not None:
            self._later(CALL_SECONDS, self._ask)

    def _ask(self) -> None:
        self._call = None
        assert self._has_called is not None
        # A daemon that cannot be asked says nothing about the agent.
        self._has_called().addCallbacks(self._told, lambda _: None)

    def _told(self, has_called: bool) -> None:  # noqa: FBT001 - a callback's one argument
        if has_called or self._stopped:
            return
        if self._tried == 1:
            self._submit()
        else:
            self._say(UNHEARD)

    def _later(self, seconds: float, what: Callable[[], None]) -> None:
        self._call = self._clock.callLater(seconds, what)

    def stop(self) -> None:
        """
        Type nothing more; may be called again.
        """
        self._stopped = True
        call, self._call = self._call, None
        if call is not None and call.active():
            call.cancel()
