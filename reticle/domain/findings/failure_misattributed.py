"""
The server failed, and the app tells the user that it was their fault.
"""

from __future__ import annotations

from collections.abc import Sequence

from reticle.domain.facts import brief, quoted
from reticle.domain.findings.judged import undeclared_failures
from reticle.domain.memo import once_per_window
from reticle.domain.predicate import Predicate
from reticle.domain.predicate.network import body_text
from reticle.domain.voices import Voice, voices
from reticle.domain.words import blames_the_user, speaks_of_the_server
from reticle.model.verdict import Finding, FindingTier
from reticle.model.window import Window

KIND = "failure-misattributed"

_SERVER_FAULT = 500


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:
    """
    One finding per answer of 500 or more after which a message, a signal or the state blames the user.

    Not where the app also names the server or the connection, nor where it only repeats the server's words.
    """
    found: list[Finding] = []
    for one in undeclared_failures(window, predicate):
        if one.status is None or one.status < _SERVER_FAULT:
            continue
        later = [voice for voice in _addressing(window) if voice.seq > one.seq]
        blame = _blame(later, body_text(one) or "")
        if blame is not None:
            said = brief(blame.text or blame.about)
            detail = {"method": one.method, "url": one.url, "status": one.status, "said": said}
            claim = f"the app blames the user: {quoted(said)}"
            found.append(Finding(KIND, FindingTier.OBSERVED, claim, str(one), detail))
    return tuple(found)


@once_per_window
def _addressing(window: Window) -> tuple[Voice, ...]:
    """
    What was said in a place for messages, by a signal or by the state.
    """
    return tuple(voice for voice in voices(window) if voice.message or voice.about)


def _blame(later: Sequence[Voice], body: str) -> Voice | None:
    if any(speaks_of_the_server(f"{voice.about} {voice.text}") for voice in later):
        return None
    blaming = (voice for voice in later if blames_the_user(f"{voice.about} {voice.text}"))
    return next((voice for voice in blaming if not voice.text or voice.text not in body), None)
