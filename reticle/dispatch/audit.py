"""
What an audit row says of a call: how it was decided, and a hash of its arguments, never the arguments.
"""

from __future__ import annotations

import enum
import hashlib
from typing import Final

import attrs

from reticle.model.codes import RefusalCode

_CODE_CHARS: Final = 64


class Fate(enum.StrEnum):
    """How a call ended; the outcome of metrics, few enough to be a label."""

    ALLOWED = "allowed"
    REFUSED = "refused"
    HIDDEN = "hidden"
    CANCELLED = "cancelled"
    FAILED = "failed"


@attrs.frozen
class Decided:
    """
    How a call ended, and why: a refusal's code or an incident number.
    """

    fate: Fate
    why: str = ""

    @property
    def word(self) -> str:
        """
        The row's ``decision``: ``allowed``, ``cancelled``, ``refused:<code>``, ``failed:<incident>``.
        """
        return f"{self.fate}:{self.why[:_CODE_CHARS]}" if self.why else str(self.fate)


ALLOWED: Final = Decided(Fate.ALLOWED)
CANCELLED: Final = Decided(Fate.CANCELLED)
ASKED: Final = Decided(Fate.CANCELLED, RefusalCode.INPUT_REQUIRED)
"""It ended before it did anything, because its client has to answer first; it comes again."""


def refused_by(code: str) -> Decided:
    """
    A call that was refused; one that its own client cancelled is told apart.
    """
    return CANCELLED if code == RefusalCode.CANCELLED else Decided(Fate.REFUSED, str(code))


def denied_by(code: str) -> Decided:
    """
    A call that the gate did not let begin; one of a method that is not for agents is told apart.
    """
    return Decided(Fate.HIDDEN, str(code)) if code == RefusalCode.TOOL_HIDDEN else refused_by(code)


def failed_by(incident: str) -> Decided:
    """
    A call that met a bug of ours.
    """
    return Decided(Fate.FAILED, incident)


def digest(arguments: bytes) -> str:
    """
    SHA-256 of the arguments as they were sent, in hex.
    """
    return hashlib.sha256(arguments).hexdigest()
