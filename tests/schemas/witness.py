"""
Compares what is said in the tests' own process with the schemas.
"""

from __future__ import annotations

from collections.abc import Sequence

from tests.schemas.dialogue import BEFORE_HANDSHAKE, Dialogue


class Heard:
    """
    Provides ``roads.Listener``.
    """

    def __init__(self, witness: Witness, dialogue: Dialogue) -> None:
        self._witness = witness
        self._dialogue = dialogue

    def sent(self, body: bytes) -> None:
        """
        Remember what is asked.
        """
        self._dialogue.sent(body)

    def received(self, message: bytes) -> None:
        """
        Compare it.
        """
        self._witness.count += 1
        self._witness.wrong += self._dialogue.received(message)


class Witness:
    """
    ``wrong`` holds what was wrong since it was last taken; ``count`` is how many messages were heard.
    """

    def __init__(self) -> None:
        self.wrong: list[str] = []
        self.count = 0

    def listen(self, revision: str | None = None) -> Heard:
        """
        Provides ``roads.Listen``.
        """
        return Heard(self, Dialogue(revision or BEFORE_HANDSHAKE))

    def take(self) -> Sequence[str]:
        """
        Take out what was wrong.
        """
        taken, self.wrong = self.wrong, []
        return taken
